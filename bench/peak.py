"""The fastest matrix products that torch has on this machine.

The kind of product that suits a machine differs: MKL's, which torch.mm and linear
layers use, or oneDNN's, which a 1×1 convolution over a channels-last view of the
matrix uses.
"""

import time
from collections.abc import Callable
from typing import Any

import torch

# m, k and n of [m, k] × [k, n]: the encoder's, the pair network's, and a large square one.
SIZES = ((6000, 300, 600), (1024, 128, 256), (2048, 2048, 2048))
SECONDS = 0.5  # of trying, for each product


@torch.inference_mode()
def measure() -> dict[str, Any]:
    """GFLOP/s of the fastest run of each product, and of the fastest of all."""
    products = []
    for m, k, n in SIZES:
        a, b = torch.randn(m, k), torch.randn(k, n)
        image = a.t().reshape(1, k, m, 1).to(memory_format=torch.channels_last)
        filters = b.t().reshape(n, k, 1, 1)
        forms = {"mm": lambda: torch.mm(a, b), "1x1 convolution": lambda: torch.conv2d(image, filters)}
        for form, product in forms.items():
            gflops = 2e-9 * m * k * n / fastest(product)
            products.append({"size": f"[{m}x{k}]x[{k}x{n}]", "form": form, "gflops": gflops})
    return {"products": products, "gflops": max(p["gflops"] for p in products)}


def fastest(product: Callable[[], Any]) -> float:
    """Seconds of the fastest run."""
    product()
    best, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        begun = time.perf_counter()
        product()
        best = min(best, time.perf_counter() - begun)
    return best
