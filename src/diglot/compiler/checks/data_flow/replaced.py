"""`export.as` that replaces the context, and with it what is read later.

Source: DSL reference, Export.
"""

from __future__ import annotations

from diglot.compiler import codes

from .facts import Facts
from .flow import backward
from .jq import HARMFUL
from .telling import name_of, names_in
from .uses import Use

_MOST = 100


def check_replaced(facts: Facts) -> int:
    """Report exports that drop what another task has exported; the variables they drop."""
    if not any(deeds.drops for deeds in facts.uses.deeds.values()):
        return 0
    points = facts.points
    droppers = [point for point in points.order if points.deeds[point].drops]
    writes = [one.writes for one in points.deeds]
    needed = backward(points, [one.surely for one in points.deeds], writes)
    dropped = 0
    told: set[tuple[str, int]] = set()
    for point in droppers:
        deeds = points.deeds[point]
        lost = facts.made_before[point] & deeds.drops & ~deeds.writes & needed[point]
        lost &= ~facts.uncertain
        if not lost:
            continue
        dropped |= lost
        use = next(
            (
                one
                for one in facts.uses.found
                if one.kind == "write" and points.at.get(one.spot) == point
            ),
            None,
        )
        if use is None or (facts.telling.pointer(use), lost) in told or len(told) >= _MOST:
            continue
        told.add((facts.telling.pointer(use), lost))
        _tell(facts, use, lost)
    return dropped


def _tell(facts: Facts, use: Use, lost: int) -> None:
    telling = facts.telling
    earlier = [
        one
        for one in facts.uses.found
        if one.bit & lost and one.kind in ("write", "update") and one.owner is not use.owner
    ]
    later = [one for one in facts.uses.found if one.bit & lost and one.care == HARMFUL
             and one.kind in ("read", "own")]  # fmt: skip
    related = [
        *(telling.related(one, f"`{name_of(one.owner)}` exports `{one.name}`")
          for one in earlier[:2]),
        *(telling.related(one, f"`{one.name}` is read here") for one in later[:2]),
    ]  # fmt: skip
    bits = [1 << place for place in range(lost.bit_length()) if lost >> place & 1]
    facts.tell(
        codes.CONTEXT_REPLACED,
        use,
        related=tuple(related),
        names=names_in(dict.fromkeys(telling.variable(bit) for bit in bits)),
        owner=names_in(dict.fromkeys(name_of(one.owner) for one in earlier[:3])),
    )
