#!/usr/bin/env python3
"""eager.py --style STYLE --episodes FILE: PACIA in eager PyTorch, which measures one unit for each line.

Reads lines and answers each with a line of JSON, as `pacia bench --serve` does, on
the episodes that it wrote:

    step N        training step N, counted from 0
    evaluate N    test task N: adapt to its support set, rank its queries
    peak          the fastest matrix products that torch has on this device
    memory        the most memory that this program had, in bytes: the device's, or for the CPU the process's

--check FIXTURE compares both styles with what the published code computes instead.
"""

import argparse
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import torch

import check
import episodes
import peak
from tasks import Tasks
from together import Together

STYLES = {"tasks": Tasks, "together": Together}

# Values of the `reference` preset.
LEARNING_RATE, WEIGHT_DECAY, CLIP_NORM = 0.0006, 5e-5, 1.0

CHOICES = 3  # steps with each form, to find the faster one


class Server:
    """A model, its optimiser, and the episodes in the style's own form."""

    def __init__(self, style: str, path: Path, device: torch.device, rounded: bool = False) -> None:
        """With rounded, products round their factors to bf16, by autocast."""
        torch.manual_seed(0)
        every = episodes.read(path)
        self.device, self.rounded = device, rounded
        self.model = STYLES[style]().to(device)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY,
                                           fused=device.type == "cuda")
        self.steps = episodes.moved([self.model.prepare(step) for step in every.steps], device)
        self.tests = episodes.moved([self.model.prepare_test(test) for test in every.tests], device)
        self.products = self.choose() if isinstance(self.model, Together) else "mm"

    def choose(self) -> str:
        """Choose the form of the large products with which a step is faster."""
        best = {False: float("inf"), True: float("inf")}
        for convolution in (False, True) * CHOICES:
            self.model.convolution = convolution
            best[convolution] = min(best[convolution], self.answer("step 0")["seconds"])
        self.model.convolution = best[True] < best[False]
        return "1x1 convolutions" if self.model.convolution else "mm"

    def step(self, number: int) -> dict[str, Any]:
        self.model.train()
        self.optimiser.zero_grad()
        with self.precision():
            loss = self.model.loss(self.steps[number])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP_NORM)
        self.optimiser.step()
        return {"loss": loss.item()}

    @torch.inference_mode()
    def evaluate(self, number: int) -> dict[str, Any]:
        self.model.eval()
        with self.precision():
            return {"queries": len(self.model.scores(self.tests[number]))}

    def precision(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.rounded)

    def memory(self) -> int:
        if self.device.type == "cuda":
            return torch.cuda.max_memory_allocated()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def answer(self, line: str) -> dict[str, Any]:
        match line.split():
            case ["peak"]:
                return peak.measure(self.device)
            case ["memory"]:
                return {"bytes": self.memory()}
            case ["step", number]:
                measured = self.step
            case ["evaluate", number]:
                measured = self.evaluate
            case _:
                sys.exit(f"eager: {line.strip()!r} is nothing to measure; write step N, evaluate N, peak or memory")
        begun, used = time.perf_counter(), time.process_time()
        result = measured(int(number))
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        seconds, processor = time.perf_counter() - begun, time.process_time() - used
        return {"seconds": seconds, "processor_seconds": processor} | result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--style", choices=STYLES, default="together")
    parser.add_argument("--episodes", type=Path, help="the file that pacia bench --serve wrote")
    parser.add_argument("--device", type=torch.device, default="cpu")
    parser.add_argument("--tf32", action="store_true", help="products of the GPU round their factors to TF32")
    parser.add_argument("--bf16", action="store_true", help="products round their factors to bfloat16")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--check", type=Path, metavar="FIXTURE")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = arguments.tf32
    if arguments.check:
        sys.exit(0 if check.run(arguments.check) else 1)
    if not arguments.episodes:
        parser.error("--episodes is missing")
    server = Server(arguments.style, arguments.episodes, arguments.device, arguments.bf16)
    respond({"style": arguments.style, "products": server.products,
         "torch": torch.__version__, "threads": torch.get_num_threads()})
    for line in sys.stdin:
        respond(server.answer(line))


def respond(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("eager: interrupted")
