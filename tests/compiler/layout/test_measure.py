"""Texts are measured and broken as a reader's font will set them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.layout import Size
from diglot.compiler.layout.measure import even, label_size, text_width, wrap

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Mn", "Me", "Cf", "Cc"]))


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("Hello", 722 + 556 + 222 + 222 + 556),
        ("Wi", 944 + 222),
        ("\u00e9", 556),
        ("e\u0301", 556),
        ("\u6ce8\u6587", 2000),
        ("\uff21", 1000),
    ],
)
def test_a_text_is_as_wide_as_its_letters(text: str, width: int) -> None:
    assert text_width(text, size=1000) == width


def test_a_width_grows_with_the_size() -> None:
    assert text_width("Order", size=24) == 2 * text_width("Order")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("  \n ", ()),
        ("Check the order", ("Check the", "order")),
        ("Check\nthe order", ("Check", "the order")),
        ("one\n\ntwo", ("one", "", "two")),
        ("tabs\tand   blanks", ("tabs and", "blanks")),
        ("a multi-instance body", ("a multi-", "instance", "body")),
        ("customerOrderCheck", ("customer", "Order", "Check")),
        ("HTTPServerFault", ("HTTP", "Server", "Fault")),
        ("customer_credit_check", ("customer_", "credit_", "check")),
        ("io.diglot.orders.v1", ("io.diglot.", "orders.v1")),
        ("\u6ce8\u6587\u306e\u78ba\u8a8d\u3002", ("\u6ce8\u6587\u306e\u78ba", "\u8a8d\u3002")),
    ],
)
def test_lines_are_broken_where_a_reader_would(text: str, lines: tuple[str, ...]) -> None:
    assert wrap(text, 62) == lines


def test_a_word_without_any_joint_is_broken_anywhere() -> None:
    lines = wrap("x" * 25, 60)
    assert lines == ("x" * 10, "x" * 10, "x" * 5)


def test_a_mark_stays_with_its_letter() -> None:
    lines = wrap("e\u0301" * 3, 7)
    assert lines == ("e\u0301",) * 3


@pytest.mark.parametrize(
    ("most", "lines"),
    [
        (3, ("Check the", "order of the", "customer")),
        (2, ("Check the", "order of the\u2026")),
        (1, ("Check the\u2026",)),
        (0, ()),
    ],
)
def test_what_is_too_long_ends_with_an_ellipsis(most: int, lines: tuple[str, ...]) -> None:
    assert wrap("Check the order of the customer", 80, most=most) == lines


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Service Task 3", 70, ("Service", "Task 3")),
        ("Pay", 70, ("Pay",)),
        ("Call Activity calling a global task", 90, ("Call Activity", "calling a", "global task")),
        ("Telecommunications a", 112, ("Telecommunications", "a")),
        ("one\ntwo three", 70, ("one", "two three")),
    ],
)
def test_even_lines_leave_no_word_alone(text: str, width: float, lines: tuple[str, ...]) -> None:
    assert even(text, width) == lines


@given(TEXTS, st.floats(20, 200), st.integers(1, 4))
def test_even_lines_are_no_more_and_no_wider(text: str, width: float, most: int) -> None:
    plain, lines = wrap(text, width, most=most), even(text, width, most=most)
    assert len(lines) == len(plain)
    assert "".join("".join(lines).split()) == "".join("".join(plain).split())
    assert max(map(text_width, lines), default=0) <= max(map(text_width, plain), default=0) + 1e-9


@given(TEXTS, st.floats(20, 200), st.none() | st.integers(1, 4))
def test_no_line_is_wider_than_its_room(text: str, width: float, most: int | None) -> None:
    lines = wrap(text, width, most=most)
    assert all(text_width(line) <= width + 1e-6 for line in lines)
    assert most is None or len(lines) <= most


@given(TEXTS, st.floats(1, 200))
def test_nothing_is_lost_but_white_space(text: str, width: float) -> None:
    assert "".join("".join(wrap(text, width)).split()) == "".join(text.split())


def test_a_label_takes_the_room_of_its_lines() -> None:
    assert label_size("") == Size(0, 0)
    assert label_size("Paid?") == Size(29, 14)
    assert label_size("Is the order paid by the customer?") == Size(85, 27)


def test_a_paragraph_beside_a_shape_is_cut() -> None:
    assert label_size("word " * 1000).height == label_size("word " * 24).height
