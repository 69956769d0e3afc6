"""Conditions that decide nothing: constant ones, the same one twice, one behind a wider one.

Source: DSL reference, Switch; BPMN 2.0.2 13.4.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Related, Severity
from diglot.compiler.expressions import tree
from diglot.compiler.graph import Choice
from diglot.compiler.graph.sites import CONDITIONS

from .claims import Claim, claims_of, follows, shape
from .findings import Finding
from .flowing import Flowing
from .inference import Env, Inference
from .joining import coarser
from .model import BOOLEAN, NULL, may_be_true, may_be_untrue
from .seen import Seen

#: A switch with more cases is compared only for the same condition twice.
_MOST_CASES: Final = 60
#: Where a plain true or false is how an author says always or never.
_PLAIN: Final = frozenset(("while", "until", "completion"))


def constant(seen: Seen, flowing: Flowing) -> Iterator[Finding]:
    """A condition that is always true or always false."""
    results = seen.results
    if seen.place not in CONDITIONS or not results.is_one or seen.place == "completion":
        return
    kinds = results.type.kinds
    if not kinds & BOOLEAN or kinds & ~(BOOLEAN | NULL):
        return
    if (isinstance(seen.program, tree.Literal) and seen.place in _PLAIN) or any(
        note.kind != "unnamed" for note in seen.notes
    ):
        return
    if seen.expression.source_language != "jq":
        return
    is_true, is_untrue = may_be_true(results.type), may_be_untrue(results.type)
    if is_true == is_untrue:
        return
    yield Finding(
        codes.CONDITION_DECIDES_NOTHING,
        seen,
        0,
        len(seen.expression.text),
        {"outcome": "true" if is_true else "false"},
        severity=None if _is_by_itself(seen) else Severity.INFO,
    )


def _is_by_itself(seen: Seen) -> bool:
    """Whether a condition is constant for other values of these kinds, too.

    One that depends on a value which a task lays down may be a switch that somebody turns by hand.
    """
    if _compares_with_several(seen):
        return True
    inference = Inference()
    env = Env(lambda _name: coarser(seen.dot))
    if any(isinstance(part, tree.Variable) for part in _parts(seen.program)):
        return False
    found = inference.of(seen.program, coarser(seen.dot), env).type
    return may_be_true(found) != may_be_untrue(found)


def _compares_with_several(seen: Seen) -> bool:
    """Whether a side of the comparison has several values, of which it never is this one."""
    if not isinstance(seen.program, tree.Comparison):
        return False
    env = Env(lambda _name: seen.dot)
    for side in (seen.program.left, seen.program.right):
        found = Inference().of(side, seen.dot, env).type
        if found.texts is not None and len(found.texts) > 1:
            return True
    return False


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    rest = [node]
    while rest:
        part = rest.pop()
        yield part
        rest.extend(tree.children(part))


class _Case:
    """One way of a choice that has a condition."""

    def __init__(self, name: str, seen: Seen) -> None:
        self.name = name
        self.seen = seen
        is_own = seen.expression.source_language == "jq"
        #: What makes the condition the same as another.
        self.shape: Any = (
            shape(seen.program) if is_own else " ".join((seen.expression.source or "").split())
        )
        self.claims: tuple[Claim, ...] = claims_of(seen.program) if is_own else ()


def compared(flowing: Flowing, node: Choice, seen: Sequence[Seen]) -> Iterator[Finding]:
    """Conditions of one choice that leave nothing to each other."""
    cases = _cases(flowing, node, seen)
    first: dict[Any, _Case] = {}
    told: set[int] = set()
    for place, case in enumerate(cases):
        known = first.setdefault(case.shape, case)
        if known is not case:
            told.add(place)
            yield _behind(codes.CONDITION_TWICE, known, case)
    if len(cases) > _MOST_CASES:
        return
    for place, case in enumerate(cases):
        if place in told or not case.claims:
            continue
        for earlier in cases[:place]:
            if earlier.claims and follows(case.claims, earlier.seen.program):
                yield _behind(codes.CASE_NEVER_TAKEN, earlier, case)
                break
    yield from _covered(flowing, node, cases)


def _cases(flowing: Flowing, node: Choice, seen: Sequence[Seen]) -> list[_Case]:
    flows = {flow.id: flow for flow in flowing.leaving.get(node.id, ())}
    by_place = {id(one.expression): one for one in seen}
    cases: list[_Case] = []
    for name in node.branches:
        flow = flows.get(name)
        if flow is None or flow.condition is None or name == node.default:
            continue
        one = by_place.get(id(flow.condition))
        if one is not None and one.expression.span is not None:
            target = flowing.nodes.get(flow.target)
            called = flow.name or (target.name or target.id if target is not None else flow.id)
            cases.append(_Case(called, one))
    return cases


def _behind(code: Code, first: _Case, second: _Case) -> Finding:
    related = Related(
        message=f"`{first.name}` comes first",
        span=first.seen.expression.span,
        pointer=first.seen.pointer,
    )
    return Finding(
        code,
        second.seen,
        0,
        len(second.seen.expression.text),
        {"first": first.name, "second": second.name},
        related=(related,),
    )


def _covered(flowing: Flowing, node: Choice, cases: Sequence[_Case]) -> Iterator[Finding]:
    """A default behind two conditions that are each other's opposite."""
    default = next(
        (flow for flow in flowing.leaving.get(node.id, ()) if flow.id == node.default), None
    )
    # A list of tasks goes on by itself where no case holds, which nobody has written.
    if default is None or (not default.name and node.id.startswith("/")):
        return
    known: dict[Claim, _Case] = {}
    for case in cases:
        if len(case.claims) != 1:
            continue
        opposite = case.claims[0].opposite
        if opposite is not None and opposite in known:
            parameters = {"first": known[opposite].name, "second": case.name}
            yield Finding(
                codes.DEFAULT_NEVER_TAKEN,
                case.seen,
                0,
                len(case.seen.expression.text),
                parameters,
            )
            return
        known[case.claims[0]] = case
