"""Gateways: where tokens part. (Where they meet: see `quantities` and `inclusive`.).

Source: BPMN 2.0.2 13.4; DSL reference, Switch, Fork.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Choice, Fork, Join
from diglot.runtime.faults import fault

from .registry import passes

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan

    from .frame import Frame, Routes
    from .step import Step


@passes(Choice)
def choose(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """The first branch whose condition is true, else the default, else an error."""
    branches, default = plan.parts
    for is_true, routes in branches:
        if is_true(step, frame, frame.input):
            return frame.input, routes
    if default is None:
        raise fault("runtime", "no branch is true and there is no default")
    return frame.input, default


@passes(Fork)
def fork(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """Every flow gets a token with the same data."""
    return frame.input, None


@passes(Join)
def join(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """The tokens that were waited for have been gathered already."""
    return frame.input, None
