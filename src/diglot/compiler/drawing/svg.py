"""A picture as SVG: one text that needs nothing else, and runs nothing.

Two drawings of the same picture are the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from .brush import Brush
from .describe import description_of, title_of, title_of_line
from .lines import draw_label, draw_line
from .palette import Paint, Palette, painted
from .parts import Colours, Label, Line, Picture, Shape
from .pen import group, number, numbers
from .places import is_frame
from .shapes import draw
from .states import NO_STATES, STATUSES, State, badge, corner
from .text import one_line, xml
from .theme import THEMES, Theme, is_dark, style_sheet

#: Families of the widths that texts were measured with.
_FONT: Final = "Arial, Helvetica, Liberation Sans, Arimo, sans-serif"
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")

#: So many frames are looked at for the colour behind a text.
_GROUNDS: Final = 300

Scheme = Literal["auto", "light", "dark"]


class _Setting(NamedTuple):
    """What all pieces of a drawing share."""

    theme: Theme
    states: Mapping[str, State]
    palette: Palette


def to_svg(
    picture: Picture,
    *,
    states: Mapping[str, State] | None = None,
    background: str | None = None,
    theme: Scheme = "auto",
) -> str:
    """Draw a picture; `states` are those of a run, by the ids of elements.

    `background` is a colour as `#rrggbb`, or `none` for what lies behind the picture; without it
    the paper of the theme is painted. The theme `auto` follows the reader's light or dark
    surroundings, unless a colour of the background decides.

    Raises:
        ValueError: the background is neither.
    """
    if background not in (None, "none"):
        if not _COLOUR.fullmatch(background):
            raise ValueError(f"a background is `none` or a colour as #rrggbb, not {background!r}")
        if theme == "auto":
            theme = "dark" if is_dark(background) else "light"
    known = {shape.id for shape in picture.shapes} | {line.id for line in picture.lines}
    shown = {id: one for id, one in (states or NO_STATES).items() if id in known}
    chosen = THEMES["dark" if theme == "dark" else "light"]
    setting = _Setting(chosen, shown, Palette(chosen))
    layers = [layer for layer in _layers(picture, setting) if layer]
    x, y, width, height = picture.bounds
    title = one_line(picture.title) or "Diagram"
    parts = [
        f"<title>{xml(title)}</title>",
        f"<desc>{xml(description_of(picture, shown))}</desc>",
    ]
    if theme == "auto":
        used = [status for status in STATUSES if any(s.status == status for s in shown.values())]
        parts.append(f"<style>{style_sheet(setting.palette.rules, used)}</style>")
    if background != "none":
        paint = f'fill="{background}"' if background else f'class="p" fill="{setting.theme.paper}"'
        box = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        parts.append(f"<rect {box} {paint}/>")
    parts += layers
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" class="diglot"'
        f' viewBox="{numbers(x, y, width, height)}" width="{number(width)}"'
        f' height="{number(height)}" color="{setting.theme.ink}" font-family="{_FONT}"'
        ' stroke-width="1.5" stroke-linejoin="round">' + "\n".join(["", *parts, "</svg>", ""])
    )


# -- what lies over what


def _layers(picture: Picture, setting: _Setting) -> Iterator[str]:
    """From the ground up: pools, what is open, lines, all other shapes, their texts and states."""
    solid = f'class="s" fill="{setting.theme.surface}" stroke="currentColor"'
    bare = 'fill="none" stroke="currentColor"'
    names = {shape.id: shape.name for shape in picture.shapes}
    seen: set[str] = set()
    for layer in (_is_pool, _is_lane, _is_opened):
        # What is deeper lies above; what is as deep keeps the order of the file.
        found = sorted(filter(layer, picture.shapes), key=lambda shape: shape.depth)
        yield _layer((_shape(shape, setting, seen) for shape in found), solid)
    yield _layer((_line(line, names, setting, seen) for line in picture.lines), bare)
    for layer in (_is_closed, _is_boundary, _is_band, _is_bare):
        found = list(filter(layer, picture.shapes))
        yield _layer((_shape(shape, setting, seen) for shape in found), solid)
    yield _layer(_labels(picture, setting), _halo(setting.theme))
    yield _layer(_badges(picture, setting), bare)


def _layer(pieces: Iterator[str], attributes: str) -> str:
    return group((f"\n{piece}" for piece in pieces), attributes)


def _halo(theme: Theme) -> str:
    return (
        f'class="h" fill="currentColor" stroke="{theme.paper}" stroke-width="3"'
        ' paint-order="stroke" aria-hidden="true"'
    )


def _is_pool(shape: Shape) -> bool:
    return shape.form == "pool"


def _is_lane(shape: Shape) -> bool:
    return shape.form == "lane"


def _is_opened(shape: Shape) -> bool:
    return shape.is_open and shape.form in ("activity", "choreography")


def _is_boundary(shape: Shape) -> bool:
    return shape.position == "boundary"


def _is_band(shape: Shape) -> bool:
    return shape.form == "band"


def _is_bare(shape: Shape) -> bool:
    return shape.form in ("group", "annotation")


_OTHERS: Final[tuple[Callable[[Shape], bool], ...]] = (
    _is_pool,
    _is_lane,
    _is_opened,
    _is_boundary,
    _is_band,
    _is_bare,
)


def _is_closed(shape: Shape) -> bool:
    return not any(layer(shape) for layer in _OTHERS)


# -- the pieces


def _shape(shape: Shape, setting: _Setting, seen: set[str]) -> str:
    state = setting.states.get(shape.id)
    attributes, brush = _painted(shape, state, setting)
    title = f"<title>{xml(title_of(shape, state))}</title>"
    name = _name(shape.id, state, seen)
    return f"<g {name}{attributes}>{title}{draw(shape, brush)}</g>"


def _name(id: str, state: State | None, seen: set[str]) -> str:
    """The attributes by which an element is found; only its first drawing has the id."""
    known = xml(one_line(id))
    name = "" if id in seen else f'id="e-{known}" '
    seen.add(id)
    return f'{name}data-element="{known}"' + (f' data-state="{state.status}"' if state else "")


def _painted(shape: Shape, state: State | None, setting: _Setting) -> tuple[str, Brush]:
    """The attributes of a shape's group, and how what it holds is painted."""
    theme, colours, palette = setting.theme, shape.colours, setting.palette
    words = 'fill="currentColor" stroke="none"'
    if state is not None:
        # What is open keeps its surface, or it would colour all that it holds.
        fill = "" if is_frame(shape) else theme.states[state.status].fill
        return _tinted(state, setting, fill), Brush(theme)
    if not colours.fill and not colours.stroke:
        return "", Brush(theme)
    # The outline is seen on what lies around, what is in it on its fill.
    edge = palette.ink(colours.stroke)
    sign = painted(palette.ink(colours.stroke, colours.fill, is_text=bool(colours.fill)))
    text = palette.ink(colours.text or colours.stroke, colours.fill, is_text=bool(colours.fill))
    if not colours.fill:
        return f' {painted(edge)} stroke="currentColor"', Brush(
            theme, words=f"{painted(text)} {words}"
        )
    return (
        f' {painted(edge, palette.fill(colours.fill))} stroke="currentColor"',
        Brush(
            theme,
            words=f"{painted(text)} {words}",
            knocked=painted(palette.behind(colours.fill)),
            signs=sign,
        ),
    )


