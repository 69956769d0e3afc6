from __future__ import annotations

import pytest

from diglot.compiler.checks.complements import is_one_true
from diglot.compiler.graph import Expression


def expressions(*texts: str) -> list[Expression]:
    return [Expression(text="jq", source=text, source_language="feel") for text in texts]


@pytest.mark.parametrize(
    "texts",
    [
        ("= approved", "= not(approved)"),
        ("${approved}", "${!approved}"),
        ("${ approved }", "${ not approved }"),
        (".approved", ".approved | not"),
        ("= amount > 100", "= amount <= 100"),
        ("${amount gt 100}", "${amount le 100}"),
        ("amount < 100", "100 <= amount"),
        ('= state = "open"', '= state != "open"'),
        ("${state == 'a and b'}", "${state != 'a and b'}"),
        ("x == true", "x == false"),
        ("approved", "approved == false"),
        ("${approved == true}", "${approved != true}"),
        ("(amount > 100)", "not((amount > 100))"),
        ("a == 1", "b == 2", "a != 1"),
        ("a == 1", "true"),
        ("return trip.isLong();", "return !trip.isLong();"),
        ("${user.knows(token)}", "${!user.knows(token)}"),
    ],
)
def test_of_these_one_is_always_true(texts: tuple[str, ...]) -> None:
    assert is_one_true(expressions(*texts))
    assert is_one_true(expressions(*reversed(texts)))


@pytest.mark.parametrize(
    "texts",
    [
        ("approved", "refused"),
        ("amount > 100", "amount < 100"),
        ("amount > 100", "amount > 100"),
        ('state = "open"', 'state = "shut"'),
        ("a > 1 and b > 1", "a <= 1 and b <= 1"),
        ("${a > 1 && b}", "${!(a > 1)}"),
        ("not(a) or b", "a"),
        ("x == 'a'", "x == 'A'"),
        ("!a == b", "a == b"),
        ("!f(a) + g(b)", "f(a) + g(b)"),
        ("!f(a)(b)c", "f(a)(b)c"),
        ("(a) or (b)", "not((a) or (b))"),
        ("a == 1",),
        ("",),
    ],
)
def test_of_these_none_need_be_true(texts: tuple[str, ...]) -> None:
    assert not is_one_true(expressions(*texts))


def test_the_text_itself_counts_where_it_was_written_in_jq() -> None:
    pair = [Expression(text=".n > 1"), Expression(text=".n <= 1")]

    assert is_one_true(pair)


def test_hostile_texts_are_left_alone() -> None:
    texts = ["(" * 100_000 + "a" + ")" * 100_000, "!" * 100_000 + "a", "a <" * 100_000]

    assert not is_one_true(expressions(*texts, *texts))
