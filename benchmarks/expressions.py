"""Expressions: our closures against libjq, on small and large data."""

from __future__ import annotations

import timeit
from functools import partial
from importlib import import_module
from typing import Any

from diglot.compiler.expressions import compile_jq

#: Without types.
jq: Any = import_module("jq")

PROGRAMS = (".customer.id", "{id: .customer.id, n: (.items | length)}", ".customer.id == 7")


def data(items: int) -> dict[str, Any]:
    """A document with so many items."""
    return {
        "customer": {"id": 7, "name": "Ada"},
        "items": [{"sku": f"s{n}", "quantity": n, "price": n / 7} for n in range(items)],
    }


def per_call_us(call: Any) -> float:
    """Microseconds a call, the best of five."""
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    return min(timer.repeat(5, number)) / number * 1e6


def _all(program: Any, value: Any) -> Any:
    return program.input_value(value).all()


def main() -> None:
    """Print what was measured."""
    for items in (1, 200):
        value = data(items)
        for text in PROGRAMS:
            ours, theirs = compile_jq(text), jq.compile(text)
            assert ours.evaluate(value, {}) == theirs.input_value(value).all()
            mine = per_call_us(partial(ours.evaluate, value, {}))
            peer = per_call_us(partial(_all, theirs, value))
            print(
                f"{items:4} items  {text:42} {mine:8.2f} us  "
                f"libjq {peer:8.2f} us  {peer / mine:6.0f}x"
            )


if __name__ == "__main__":
    main()
