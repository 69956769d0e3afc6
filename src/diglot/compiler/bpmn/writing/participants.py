"""A process that is drawn beside the pools of a collaboration gets one there.

Readers of the field show nothing of a process that no pool of the collaboration is of. The pool is
marked, and left out where the file is read again (`bpmn.aside`). A process that is drawn across the
pool of something else, as a called one is in its call activity, cannot have any.
"""

from __future__ import annotations

from itertools import count
from typing import Final, NamedTuple

from ... import codes
from ...layout import Bounds
from ..aside import ADDED
from .drawn import PLANE, bounds_of
from .mending import Mending
from .tag import Tag

#: What a pool may take up around what is in it, its header among it.
_FRAME: Final = 60.0


def give_pools(mending: Mending) -> None:
    """Add a participant for each process without one that a collaboration draws or talks to."""
    root = mending.root
    collaborations = {one.id: one for one in root.each("collaboration")}
    if not collaborations:
        return
    participants = [one for it in collaborations.values() for one in it.each("participant")]
    held = {_local(one.attributes.get("processRef", "")) for one in participants}
    # What has a diagram of its own is seen there.
    planes = (one for one in root.walk() if one.name == PLANE)
    held |= {_local(one.attributes.get("bpmnElement", "")) for one in planes}
    homes = _homes(root, collaborations)
    pools = [at.place for one in participants if (at := homes.get(one.id)) and at.place]
    taken = {one.id for one in root.walk()}
    free = (id for n in count(1) if (id := f"participant_{n}") not in taken)
    id = next(free)
    for process in root.each("process"):
        if not process.id or process.id in held:
            continue
        drawn = [homes[one.id] for one in process.walk() if one.id in homes]
        # What was drawn for it in an earlier export may be near to others.
        is_drawn = id in homes
        if drawn and (is_drawn or not _overlaps([one.place for one in drawn if one.place], pools)):
            name = process.attributes.get("name") or process.id
            pool = {"id": id, "name": name, "processRef": process.id, ADDED: name}
            drawn[0].collaboration.add("participant", pool)
            mending.tell(codes.POOL_ADDED, process, process=process.id)
            id = next(free)


class _Home(NamedTuple):
    """The collaboration that an element belongs to, and where it is drawn there."""

    collaboration: Tag
    place: Bounds | None


def _homes(root: Tag, collaborations: dict[str, Tag]) -> dict[str, _Home]:
    """What stands on the planes of collaborations, and what their messages go to and come from."""
    homes: dict[str, _Home] = {}
    for plane in (one for one in root.walk() if one.name == PLANE):
        home = collaborations.get(_local(plane.attributes.get("bpmnElement", "")))
        if home is not None:
            for shape in plane.children:
                drawn = _local(shape.attributes.get("bpmnElement", ""))
                homes[drawn] = _Home(home, bounds_of(shape))
    for home in collaborations.values():
        for flow in home.each("messageFlow"):
            for end in ("sourceRef", "targetRef"):
                homes.setdefault(_local(flow.attributes.get(end, "")), _Home(home, None))
    return homes


def _overlaps(places: list[Bounds], pools: list[Bounds]) -> bool:
    """Whether what is around all places has a part in a pool."""
    if not places:
        return False
    left, top = min(one.x for one in places) - _FRAME, min(one.y for one in places) - _FRAME
    right = max(one.x + one.width for one in places) + _FRAME
    bottom = max(one.y + one.height for one in places) + _FRAME
    return any(
        one.x < right and left < one.x + one.width and one.y < bottom and top < one.y + one.height
        for one in pools
    )


def _local(reference: str) -> str:
    return reference.strip().rpartition(":")[2]
