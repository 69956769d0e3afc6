"""Diglot: one workflow, two languages, and it does not forget.

`compile` reads a document, `publish` gives what came of it to an `Engine`, which runs it.

    import diglot

    compiled = diglot.compile(open("order.yaml").read(), "order.yaml")
    engine = diglot.Engine("sqlite:///orders.db")
    (order,) = diglot.publish(engine, compiled)
    instance = engine.start(order, {"id": 7})
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diglot.api.publication import publish
    from diglot.compiler import Compiled
    from diglot.compiler import compile_source as compile
    from diglot.runtime.engine import Engine, Settings
    from diglot.runtime.scheduler import Scheduler
    from diglot.runtime.worker import Worker, WorkerSettings

__all__ = [
    "Compiled",
    "Engine",
    "Scheduler",
    "Settings",
    "Worker",
    "WorkerSettings",
    "compile",
    "publish",
]

#: Where each public name lives; imported when first asked for, so that `diglot check` starts fast.
_HOMES = {
    "Compiled": ("diglot.compiler", "Compiled"),
    "compile": ("diglot.compiler", "compile_source"),
    "publish": ("diglot.api.publication", "publish"),
    "Engine": ("diglot.runtime.engine", "Engine"),
    "Settings": ("diglot.runtime.engine", "Settings"),
    "Scheduler": ("diglot.runtime.scheduler", "Scheduler"),
    "Worker": ("diglot.runtime.worker", "Worker"),
    "WorkerSettings": ("diglot.runtime.worker", "WorkerSettings"),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'diglot' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
