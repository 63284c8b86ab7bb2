"""The checks of first_hour.py that are Go tests, without and with NVIDIA's sanitizers."""

from collections.abc import Callable

import devicetests
from hour import Failed, Found, Hour, LeftOut

PACKAGES = tuple(devicetests.PATTERNS)

# A sanitizer tracks allocations by CUDA. libtorch's allocator requests blocks of 2 to 20 MB
# and divides them itself, so that an access beyond a tensor stays within a block, and
# freed memory stays allocated. Therefore the caching allocator is switched off.
UNCACHED = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}


def made(h: Hour, package: str, pattern: str, prefix: tuple[str, ...] = (), more: dict[str, str] | None = None) -> Found:
    if h.tests is None:
        raise LeftOut("no --tests")
    environment = devicetests.libraries(h.pacia) | ({} if h.dry else {"PACIA_TEST_DEVICE": h.device}) | (more or {})
    done = devicetests.run(h.tests, package, pattern, h.limit, environment, prefix)
    found = devicetests.counted(done)
    h.judge(done)
    if not found["passed"]:
        raise Failed(f"no test of {package} matches {pattern}")
    return found


def of(package: str) -> Callable[[Hour], Found]:
    full, dry = devicetests.PATTERNS[package]
    return lambda h: made(h, package, dry if h.dry else full)


def sanitized(tool: str, package: str, pattern: str) -> Callable[[Hour], Found]:
    def check(h: Hour) -> Found:
        prefix = (h.tool("compute-sanitizer"), f"--tool={tool}", "--error-exitcode=9")
        return made(h, package, pattern, prefix, UNCACHED)
    return check


def illegal_access(h: Hour) -> Found:
    h.gpu_only()
    return made(h, "ops", "IllegalAccess")
