"""Run the benchmarks by name, or all of them."""

from __future__ import annotations

import importlib
import sys

NAMES = (
    "compile",
    "pure",
    "expressions",
    "bpmn",
    "inclusive_join",
    "multi_instance",
    "work",
    "flat",
    "timers",
    "layout",
    "checkers",
)


def main(names: list[str]) -> None:
    """Run them one after the other."""
    for name in names or NAMES:
        print(f"== {name}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    sys.path.insert(0, str(__import__("pathlib").Path(__file__).resolve().parent.parent))
    main(sys.argv[1:])
