"""What a picture shows, in words: for those who do not see it, and for a pointer that rests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from .parts import Line, Picture, Shape
from .states import State, counted, told
from .text import one_line

#: A name in a sentence, and a documentation beside it.
_NAME: Final = 120
_LONG: Final = 600
#: So many names are told; of more, how many there are.
_FEW: Final = 5

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

_KINDS: Final[Mapping[str, str]] = {
    "subProcess": "sub-process",
    "adHocSubProcess": "ad hoc sub-process",
    "participant": "pool",
    "dataObjectReference": "data object",
    "dataStoreReference": "data store",
    "textAnnotation": "annotation",
    "intermediateCatchEvent": "catch event",
    "intermediateThrowEvent": "throw event",
    "implicitThrowEvent": "throw event",
}

_MARKERS: Final[Mapping[str, str]] = {
    "loop": "in a loop",
    "parallel": "for each, all at once",
    "sequential": "for each, one after the other",
    "compensation": "to compensate",
}


def title_of(shape: Shape, state: State | None = None) -> str:
    """A shape in words: what it is, what it is called, and its state."""
    words = _kind(shape)
    if shape.name:
        words += f": {one_line(shape.name, 500)}"
    if state is not None:
        words += f" \u2013 {_state(state)}"
    if shape.documentation:
        words += f"\n{one_line(shape.documentation, _LONG)}"
    return words


def _kind(shape: Shape) -> str:
    name = _KINDS.get(shape.element) or _HUMP.sub(" ", shape.element).lower()
    if shape.border == "dotted":
        name = "event sub-process"
    if shape.form == "event" and shape.symbol:
        name = f"{_HUMP.sub(' ', shape.symbol).replace('-', ' ')} {name}"
    if shape.form == "event" and not shape.is_interrupting:
        name = f"non-interrupting {name}"
    markers = [_MARKERS[marker] for marker in shape.markers if marker in _MARKERS]
    if shape.form == "activity" and markers:
        name = f"{name} ({', '.join(markers)})"
    return name[:1].upper() + name[1:]


def _state(state: State) -> str:
    count = counted(state)
    words = f"{state.status}, {count} times" if count else state.status
    return f"{words}: {one_line(state.note, 300)}" if state.note else words


def title_of_line(line: Line, names: Mapping[str, str], state: State | None = None) -> str:
    """A line in words; `names` are those of what it may join."""
    words = _HUMP.sub(" ", line.element).capitalize()
    if line.name:
        words += f": {one_line(line.name, 500)}"
    ends = [one_line(names[end], _NAME) for end in (line.source, line.target) if names.get(end)]
    if len(ends) == 2:
        words += f" (from {ends[0]} to {ends[1]})"
    if line.start == "slash":
        words += ", by default"
    if state is not None:
        words += f" \u2013 {_state(state)}"
    return words


def description_of(picture: Picture, states: Mapping[str, State]) -> str:
    """A picture in a few sentences: what is in it, where it starts, where it ends."""
    shapes = picture.shapes
    pools = [shape for shape in shapes if shape.form == "pool"]
    counts = (
        _counted(sum(shape.form == "activity" for shape in shapes), "activity", "activities"),
        _counted(sum(shape.form == "gateway" for shape in shapes), "gateway", "gateways"),
        _counted(sum(shape.form == "event" for shape in shapes), "event", "events"),
    )
    said = [f"A diagram with {_list([count for count in counts if count]) or 'no steps'}"]
    if pools:
        said[0] += f" in {_counted(len(pools), 'pool', 'pools')}: {_names(pools)}"
    starts = [shape for shape in shapes if _is_outer(shape, "start")]
    ends = [shape for shape in shapes if _is_outer(shape, "end")]
    if starts:
        said.append(f"It starts at {_names(starts, 'or')}")
    if ends:
        said.append(f"It ends at {_names(ends, 'or')}")
    words = ". ".join(said) + "."
    if picture.documentation:
        words += f" {one_line(picture.documentation, _LONG)}"
    return f"{words} {told(states)}".strip()


def _is_outer(shape: Shape, position: str) -> bool:
    """Whether it is an event of a whole process, and not of a part of one."""
    return shape.position == position and not shape.is_inner


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}" if count else ""


def _quoted(shape: Shape) -> str:
    if shape.name:
        return f"\u201c{one_line(shape.name, _NAME)}\u201d"
    kind = _kind(shape).lower()
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


def _list(words: Sequence[str], last: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _names(shapes: Sequence[Shape], last: str = "and") -> str:
    names = [_quoted(shape) for shape in shapes]
    # What has no name is told once.
    names = list(dict.fromkeys(names))
    if len(names) > _FEW:
        names = [*names[: _FEW - 1], f"{len(names) - _FEW + 1} more"]
    return _list(names, last)
