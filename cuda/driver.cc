#include "driver.h"

#include <memory>

#include "driver.hh"
#include "guarded.hh"

char *pacia_driver_open(const char *file, pacia_driver **driver, int *version) {
  return pacia::guarded([&] {
    auto d = std::make_unique<pacia_driver>(file);
    d->check(d->init(0), "cuInit");
    d->check(d->version(version), "cuDriverGetVersion");
    *driver = d.release();
  });
}

char *pacia_driver_devices(const pacia_driver *d, int *devices) {
  return pacia::guarded([&] { d->check(d->device_count(devices), "cuDeviceGetCount"); });
}

char *pacia_driver_device(const pacia_driver *d, int device, pacia_device_info *info) {
  return pacia::guarded([&] {
    const std::string what = "GPU " + std::to_string(device);
    int handle = 0;
    size_t memory = 0;
    d->check(d->device_get(&handle, device), what);
    d->check(d->device_name(info->name, sizeof info->name, handle), what);
    d->check(d->device_attribute(&info->major, pacia::kCapabilityMajor, handle), what);
    d->check(d->device_attribute(&info->minor, pacia::kCapabilityMinor, handle), what);
    d->check(d->device_memory(&memory, handle), what);
    info->memory = memory;
  });
}
