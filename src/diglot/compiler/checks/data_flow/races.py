"""Variables that branches of one split, or runs of one activity, use at the same time."""

from __future__ import annotations

from diglot.compiler import codes
from diglot.compiler.expressions.tree import Literal
from diglot.compiler.graph import Expression, ScopeNode

from ..programs import program_of
from .facts import Facts
from .jq import EXPECTED
from .telling import name_of
from .uses import Use

_MOST = 100


def check_races(facts: Facts) -> None:
    """Report writes beside writes, readings beside writes, and writes of several runs."""
    told: set[tuple[object, ...]] = set()
    for one, other in facts.beside.pairs:
        first, second = _in_order(facts, one, other)
        names = (name_of(first.owner), name_of(second.owner))
        key = (facts.telling.pointer(first), facts.telling.pointer(second), first.name)
        if key in told or len(told) >= _MOST:
            continue
        told.add(key)
        if "read" in (one.kind, other.kind):
            reading, writing = (one, other) if one.kind == "read" else (other, one)
            related = facts.telling.related(writing, f"`{name_of(writing.owner)}` writes it")
            facts.tell(
                codes.READ_BESIDE_WRITE,
                reading,
                related=(related,),
                variable=facts.telling.variable(reading.bit),
                reader=name_of(reading.owner),
                writer=name_of(writing.owner),
            )
            continue
        related = facts.telling.related(first, f"`{names[0]}` writes it")
        facts.tell(
            codes.WRITES_BESIDE_EACH_OTHER,
            second,
            related=(related,),
            variable=facts.telling.variable(second.bit),
            first=names[0],
            second=names[1],
        )
    for use, activity in facts.beside.repeated:
        place = (facts.telling.pointer(use), use.name)
        if place not in told and len(told) < _MOST:
            told.add(place)
            _tell_repeated(facts, use, activity)


def _tell_repeated(facts: Facts, use: Use, activity: ScopeNode) -> None:
    around = Use(("node", activity.id), use.bit, use.name, "write", EXPECTED, False, activity)
    facts.tell(
        codes.WRITTEN_BY_EVERY_RUN,
        use,
        related=(facts.telling.related(around, "Its runs go on at the same time"),),
        variable=facts.telling.variable(use.bit),
        activity=name_of(activity),
    )


def check_completions(facts: Facts) -> None:
    """Report completion conditions of several runs that no run can change."""
    told: set[str] = set()
    for node in facts.graph.nodes:
        if not isinstance(node, ScopeNode) or node.multi is None or node.pointer in told:
            continue
        value = _constant(node.multi.completion)
        if value is None:
            continue
        told.add(node.pointer)
        outcome = "no run ends the others" if not value else "the first run ends all others"
        completion = node.multi.completion
        use = Use(("node", node.id), 0, "", "read", EXPECTED, False, node, completion)
        facts.tell(
            codes.COMPLETION_NEVER_CHANGES,
            use,
            value="true" if value else "false",
            activity=name_of(node),
            outcome=outcome,
        )


def _constant(condition: Expression | None) -> bool | None:
    """The value of a condition that reads nothing, as far as it is written down."""
    if condition is None:
        return None
    program = program_of(condition.text)
    if not isinstance(program, Literal) or not isinstance(program.value, bool):
        return None
    return program.value


def _in_order(facts: Facts, one: Use, other: Use) -> tuple[Use, Use]:
    """Two uses in the order of the document."""
    spans = facts.telling.span(one), facts.telling.span(other)
    if spans[0] is None or spans[1] is None or spans[0].start <= spans[1].start:
        return one, other
    return other, one
