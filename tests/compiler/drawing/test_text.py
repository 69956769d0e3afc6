"""Texts of authors are made harmless, and fit into their rooms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.drawing.text import clean, fit, fit_into, one_line, xml
from diglot.compiler.layout import Bounds


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Pay", "Pay"),
        ("  Pay\nnow ", "Pay\nnow"),
        ("a\x00b\x1bc\x7f", "abc"),
        ("safe\u202etxt.exe", "safetxt.exe"),
        ("a\ud800b\uffff", "ab"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 3),
        ("\u6ce8\u6587", "\u6ce8\u6587"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    ],
)
def test_a_text_is_without_what_would_do_harm(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_a_text_is_cut() -> None:
    assert clean("x" * 5_000, 10) == "x" * 9 + "\u2026"


def test_a_line_has_single_spaces() -> None:
    assert one_line("  a\n\n b\t c ") == "a b c"


def test_marks_of_xml_are_escaped() -> None:
    assert xml('<a href="x">&') == "&lt;a href=&quot;x&quot;&gt;&amp;"


def test_a_short_text_is_large() -> None:
    assert fit("Pay", 90, 60) == (("Pay",), 12)


def test_a_text_shrinks_rather_than_break_a_word() -> None:
    fitted = fit("Telecommunications", 101, 60)
    assert (fitted.lines, fitted.size) == (("Telecommunications",), 11)


def test_a_word_that_is_too_long_in_any_size_is_broken() -> None:
    fitted = fit("Donaudampfschifffahrtsgesellschaft", 90, 60)
    assert fitted.size == 12
    assert len(fitted.lines) == 3


def test_a_text_that_is_too_long_in_any_size_is_cut() -> None:
    fitted = fit("word " * 50, 90, 60)
    assert fitted.size == 10
    assert fitted.lines[-1].endswith("\u2026")


def test_a_text_goes_into_the_first_room_where_nothing_is_in_its_way() -> None:
    sign = Bounds(0, 0, 25, 25)
    whole, below = Bounds(5, 5, 90, 70), Bounds(5, 25, 90, 50)

    assert fit_into("Pay", (whole, below), [sign])[1] == whole
    text = "Ask the customer about his order and write down what he says"
    assert fit_into(text, (whole, below), [sign])[1] == below


@given(st.text(max_size=300), st.floats(20, 300), st.floats(12, 200))
def test_what_is_fitted_is_in_its_room(text: str, width: float, height: float) -> None:
    fitted = fit(text, width, height)
    assert fitted.height <= max(height + 1, 12 * 1.2)
