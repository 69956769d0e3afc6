"""The colours of authors, as they are on light paper and as they become on dark.

On dark paper a fill keeps its hue and loses its light, so that lines and texts over it are light;
white and black, which many tools write for no colour at all, are those of the theme.
"""

from __future__ import annotations

import colorsys
from typing import Final, NamedTuple

from .theme import THEMES, Theme, is_dark, readable

#: With which letter the classes of each property begin.
_LETTERS: Final = {"fill": "f", "color": "c", "stroke": "l"}
_DARK: Final = THEMES["dark"]
#: What differs so little between its parts is white, grey or black.
_GREY: Final = 0.06


class Paint(NamedTuple):
    """A class and an attribute: the one is for surroundings that turn dark."""

    name: str
    attribute: str


def painted(*paints: Paint) -> str:
    """The attributes of something with these paints."""
    names = " ".join(dict.fromkeys(paint.name for paint in paints))
    return f'class="{names}" ' + " ".join(paint.attribute for paint in paints)


class Palette:
    """The colours that a drawing has used so far, by their classes."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        #: What each class is in dark surroundings.
        self.rules: dict[str, str] = {}

    def fill(self, colour: str) -> Paint:
        """The inside of a shape."""
        return self._paint("fill", colour, _dimmed(colour))

    def ink(self, colour: str, on: str = "", *, is_text: bool = False) -> Paint:
        """Lines, or texts, on a fill or on paper; without a colour that of the ink."""
        light = colour or THEMES["light"].ink
        if is_text or not colour:
            light = readable(light, on or THEMES["light"].paper)
        aim = colour if colour and _chroma(colour) > _GREY else _DARK.ink
        return self._paint("color", light, readable(aim, _dimmed(on) if on else _DARK.paper))

    def behind(self, colour: str) -> Paint:
        """A line in the colour of a fill: what is knocked out, or stands around letters."""
        return self._paint("stroke", colour, _dimmed(colour))

    def _paint(self, what: str, light: str, dark: str) -> Paint:
        # Pictures that stand on one page share their rules: a name means the same in all of them.
        name = f"{_LETTERS[what]}{dark[1:]}"
        self.rules[name] = f"{what}:{dark}"
        shown = dark if is_dark(self._theme.paper) else light
        return Paint(name, f'{what}="{shown}"')


def _dimmed(fill: str) -> str:
    """A fill in dark surroundings."""
    if is_dark(fill):
        return fill
    chroma = _chroma(fill)
    if chroma <= _GREY:
        return _DARK.surface
    hue, _, _ = colorsys.rgb_to_hls(*_parts(fill))
    # The stronger the colour, the more is left of it.
    made = colorsys.hls_to_rgb(hue, 0.14 + chroma * 0.12, min(0.25 + chroma * 0.6, 0.7))
    return "#" + "".join(f"{round(part * 255):02x}" for part in made)


def _chroma(colour: str) -> float:
    parts = _parts(colour)
    return max(parts) - min(parts)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
