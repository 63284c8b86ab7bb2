#!/usr/bin/env python3
"""peak.py [--device cuda]: the fastest matrix products that torch has on this device, as JSON.

Which product is faster depends on the machine: MKL's, which torch.mm and linear
layers use, or oneDNN's, which a 1×1 convolution over a channels-last view of the
matrix uses. A GPU has products in float32 and faster ones with factors in TF32.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import torch

# m, k and n of [m, k] × [k, n]: the encoder's, the pair network's, and a large square one.
SIZES = ((6000, 300, 600), (1024, 128, 256), (2048, 2048, 2048))
GPU_SIZES = (*SIZES, (47520, 256, 128), (8192, 8192, 8192))
SECONDS = 0.5  # for each product


@torch.inference_mode()
def measure(device: torch.device) -> dict[str, Any]:
    """GFLOP/s of the fastest run of each product, and of the fastest of all."""
    products = []
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    for m, k, n in GPU_SIZES if device.type == "cuda" else SIZES:
        a, b = torch.randn(m, k, device=device), torch.randn(k, n, device=device)
        image = a.t().reshape(1, k, m, 1).to(memory_format=torch.channels_last)
        filters = b.t().reshape(n, k, 1, 1)
        forms = {"mm": lambda: torch.mm(a, b)}
        if device.type == "cpu":
            forms["1x1 convolution"] = lambda: torch.conv2d(image, filters)
        for form, product in forms.items():
            gflops = 2e-9 * m * k * n / fastest(product, wait)
            products.append({"size": f"[{m}x{k}]x[{k}x{n}]", "form": form, "gflops": gflops})
    return {"products": products, "gflops": max(p["gflops"] for p in products)}


def fastest(product: Callable[[], Any], wait: Callable[[], None]) -> float:
    """Seconds of the fastest run; wait returns when the device is done."""
    product()
    wait()
    best, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        begun = time.perf_counter()
        product()
        wait()
        best = min(best, time.perf_counter() - begun)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", type=torch.device, default="cpu")
    device = parser.parse_args().device
    found = {}
    for name, tf32 in (("float32", False), ("tf32", True)) if device.type == "cuda" else (("float32", False),):
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        found[name] = measure(device)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
