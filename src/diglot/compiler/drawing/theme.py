"""Colours for light and dark surroundings, and how a picture changes from one to the other.

Everything is drawn in `currentColor` on surfaces of few classes. Attributes give the colours of one
theme, which any viewer understands; the style sheet adds the other where the viewer knows of media
and variables. A page may set the variables `--diglot-paper`, `-surface`, `-band` and `-ink`, all of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

Name = Literal["light", "dark"]
Surface = Literal["paper", "surface", "band", "ink"]


class Tint(NamedTuple):
    """The ink and the surface of a state."""

    ink: str
    fill: str


class Theme(NamedTuple):
    """The colours of one kind of surroundings."""

    paper: str
    surface: str
    band: str
    ink: str
    states: Mapping[str, Tint]


THEMES: Final[Mapping[Name, Theme]] = {
    "light": Theme(
        paper="#ffffff",
        surface="#ffffff",
        band="#eef1f5",
        ink="#20262e",
        states={
            "done": Tint("#1a7f37", "#e6f5ea"),
            "active": Tint("#0b5cad", "#e3effb"),
            "waiting": Tint("#8a5a00", "#fdf1d8"),
            "failed": Tint("#b3261e", "#fce8e6"),
            "skipped": Tint("#5f6873", "#f4f5f7"),
        },
    ),
    "dark": Theme(
        paper="#14181d",
        surface="#1c2229",
        band="#262e38",
        ink="#e3e8ee",
        states={
            "done": Tint("#5cc77f", "#15291c"),
            "active": Tint("#6cb2f5", "#13263a"),
            "waiting": Tint("#e6b450", "#2e2510"),
            "failed": Tint("#ff8a80", "#351a19"),
            "skipped": Tint("#8b95a1", "#1a1f25"),
        },
    ),
}

#: Less contrast than this and text is hard to read. Source: WCAG 2.2, 1.4.3.
READABLE: Final = 4.5


def contrast(one: str, other: str) -> float:
    """How well two colours stand out from each other, from 1 to 21. Source: WCAG 2.2."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def is_dark(colour: str) -> bool:
    """Whether white is read better on it than black."""
    return contrast(colour, "#ffffff") > contrast(colour, "#000000")


def readable(colour: str, on: str) -> str:
    """That colour, or the nearest one to it that can be read on this surface."""
    aim = "#ffffff" if is_dark(on) else "#000000"
    for tenths in range(11):
        nearer = mixed(colour, aim, tenths / 10)
        if contrast(nearer, on) >= READABLE:
            return nearer
    return aim


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def mixed(colour: str, aim: str, share: float) -> str:
    """A colour with so much of another in it, from 0 to 1."""
    parts = (
        round(int(colour[at : at + 2], 16) * (1 - share) + int(aim[at : at + 2], 16) * share)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


#: The classes of surfaces, and which property they set.
_SURFACES: Final[tuple[tuple[str, str, Surface], ...]] = (
    ("p", "fill", "paper"),
    ("s", "fill", "surface"),
    ("b", "fill", "band"),
    ("n", "color", "ink"),
    ("h", "stroke", "paper"),
    ("x", "stroke", "surface"),
)


def style_sheet(colours: Mapping[str, str], states: Iterable[str]) -> str:
    """The rules by which a light picture turns dark.

    `colours` are declarations by their classes, `states` those that are shown.
    """
    dark = THEMES["dark"]
    rules = [
        f".diglot{{{_variables(THEMES['light'])};color:var(--ink)}}",
        *(f".diglot .{name}{{{property}:var(--{of})}}" for name, property, of in _SURFACES),
    ]
    darker = [
        f".diglot{{{_variables(dark)}}}",
        *(f".diglot .{name}{{{declaration}}}" for name, declaration in colours.items()),
    ]
    for state in states:
        tint = dark.states[state]
        darker.append(f".diglot .{state}{{color:{tint.ink}}}")
        darker.append(f".diglot .{state}.filled{{fill:{tint.fill}}}")
    rules.append(f"@media(prefers-color-scheme:dark){{{''.join(darker)}}}")
    return f"@supports(color:var(--a)){{{''.join(rules)}}}"


def _variables(theme: Theme) -> str:
    """The colours of a theme as variables, which a page may have set before."""
    colours = (
        ("paper", theme.paper),
        ("surface", theme.surface),
        ("band", theme.band),
        ("ink", theme.ink),
    )
    return ";".join(f"--{name}:var(--diglot-{name},{colour})" for name, colour in colours)
