"""Everything can be read, in light and in dark surroundings."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.drawing.states import STATUSES
from diglot.compiler.drawing.theme import (
    READABLE,
    THEMES,
    Name,
    contrast,
    is_dark,
    readable,
    style_sheet,
)

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.parametrize("name", get_args(Name))
def test_ink_is_read_on_every_surface(name: Name) -> None:
    theme = THEMES[name]
    surfaces = [theme.paper, theme.surface, theme.band]
    surfaces += [theme.states[status].fill for status in STATUSES]
    assert min(contrast(theme.ink, surface) for surface in surfaces) >= 7


@pytest.mark.parametrize("name", get_args(Name))
def test_signs_of_states_stand_out(name: Name) -> None:
    theme = THEMES[name]
    for status in STATUSES:
        tint = theme.states[status]
        assert contrast(tint.ink, theme.paper) >= READABLE
        assert contrast(tint.ink, tint.fill) >= READABLE


def test_contrast_is_what_wcag_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@given(COLOURS, COLOURS)
def test_any_colour_can_be_made_readable_on_any_other(colour: str, on: str) -> None:
    assert contrast(readable(colour, on), on) >= READABLE


def test_a_readable_colour_stays_as_it_is() -> None:
    assert readable("#0d4372", "#ffffff") == "#0d4372"


def test_dark_is_where_white_is_read_better() -> None:
    assert is_dark("#14181d")
    assert not is_dark("#ffe0b2")


def test_the_style_sheet_turns_what_is_shown() -> None:
    sheet = style_sheet({"k0": "color:#0d4372"}, ["failed"])
    assert sheet.count("{") == sheet.count("}")
    assert ".k0{color:#0d4372}" in sheet
    assert ".failed{color:" in sheet
    assert ".done" not in sheet
