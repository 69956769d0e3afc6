"""Random FEEL means to jq what it means to a direct evaluator of the same tree: it never fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.bpmn.languages import Translation, translate
from diglot.compiler.expressions import compile_jq

Scope = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Some FEEL, in parentheses where that matters, and what it is worth."""

    text: str
    value: Callable[[Scope], Any]


def kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "list" if isinstance(value, list) else "context"


def every(values: list[Any]) -> bool | None:
    if any(value is False for value in values):
        return False
    return True if all(value is True for value in values) else None


def some(values: list[Any]) -> bool | None:
    if any(value is True for value in values):
        return True
    return False if all(value is False for value in values) else None


def opposite(value: Any) -> bool | None:
    return not value if isinstance(value, bool) else None


def equal(left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return left is right
    if kind(left) != kind(right):
        return None
    if kind(left) == "list":
        if len(left) != len(right):
            return False
        return every([equal(left[at], right[at]) for at in range(len(left))])
    if kind(left) == "context":
        if set(left) != set(right):
            return False
        return every([equal(left[key], right[key]) for key in set(left)])
    return bool(left == right)


def less(left: Any, right: Any) -> bool | None:
    if kind(left) != kind(right) or kind(left) not in ("number", "string"):
        return None
    return bool(left < right)


def plus(left: Any, right: Any) -> Any:
    same = kind(left) == kind(right) and kind(left) in ("number", "string")
    return left + right if same else None


def minus(left: Any, right: Any) -> Any:
    return left - right if kind(left) == kind(right) == "number" else None


def over(left: Any, right: Any) -> Any:
    is_counted = kind(left) == kind(right) == "number"
    return left / right if is_counted and right != 0 else None


def member(base: Any, key: str) -> Any:
    if kind(base) == "context":
        return base.get(key)
    return [member(item, key) for item in base] if kind(base) == "list" else None


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": equal,
    "!=": lambda left, right: opposite(equal(left, right)),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: opposite(less(right, left)),
    ">=": lambda left, right: opposite(less(left, right)),
    "and": lambda left, right: every([left, right]),
    "or": lambda left, right: some([left, right]),
    "+": plus,
    "-": minus,
    "/": over,
}


def literal(text: str, value: Any) -> Part:
    return Part(text, lambda _scope: value)


def name(word: str) -> Part:
    return Part(word, lambda scope: scope.get(word))


LEAVES = st.one_of(
    st.sampled_from([name(word) for word in ("a", "b", "c", "order line")]),
    st.sampled_from(
        [
            literal("0", 0),
            literal("2", 2),
            literal("1.5", 1.5),
            literal('"x"', "x"),
            literal('""', ""),
            literal("true", True),
            literal("false", False),
            literal("null", None),
            literal("[1, 2]", [1, 2]),
            literal("[]", []),
            literal('{"k": 2}', {"k": 2}),
        ]
    ),
)


def operated(left: Part, sign: str, right: Part) -> Part:
    operate = OPERATORS[sign]
    return Part(
        f"({left.text} {sign} {right.text})",
        lambda scope: operate(left.value(scope), right.value(scope)),
    )


def negated(part: Part) -> Part:
    return Part(f"not({part.text})", lambda scope: opposite(part.value(scope)))


def chosen(condition: Part, yes: Part, no: Part) -> Part:
    return Part(
        f"(if {condition.text} then {yes.text} else {no.text})",
        lambda scope: (yes if condition.value(scope) is True else no).value(scope),
    )


def reached(part: Part) -> Part:
    return Part(f"({part.text}).k", lambda scope: member(part.value(scope), "k"))


def each(word: str, source: Part, variable: str, body: Part) -> Part:
    def ask(scope: Scope) -> Any:
        items = source.value(scope)
        if kind(items) != "list":
            return None
        found = [body.value({**scope, variable: item}) for item in items]
        return found if word == "for" else (some if word == "some" else every)(found)

    between = "return" if word == "for" else "satisfies"
    return Part(f"({word} {variable} in {source.text} {between} {body.text})", ask)


def within(part: Part, low: Part, high: Part) -> Part:
    def ask(scope: Scope) -> Any:
        value = part.value(scope)
        above = opposite(less(value, low.value(scope)))
        return every([above, less(value, high.value(scope))])

    return Part(f"({part.text} in [{low.text}..{high.text}))", ask)


def filtered(source: Part, condition: Part) -> Part:
    def ask(scope: Scope) -> Any:
        items = source.value(scope)
        if items is None:
            return None
        found: list[Any] = []
        for item in items if kind(items) == "list" else [items]:
            inner: Scope = {**scope, **item} if kind(item) == "context" else scope
            # The entries of the item hide outer names, and `item` is the item itself.
            if condition.value({**inner, "item": item}) is True:
                found.append(item)
        return found

    return Part(f"({source.text})[({condition.text}) = true]", ask)


def larger(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    return st.one_of(
        st.builds(operated, parts, st.sampled_from(sorted(OPERATORS)), parts),
        st.builds(negated, parts),
        st.builds(chosen, parts, parts, parts),
        st.builds(reached, parts),
        st.builds(
            each, st.sampled_from(["for", "some", "every"]), parts, st.sampled_from("xa"), parts
        ),
        st.builds(within, parts, parts, parts),
        st.builds(filtered, parts, parts),
    )


TREES = st.recursive(LEAVES, larger, max_leaves=8)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.5, 1.5, "", "x", "xy"])
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.sampled_from("ak"), SCALARS),
    st.lists(st.dictionaries(st.sampled_from("ak"), SCALARS), max_size=3),
)
VARIABLES = st.dictionaries(st.sampled_from(["a", "b", "c", "order line"]), VALUES)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TREES, VARIABLES)
def test_random_feel_means_what_a_direct_evaluator_says(tree: Part, variables: Scope) -> None:
    found = translate(tree.text, "feel")

    assert isinstance(found, Translation), found
    program = compile_jq(found.text)
    assert program.plain
    assert program.evaluate(variables, {}) == [tree.value(variables)]
