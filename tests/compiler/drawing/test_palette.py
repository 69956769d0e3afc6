"""Authors' colours are theirs in light surroundings, and can be read in dark ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.drawing import to_svg
from diglot.compiler.drawing.palette import Palette
from diglot.compiler.drawing.theme import READABLE, THEMES, contrast
from support.diagrams import SVG, group_of, label, parsed, picture, shape

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
LIGHT, DARK = THEMES["light"], THEMES["dark"]


def _dark(palette: Palette, name: str) -> str:
    return palette.rules[name].partition(":")[2]


def test_a_colour_is_as_its_author_gave_it_on_light_paper() -> None:
    palette = Palette(LIGHT)
    assert palette.fill("#ffe0b2").attribute == 'fill="#ffe0b2"'
    assert palette.ink("#6b3c00", "#ffe0b2").attribute == 'color="#6b3c00"'


@given(COLOURS, COLOURS)
def test_ink_can_be_read_on_any_fill_in_dark_surroundings(ink: str, fill: str) -> None:
    palette = Palette(LIGHT)
    on = _dark(palette, palette.fill(fill).name)
    for colour in (ink, ""):
        assert contrast(_dark(palette, palette.ink(colour, fill).name), on) >= READABLE


@given(COLOURS, COLOURS)
def test_a_text_can_be_read_on_any_fill(ink: str, fill: str) -> None:
    shown = Palette(LIGHT).ink(ink, fill, is_text=True).attribute
    assert contrast(shown[7:14], fill) >= READABLE


@pytest.mark.parametrize(("light", "dark"), [("#ffffff", DARK.surface), ("#f7f7f7", DARK.surface)])
def test_white_is_no_colour(light: str, dark: str) -> None:
    palette = Palette(DARK)
    assert palette.fill(light).attribute == f'fill="{dark}"'
    assert palette.ink("#000000").attribute == f'color="{DARK.ink}"'


def test_a_fill_is_dark_in_dark_surroundings_and_keeps_its_hue() -> None:
    shown = Palette(DARK).fill("#9eddff").attribute[6:13]
    red, green, blue = (int(shown[at : at + 2], 16) for at in (1, 3, 5))
    assert red < green < blue < 110


def test_a_label_on_a_coloured_ground_has_that_colour_around_it() -> None:
    one = picture(
        "<subProcess id='a'><startEvent id='b' name='Here'/></subProcess>",
        shape("a", 0, 0, 300, 200, "isExpanded='true' bioc:fill='#9eddff'"),
        shape("b", 100, 80, 36, 36, ">" + label(90, 120, 60, 14)),
    )
    svg = to_svg(one)
    (text,) = [text for text in parsed(svg).iter(f"{SVG}text") if text.text == "Here"]
    assert text.attrib["stroke"] == "#9eddff"
    assert group_of(svg, "a").attrib["fill"] == "#9eddff"


def test_an_explicit_dark_picture_needs_no_style_sheet_for_its_colours() -> None:
    one = picture("<task id='a'/>", shape("a", 0, 0, 100, 80, "bioc:fill='#9eddff'"))
    fill = group_of(to_svg(one, theme="dark"), "a").attrib["fill"]
    assert fill != "#9eddff"


def test_a_class_means_the_same_in_every_picture() -> None:
    """The style sheets of all pictures of a page are one."""
    one, other = Palette(LIGHT), Palette(LIGHT)
    one.fill("#9eddff")
    other.ink("#6b3c00")
    names = [palette.ink("#0d4372", "#9eddff").name for palette in (one, other)]
    assert names[0] == names[1]
    assert one.rules[names[0]] == other.rules[names[1]]