def _tinted(state: State, setting: _Setting, fill: str) -> str:
    """The attributes of something in a state; without `fill` it keeps its own."""
    ink = setting.theme.states[state.status].ink
    kind = f"{state.status} filled" if fill else state.status
    paint = f' fill="{fill}"' if fill else ""
    return f' class="{kind}" color="{ink}"{paint} stroke="currentColor" stroke-width="2.5"'


def _line(line: Line, names: Mapping[str, str], setting: _Setting, seen: set[str]) -> str:
    state = setting.states.get(line.id)
    more = ""
    if state is not None:
        more = _tinted(state, setting, "")
    elif line.colours.stroke:
        more = f' {painted(setting.palette.ink(line.colours.stroke))} stroke="currentColor"'
    title = f"<title>{xml(title_of_line(line, names, state))}</title>"
    return f"<g {_name(line.id, state, seen)}{more}>{title}{draw_line(line, setting.theme)}</g>"


def _labels(picture: Picture, setting: _Setting) -> Iterator[str]:
    # What lies on top is looked at first, as the layers are painted.
    frames = sorted(filter(_is_ground, picture.shapes), key=_height, reverse=True)[:_GROUNDS]
    labels = [(line.label, line.colours) for line in picture.lines]
    labels += [(shape.label, shape.colours) for shape in picture.shapes]
    for label, colours in labels:
        if label is not None:
            ground = next((frame for frame in frames if _lies_on(label, frame)), None)
            yield draw_label(label, _letters(colours, ground, setting))


def _letters(colours: Colours, ground: Shape | None, setting: _Setting) -> str:
    """The attributes of a label: its colour, and what is around its letters."""
    on = ground.colours.fill if ground is not None and ground.id not in setting.states else ""
    colour = colours.text or colours.stroke
    paints = [setting.palette.ink(colour, on, is_text=bool(on))] if colour or on else []
    if on:
        paints.append(setting.palette.behind(on))
    elif ground is not None:
        paints.append(Paint("x", f'stroke="{setting.theme.surface}"'))
    return painted(*paints) if paints else ""


def _is_ground(shape: Shape) -> bool:
    return is_frame(shape) and shape.form != "group"


def _height(shape: Shape) -> tuple[int, int]:
    layer = 0 if shape.form == "pool" else 1 if shape.form == "lane" else 2
    return layer, shape.depth


def _lies_on(label: Label, ground: Shape) -> bool:
    x, y = label.box.x + label.box.width / 2, label.box.y + label.box.height / 2
    left, top, width, height = ground.bounds
    return left <= x <= left + width and top <= y <= top + height


def _badges(picture: Picture, setting: _Setting) -> Iterator[str]:
    told: set[str] = set()
    for shape in picture.shapes:
        state = setting.states.get(shape.id)
        if state is not None and shape.id not in told:
            told.add(shape.id)
            tint = setting.theme.states[state.status]
            at = corner(shape.bounds, is_round=shape.form in ("event", "gateway"))
            sign = badge(state, at, setting.theme)
            yield f'<g class="{state.status}" color="{tint.ink}" stroke="currentColor">{sign}</g>'
