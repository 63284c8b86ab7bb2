#!/usr/bin/env python3
"""Ask the NVIDIA driver for a GPU; without one, say in one line what is missing."""

import ctypes
import os
import sys

# The newest compute capability that the CUDA 11.7 libtorch has kernels for is
# 8.6, and those run on 8.9 too.
NEWEST = 8


def missing():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "there is no NVIDIA driver here (libcuda.so.1 cannot be loaded)"
    if code := driver.cuInit(0):
        return f"the NVIDIA driver finds no GPU (cuInit answers {code}; see nvidia-smi)"
    major, device = ctypes.c_int(), ctypes.c_int()
    driver.cuDeviceGet(ctypes.byref(device), 0)
    driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    if major.value > NEWEST and "LIBTORCH_DIR" not in os.environ:
        return (f"this GPU (compute capability {major.value}.x) is newer than libtorch 2.0.1: "
                "point LIBTORCH_DIR to a newer libtorch, 2.11 say")
    return None


if reason := missing():
    sys.exit(f"setup: {reason}; PACIA_ANYWAY=1 builds for CUDA all the same")
