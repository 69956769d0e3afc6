"""Writings that nobody reads: never, or because another one comes first."""

from __future__ import annotations

from diglot.compiler import codes

from .facts import Facts, PlaceOfUse, place_of
from .jq import HARMFUL
from .telling import name_of, names_in
from .uses import Use
from .variables import REST

#: More findings than anybody reads, and how far the writing that comes first is looked for.
_MOST = 100
_FARTHEST = 2_000


def check_unread(facts: Facts, told: int) -> None:
    """Report what is written and not read before it is written again, or never.

    Not of variables of which something was `told` already.
    """
    laid_out: dict[PlaceOfUse, int] = {}
    found: dict[PlaceOfUse, list[Use]] = {}
    for use in facts.uses.found:
        if use.kind not in ("write", "update") or use.care != HARMFUL or use.is_private:
            continue
        point = facts.point_of(use)
        if point is None or use.bit & (facts.uncertain | told):
            continue
        key = place_of(facts, use)
        laid_out[key] = laid_out.get(key, 0) + 1
        if not facts.read_after[point] & use.bit:
            found.setdefault(key, []).append(use)
    never: dict[str, list[Use]] = {}
    count = 0
    for key, uses in found.items():
        use = uses[0]
        # What is laid out several times is unread where nobody reads any of it.
        if len(uses) < laid_out[key] or count >= _MOST:
            continue
        count += 1
        by = _overwriting(facts, use)
        if by is None:
            never.setdefault("" if use.owner is None else use.owner.id, []).append(use)
            continue
        facts.tell(
            codes.WRITE_OVERWRITTEN,
            use,
            related=(facts.telling.related(by, "It is overwritten here"),),
            variable=key.variable,
            by=name_of(by.owner),
        )
    for uses in never.values():
        _tell_never(facts, uses)


def _tell_never(facts: Facts, uses: list[Use]) -> None:
    names = list(dict.fromkeys(facts.telling.variable(use.bit) for use in uses))
    verb = "is" if len(names) == 1 else "are"
    facts.tell(codes.WRITE_NEVER_READ, uses[0], what=f"{names_in(names)} {verb}")


def _overwriting(facts: Facts, use: Use) -> Use | None:
    """The writing that comes first; None where there is none but the same one again."""
    first = facts.point_of(use)
    if first is None or use.name == REST or not facts.written_after[first] & use.bit:
        return None
    points = facts.points
    seen = {first}
    layer = [target for target, _ in points.after[first]]
    while layer and len(seen) < _FARTHEST:
        behind: list[int] = []
        for at in layer:
            if at in seen:
                continue
            seen.add(at)
            deeds = points.deeds[at]
            if deeds.writes & ~deeds.reads & use.bit:
                return next(
                    one
                    for one in facts.uses.found
                    if one.bit == use.bit and points.at.get(one.spot) == at
                )
            if not (deeds.writes | deeds.reads | deeds.drops) & use.bit:
                behind.extend(target for target, taken in points.after[at] if taken & use.bit)
        layer = behind
    return None
