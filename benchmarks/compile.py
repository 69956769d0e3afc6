"""From text to checked graph, and the cold start of the command."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from diglot.compiler import compile_source

ROUNDS = 50
ROOT = Path(__file__).resolve().parent.parent


def suites() -> Path:
    """Where other people's files are."""
    return Path(os.environ.get("DIGLOT_SUITES", ROOT.parent / "shared" / "suites"))


def largest() -> Path | None:
    """The largest official example, if the suites are there."""
    found = sorted(suites().glob("serverless-workflow/*/examples/*.yaml"))
    return max(found, key=lambda path: path.stat().st_size, default=None)


def compile_ms(path: Path) -> float:
    """Median milliseconds to compile a file, after one warm-up."""
    text = path.read_text()
    compile_source(text, path.name)
    times: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        compile_source(text, path.name)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def cold_start_s(arguments: list[str]) -> float:
    """Median seconds of a whole process."""
    times: list[float] = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run(arguments, capture_output=True, check=False)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    """Print what was measured."""
    order = ROOT / "examples" / "order.yaml"
    for path in filter(None, (largest(), order)):
        size = path.stat().st_size
        print(f"compile {path.name:<40} {size:6} bytes  {compile_ms(path):7.2f} ms")
    check = cold_start_s([sys.executable, "-m", "diglot.api.cli", "check", str(order)])
    nothing = cold_start_s([sys.executable, "-c", "pass"])
    print(f"diglot check, whole process {check:.3f} s; python alone {nothing:.3f} s")


if __name__ == "__main__":
    main()
