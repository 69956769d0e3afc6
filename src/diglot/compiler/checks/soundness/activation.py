"""When a complex gateway goes on, where that can be told from what has come.

Source: BPMN 2.0.2 13.4.5, Table 13.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from diglot.compiler.expressions import ExpressionError, ExpressionSyntaxError, compile_jq
from diglot.compiler.graph import Expression

#: A gateway that more flows lead to is not looked at, nor one that can be activated in more ways.
_MOST_FLOWS: Final = 8
_MOST_WAYS: Final = 40


def ways_to_activate(activation: Expression, flows: Sequence[str]) -> list[frozenset[str]] | None:
    """The least sets of flows whose tokens are enough; None where `why_open` says why."""
    found = _ways(activation, flows)
    return None if isinstance(found, str) else found


def why_open(activation: Expression, flows: Sequence[str]) -> str:
    """Why nobody can tell which flows are enough; empty where one can."""
    found = _ways(activation, flows)
    return found if isinstance(found, str) else ""


def _ways(activation: Expression, flows: Sequence[str]) -> list[frozenset[str]] | str:
    if _answer(activation, _came(frozenset(), flows)) is None:
        return "its data decide when it goes on"
    if len(flows) > _MOST_FLOWS:
        return "too many flows lead to it"
    least: list[frozenset[str]] = []
    for count in range(1, len(flows) + 1):
        for chosen in map(frozenset, combinations(flows, count)):
            answer = _answer(activation, _came(chosen, flows))
            if answer is None:
                return "its data decide when it goes on"
            covered = any(smaller <= chosen for smaller in least)
            if covered and not answer:
                # More may be too much.
                return "when it goes on hangs on the order in which its flows come"
            if answer and not covered:
                least.append(chosen)
                if len(least) > _MOST_WAYS:
                    return "it may go on in too many ways"
    return least


def _came(chosen: frozenset[str], flows: Sequence[str]) -> dict[str, Any]:
    """What the condition sees once a token has come by each of the chosen flows."""
    counts = {flow: int(flow in chosen) for flow in flows}
    return {"activationCount": len(chosen), "activationCounts": counts}


def is_taken(condition: Expression | None, *, is_start: bool) -> bool | None:
    """Whether a flow is taken when the gateway starts, or is reset; None where data decide."""
    if condition is None:
        return is_start
    return _answer(condition, {"waitingForStart": is_start})


def _answer(condition: Expression, known: Mapping[str, Any]) -> bool | None:
    """What a condition says that looks at nothing else; None if it does."""
    try:
        program = compile_jq(condition.text)
        if program.variables or any(path[0] not in known for path in program.paths()):
            return None
        results = program.evaluate(dict(known), {})
    except (ExpressionError, ExpressionSyntaxError, ValueError):
        return None
    return results == [True]
