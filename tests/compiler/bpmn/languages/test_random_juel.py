"""Random JUEL means to jq what it means to a direct evaluator of the same tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.bpmn.languages import Refusal, translate
from diglot.compiler.expressions import ExpressionError, compile_jq


class Fault(Exception):
    """The evaluation fails."""


@dataclass(frozen=True)
class Part:
    """Some JUEL, in parentheses where that matters, and what it is worth."""

    text: str
    value: Callable[[dict[str, Any]], Any]


def kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "list" if isinstance(value, list) else "object"


def want(value: Any, *kinds: str) -> Any:
    if kind(value) not in kinds:
        raise Fault
    return value


def equal(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    if kind(left) != kind(right):
        raise Fault
    return bool(left == right)


def less(left: Any, right: Any) -> bool:
    if kind(left) != kind(right) or kind(left) not in ("number", "string"):
        raise Fault
    return bool(left < right)


def literal(text: str, value: Any) -> Part:
    return Part(text, lambda _variables: value)


def name(word: str) -> Part:
    return Part(word, lambda variables: variables.get(word))


LEAVES = st.one_of(
    st.sampled_from([name(word) for word in "abcd"]),
    st.sampled_from(
        [
            literal("0", 0),
            literal("2", 2),
            literal("1.5", 1.5),
            literal("'x'", "x"),
            literal('"y"', "y"),
            literal("''", ""),
            literal("true", True),
            literal("false", False),
            literal("null", None),
        ]
    ),
)

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": equal,
    "eq": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": less,
    "gt": lambda left, right: less(right, left),
    "<=": lambda left, right: not less(right, left),
    "ge": lambda left, right: not less(left, right),
}
COUNTS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}


def compared(left: Part, sign: str, right: Part) -> Part:
    compare = COMPARISONS[sign]
    return Part(
        f"({left.text} {sign} {right.text})",
        lambda variables: compare(left.value(variables), right.value(variables)),
    )


def counted(left: Part, sign: str, right: Part) -> Part:
    count = COUNTS[sign]
    return Part(
        f"({left.text} {sign} {right.text})",
        lambda variables: count(
            want(left.value(variables), "number"), want(right.value(variables), "number")
        ),
    )


def both(left: Part, right: Part) -> Part:
    return Part(
        f"({left.text} && {right.text})",
        lambda variables: (
            want(left.value(variables), "boolean") and want(right.value(variables), "boolean")
        ),
    )


def either(left: Part, right: Part) -> Part:
    return Part(
        f"({left.text} or {right.text})",
        lambda variables: (
            want(left.value(variables), "boolean") or want(right.value(variables), "boolean")
        ),
    )


def chosen(condition: Part, yes: Part, no: Part) -> Part:
    return Part(
        f"({condition.text} ? {yes.text} : {no.text})",
        lambda variables: (yes if want(condition.value(variables), "boolean") else no).value(
            variables
        ),
    )


def negated(part: Part) -> Part:
    return Part(f"!{part.text}", lambda variables: not want(part.value(variables), "boolean"))


def emptied(part: Part) -> Part:
    return Part(
        f"(empty {part.text})", lambda variables: part.value(variables) in (None, "", [], {})
    )


def held(part: Part) -> Part:
    def ask(variables: dict[str, Any]) -> bool:
        return "x" in want(part.value(variables), "string", "list")

    return Part(f"({part.text}).contains('x')", ask)


def larger(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    return st.one_of(
        st.builds(compared, parts, st.sampled_from(sorted(COMPARISONS)), parts),
        st.builds(counted, parts, st.sampled_from(sorted(COUNTS)), parts),
        st.builds(both, parts, parts),
        st.builds(either, parts, parts),
        st.builds(chosen, parts, parts, parts),
        st.builds(negated, parts),
        st.builds(emptied, parts),
        st.builds(held, parts),
    )


TREES = st.recursive(LEAVES, larger, max_leaves=8)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.5, "", "x", "y", "axb", [], ["x"], [1]]),
)
VARIABLES = st.dictionaries(st.sampled_from("abcd"), VALUES)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TREES, VARIABLES)
def test_random_juel_means_what_a_direct_evaluator_says(
    tree: Part, variables: dict[str, Any]
) -> None:
    found = translate(tree.text, "juel")

    if isinstance(found, Refusal):
        # It has an operation that always fails, be it in a part that is never reached.
        assert found.kind == "type"
        return
    program = compile_jq(found.text)
    assert program.plain
    try:
        expected = tree.value(variables)
    except Fault:
        try:
            result = program.evaluate(variables, {})
        except ExpressionError:
            return
        raise AssertionError(f"{result} instead of an error") from None
    assert program.evaluate(variables, {}) == [expected]
