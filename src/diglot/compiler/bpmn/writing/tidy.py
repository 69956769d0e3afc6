"""What is drawn so that nobody has to guess: where ways meet, where they part, where they end."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph import Choice, End, Fork, Inclusive
from . import words
from .canvas import Line, Shape, Sheet, cut, join, turn
from .tag import Tag
from .view import View

#: Gateways of which several incoming flows mean what they mean.
_MEETING = frozenset({"inclusiveGateway", "complexGateway"})


def tidy(sheet: Sheet) -> None:
    """Draw merges, splits and ends in a sheet."""
    if sheet.is_ad_hoc:
        return
    shapes: list[Shape] = []
    for shape in sheet.shapes:
        if len(shape.ins) > 1 and _terminates(shape):
            shapes.extend(_repeat(shape))
        elif len(shape.ins) > 1 and _needs_merge(shape):
            shapes.append(_merge(shape))
        shapes.append(shape)
        if len(shape.outs) > 1 and _needs_split(shape):
            shapes.append(_split(shape))
    sheet.shapes = shapes
    for shape in list(shapes):
        is_choice = shape.is_gateway or any(isinstance(one.value, Choice) for one in shape.stamps)
        if is_choice and len(shape.outs) == 1 and shape.outs[0].condition is None:
            # The only way on is no choice.
            shape.outs[0].label = ""
        if not shape.outs and not shape.is_apart and shape.name != "endEvent":
            end = sheet.add(Shape("endEvent", sheet, label="End", drawn="end", wish="end"))
            join(shape, end, "end")


def bundle(sheet: Sheet, view: View) -> None:
    """Draw several answers of a decision that lead to the same as one."""
    for shape in sheet.shapes:
        _bundle(shape, view)


def _bundle(shape: Shape, view: View) -> None:
    first: dict[Shape, Line] = {}
    if not any(isinstance(stamp.value, Choice) for stamp in shape.stamps):
        return
    for line in list(shape.outs):
        if line.drawn:
            continue
        known = first.setdefault(line.target, line)
        if known is line:
            continue
        known.stamps += line.stamps
        known.label = words.shortened(f"{known.label} or {line.label}", words.LONGEST_NAME)
        known.documentation = known.documentation or line.documentation
        if shape.default is line:
            shape.default = known
        cut(line)
    if first and len(shape.outs) == 1 and shape.name == "exclusiveGateway":
        # Whatever the answer is, nothing else comes of it.
        shape.name, shape.default = "intermediateThrowEvent", None
        shape.label = shape.label.removesuffix("?")
        shape.outs[0].label = ""
        shape.outs[0].condition = None
        if view == "business":
            shape.name, shape.otherwise, shape.absorbs = "", shape.name, "forward"


def _terminates(shape: Shape) -> bool:
    return any(tag.name == "terminateEventDefinition" for tag in shape.inside)


def _repeat(shape: Shape) -> Iterator[Shape]:
    """The same end for each way but the first, so that all see what each of them brings about."""
    for line in shape.ins[1:]:
        end = Shape(shape.name, shape.sheet, label=shape.label, drawn="end", wish=shape.wish)
        end.inside.extend(Tag(tag.name) for tag in shape.inside)
        end.entry = shape.entry or next(
            one.value.id for one in shape.stamps if isinstance(one.value, End)
        )
        turn(line, target=end)
        yield end


def _needs_merge(shape: Shape) -> bool:
    if shape.name == "startEvent" or shape.name in _MEETING:
        return False
    # Nothing may stand between a race and what waits in it.
    if any(line.source.name == "eventBasedGateway" for line in shape.ins):
        return False
    if shape.name == "parallelGateway":
        # One that lets tokens part would wait for all of them.
        return _parts(shape)
    return not shape.is_gateway or len(shape.outs) > 1


def _parts(shape: Shape) -> bool:
    return any(isinstance(stamp.value, Fork) for stamp in shape.stamps)


def _merge(shape: Shape) -> Shape:
    """An exclusive gateway in front, or the one that leads there already."""
    for line in shape.ins:
        before = line.source
        if before.drawn == "merge" and before.outs == [line] and not before.exit:
            for other in [one for one in shape.ins if one is not line]:
                turn(other, target=before)
            return before
    merge = Shape("exclusiveGateway", shape.sheet, drawn="merge", wish=f"{shape.wish}#merge")
    for line in list(shape.ins):
        turn(line, target=merge)
    join(merge, shape, "merge")
    return merge


def _needs_split(shape: Shape) -> bool:
    if any(isinstance(stamp.value, Inclusive) for stamp in shape.stamps):
        return False
    if shape.is_gateway:
        return shape.name == "parallelGateway" and len(shape.ins) > 1 and not _parts(shape)
    return True


def _split(shape: Shape) -> Shape:
    split = Shape("parallelGateway", shape.sheet, drawn="split", wish=f"{shape.wish}#split")
    for line in list(shape.outs):
        turn(line, source=split)
    join(shape, split, "split")
    return split
