"""What a step is given, and what an expression of one visit can see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diglot.compiler.expressions import EvaluatorPool
    from diglot.runtime import events as e
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.secrets import Secrets
    from diglot.runtime.state import State

#: Flows to take, each with the node it leads to.
Routes = tuple[tuple[str, str], ...]

#: How often one command may bring a token to one node of one scope visit before the machine calls
#: it a loop that never waits; and how many visits it may cause in all.
LOOP_BUDGET = 10_000
VISIT_BUDGET = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a step may know of the world: time and chance of the command, and fixed services.

    `observe` is called with each event before it is applied.
    """

    now_ms: int
    seed: int = 0
    secrets: Secrets
    pool: EvaluatorPool | None = None
    runtime: dict[str, Any] = field(default_factory=dict[str, Any])
    loop_budget: int = LOOP_BUDGET
    visit_budget: int = VISIT_BUDGET
    observe: Callable[[State, e.Event], None] | None = None


class Frame:
    """What an expression of one visit can see."""

    __slots__ = (
        "began_ms", "extra", "input", "output", "plan", "raw", "raw_output", "scope",
    )  # fmt: skip

    def __init__(self, plan: NodePlan | None, scope: int, raw: Any, began_ms: int) -> None:
        self.plan = plan
        self.scope = scope
        self.raw = raw
        self.input = raw
        self.output: Any = None
        self.raw_output: Any = None
        self.began_ms = began_ms
        #: Names bound for this evaluation only, such as an error or a loop's item.
        self.extra: dict[str, Any] | None = None
