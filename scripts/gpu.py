#!/usr/bin/env python3
"""Query the NVIDIA driver for a GPU that LIBTORCH supports; report in one line what is missing."""

import ctypes
import os
import sys

DEFAULT = "cu117"
# For each variant of libtorch: the compute capabilities for which it has kernels,
# and the CUDA version that the driver must support, as the driver's number.
CAPABILITIES = {"cu117": ((3, 7), (8, 9)), "cu130": ((7, 5), (99, 0))}
DRIVER = {"cu117": 11000, "cu130": 13000}

MAJOR, MINOR = 75, 76  # attributes of a device: its compute capability


def missing(variant):
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "there is no NVIDIA driver here (libcuda.so.1 cannot be loaded)"
    if code := driver.cuInit(0):
        return f"the NVIDIA driver finds no GPU (cuInit answers {code}; see nvidia-smi)"
    if "LIBTORCH_DIR" in os.environ:
        return None
    found = capabilities(driver)
    if not any(fits(variant, c) for c in found):
        other = [v for v in CAPABILITIES if any(fits(v, c) for c in found)]
        advice = f"write LIBTORCH={other[0]}" if other else "no libtorch here serves it"
        which = ", ".join(f"{major}.{minor}" for major, minor in found)
        return f"LIBTORCH={variant} has no kernels for this GPU (compute capability {which}): {advice}"
    version = ctypes.c_int()
    driver.cuDriverGetVersion(ctypes.byref(version))
    if version.value < DRIVER[variant]:
        return (f"LIBTORCH={variant} needs a driver for CUDA {DRIVER[variant] // 1000}, this one is for "
                f"{version.value // 1000}.{version.value % 1000 // 10}: install a newer driver")
    return None


def capabilities(driver):
    """The compute capabilities of all devices."""
    count, device = ctypes.c_int(), ctypes.c_int()
    driver.cuDeviceGetCount(ctypes.byref(count))
    found = []
    for i in range(count.value):
        driver.cuDeviceGet(ctypes.byref(device), i)
        found.append(tuple(attribute(driver, device, a) for a in (MAJOR, MINOR)))
    return found


def fits(variant, capability):
    least, most = CAPABILITIES[variant]
    return least <= capability <= most


def attribute(driver, device, number):
    value = ctypes.c_int()
    driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)
    return value.value


if reason := missing(os.environ.get("LIBTORCH") or DEFAULT):
    sys.exit(f"setup: {reason}; PACIA_ANYWAY=1 builds for CUDA all the same")
