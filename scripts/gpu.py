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
    device = ctypes.c_int()
    driver.cuDeviceGet(ctypes.byref(device), 0)
    capability = tuple(attribute(driver, device, a) for a in (MAJOR, MINOR))
    least, most = CAPABILITIES[variant]
    if not least <= capability <= most:
        fit = [v for v, (least, most) in CAPABILITIES.items() if least <= capability <= most]
        advice = f"write LIBTORCH={fit[0]}" if fit else "no libtorch here serves it"
        return f"LIBTORCH={variant} has no kernels for this GPU (compute capability {capability[0]}.{capability[1]}): {advice}"
    version = ctypes.c_int()
    driver.cuDriverGetVersion(ctypes.byref(version))
    if version.value < DRIVER[variant]:
        return (f"LIBTORCH={variant} needs a driver for CUDA {DRIVER[variant] // 1000}, this one is for "
                f"{version.value // 1000}.{version.value % 1000 // 10}: install a newer driver")
    return None


def attribute(driver, device, number):
    value = ctypes.c_int()
    driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)
    return value.value


if reason := missing(os.environ.get("LIBTORCH") or DEFAULT):
    sys.exit(f"setup: {reason}; PACIA_ANYWAY=1 builds for CUDA all the same")
