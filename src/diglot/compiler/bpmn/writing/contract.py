"""What is not drawn is absorbed by what is before or behind it."""

from __future__ import annotations

from ...graph import Flow, Handler, Scope
from . import words
from .canvas import Line, Shape, Sheet, Stamp, cut, turn


def contract(sheet: Sheet) -> dict[Shape, Shape]:
    """Take all shapes without a name away, or give them one; what each of them became."""
    became: dict[Shape, Shape] = {}
    waiting = [shape for shape in sheet.shapes if not shape.name]
    gone: set[Shape] = set()
    while waiting:
        # The last ones first: what is absorbed forward is absorbed with all that it absorbed.
        left: list[Shape] = [shape for shape in reversed(waiting) if not _absorb(shape, became)]
        left.reverse()
        if len(left) == len(waiting):
            # What is drawn from now on may absorb others.
            chosen = [shape for shape in left if shape.otherwise] or left
            for shape in chosen:
                if _lay_on_line(shape):
                    gone.add(shape)
                else:
                    _draw(shape)
            left = [shape for shape in left if not shape.name and shape not in gone]
        waiting = left
    sheet.shapes = [shape for shape in sheet.shapes if shape.name]
    return became


def _absorb(shape: Shape, became: dict[Shape, Shape]) -> bool:
    """Let a neighbour show what a shape shows, where it can."""
    match shape.absorbs:
        case "forward":
            into = _behind(shape)
        case "around":
            behind, before = _behind(shape), _before(shape)
            into = next((one for one in (behind, before) if one and one.is_activity), None)
            if into is not None:
                told = words.lowered(shape.label)
                if into is behind:
                    into.notes.insert(0, f"Before: {told}")
                else:
                    into.notes.append(f"Then: {told}")
        case _:
            into = _before(shape)
    if into is None:
        return False
    if into is _behind(shape):
        _absorb_forward(shape, into)
    else:
        _absorb_backward(shape, into)
    for event in shape.boundaries:
        event.host = into
    into.boundaries[:0] = shape.boundaries
    into.loop = shape.loop or into.loop
    into.notes[:0] = shape.notes
    into.documentation = into.documentation or shape.documentation
    if "isForCompensation" in shape.attributes:
        into.attributes["isForCompensation"] = "true"
    became[shape] = into
    return True


def _behind(shape: Shape) -> Shape | None:
    """What is behind a shape, where nothing else leads there."""
    line = _only(shape.outs)
    if line is None or line.target is shape or line.target.ins != [line]:
        return None
    into = line.target
    if shape.boundaries and into.name and not into.is_activity:
        return None
    return None if shape.loop is not None and into.loop is not None else into


def _before(shape: Shape) -> Shape | None:
    """What is before a shape, where it leads nowhere else."""
    line = _only(shape.ins)
    if line is None or line.source is shape or line.source.outs != [line]:
        return None
    into = line.source
    if into.host is not None or into.name == "endEvent":
        return None
    # Only an activity has conditions at its flows.
    return into if not shape.otherwise or into.is_activity else None


def _only(lines: list[Line]) -> Line | None:
    return lines[0] if len(lines) == 1 else None


def _absorb_forward(shape: Shape, into: Shape) -> None:
    line = shape.outs[0]
    into.exit = into.exit or _first(into)
    into.stamps[:0] = _unnamed([*shape.stamps, *line.stamps])
    into.entry = shape.entry or _first(shape) or into.entry
    cut(line)
    for one in list(shape.ins):
        turn(one, target=into)


def _absorb_backward(shape: Shape, into: Shape) -> None:
    line = shape.ins[0]
    into.stamps += _unnamed([*line.stamps, *shape.stamps])
    into.exit = shape.exit or _first(shape) or into.exit
    into.default = shape.default or into.default
    cut(line)
    for one in list(shape.outs):
        turn(one, source=into)


def _unnamed(stamps: list[Stamp]) -> list[Stamp]:
    """Parts that no element is named after."""
    for stamp in stamps:
        stamp.is_named = stamp.keeps_name
    return stamps


def _first(shape: Shape) -> str:
    """The first node that a shape shows."""
    for stamp in shape.stamps:
        if not isinstance(stamp.value, Flow | Scope | Handler):
            return stamp.value.id
    return ""


def _lay_on_line(shape: Shape) -> bool:
    """Let one line show what a shape shows that one way leads through."""
    before, behind = _only(shape.ins), _only(shape.outs)
    is_open = shape.absorbs != "around" and not (shape.absorbs == "backward" and shape.otherwise)
    if before is None or behind is None or not is_open or before.source is shape:
        return False
    if shape.boundaries or shape.loop is not None or before.drawn or behind.drawn:
        return False
    if behind.condition is not None or before.source.name == "eventBasedGateway":
        return False
    if any(line.target is behind.target for line in before.source.outs):
        return False
    before.stamps += _unnamed([*shape.stamps, *behind.stamps])
    turn(before, target=behind.target)
    cut(behind)
    return True


def _draw(shape: Shape) -> None:
    """Draw what nothing can absorb: as a gateway where ways meet or part, else as an event."""
    if shape.otherwise:
        shape.name = shape.otherwise
    elif len(shape.ins) > 1:
        shape.name = "exclusiveGateway"
        shape.label = ""
    elif len(shape.outs) > 1:
        shape.name = "parallelGateway"
        shape.label = ""
    elif shape.boundaries or shape.loop is not None:
        shape.name = "task"
    elif shape.outs:
        shape.name = "intermediateThrowEvent"
    else:
        shape.name = "endEvent"
    if not shape.stamps and not shape.drawn:
        # It is there for the flows alone.
        shape.drawn = "merge" if len(shape.ins) > 1 else "way" if shape.outs else "end"
    if not shape.label and shape.name not in ("exclusiveGateway", "parallelGateway"):
        shape.label = "End" if shape.name == "endEvent" else "Go on"
