"""Readings of variables that have no value there: on every way to them, on one, or by their name.

Whoever starts an instance of a BPMN process may bring any variable, and so may the result of a
task. So a name that nobody writes is only told where it is nearly one that somebody does; a
variable that the process writes itself is told where one way to a reading leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from diglot.compiler import codes
from diglot.compiler.graph import Receive, ScopeNode

from .facts import Facts, PlaceOfUse, place_of
from .jq import EXPECTED, HARMFUL
from .near import nearest
from .telling import name_of, names_in
from .uses import Use

#: More findings of one kind than anybody reads.
_MOST = 100
#: How far a reading is looked for from where a variable is missing.
_FARTHEST = 5_000
_MOST_SEARCHES = 1_000
_OUTSIDE = "Give it a value on every way, unless every instance is started with one."


def check_missing(facts: Facts, dropped: int) -> int:
    """Report what is read and has no value; not of variables that were `dropped` on the way.

    The variables of inner scopes that are read outside.
    """
    silent = facts.uncertain | dropped
    told = _check_never_set(facts, silent)
    _check_ways(facts, silent | told)
    return _check_names(facts)


def _check_never_set(facts: Facts, silent: int) -> int:
    """What no way to a reading gives a value; the variables that were told."""
    laid_out: dict[PlaceOfUse, int] = {}
    found: dict[PlaceOfUse, list[Use]] = {}
    writes: dict[int, list[Use]] = {}
    for use in facts.uses.found:
        if use.kind in ("write", "update"):
            writes.setdefault(use.bit, []).append(use)
            continue
        place, _ = facts.variables.places_of(use.bit)[0]
        if use.bit & silent or use.care == EXPECTED or facts.variables.is_from_outside(place):
            continue
        point = facts.point_of(use)
        if point is None:
            continue
        key = place_of(facts, use)
        laid_out[key] = laid_out.get(key, 0) + 1
        if not facts.set_before[point] & use.bit:
            found.setdefault(key, []).append(use)
    told = 0
    for key, uses in list(found.items())[:_MOST]:
        # What is laid out several times is missing where it is missing each time.
        if len(uses) < laid_out[key]:
            continue
        use = uses[0]
        told |= use.bit
        facts.tell(
            codes.VARIABLE_NEVER_SET,
            use,
            hint=_hint(facts, use),
            related=tuple(
                facts.telling.related(one, f"`{name_of(one.owner)}` gives it a value")
                for one in writes.get(use.bit, [])[:3]
            ),
            variable=key.variable,
        )
    return told


def _hint(facts: Facts, use: Use) -> str:
    """A variable with a value there whose name is nearly the same."""
    point = facts.point_of(use)
    if point is None:
        return ""
    place, _ = facts.variables.places_of(use.bit)[0]
    around = facts.variables.whole(place) if facts.variables.is_filled(place) else -1
    known = facts.set_before[point] & around & ~use.bit
    names = [name for name in facts.variables.names_of(known) if name != "*"]
    return facts.hints.did_you_mean(use.name, names)


# -- on one of the ways


def _check_ways(facts: Facts, silent: int) -> None:
    points = facts.points
    place = {point: number for number, point in enumerate(points.order)}
    needed = facts.needed
    told: set[PlaceOfUse] = set()
    left = _MOST_SEARCHES
    for point in points.order:
        if point in points.joins or not needed[point] & ~silent:
            continue
        onward = [
            (source, taken)
            for source, taken in points.plain_before[point]
            if place.get(source, len(place)) < place[point]
        ]
        if len(onward) < 2:
            continue
        with_value = 0
        for source, taken in onward:
            made = facts.made_before[source] & ~facts.drops[source] | facts.made[source]
            with_value |= made & taken
        for source, taken in onward:
            missing = needed[point] & with_value & ~facts.value_after(source) & ~silent & taken
            while missing and len(told) < _MOST and left:
                left -= 1
                bit = missing & -missing
                missing ^= bit
                _tell_way(facts, point, source, bit, told)


def _tell_way(facts: Facts, point: int, source: int, bit: int, told: set[PlaceOfUse]) -> None:
    use = _first_reading(facts, point, bit)
    if use is None:
        return
    key = place_of(facts, use)
    if key in told:
        return
    told.add(key)
    place, _ = facts.variables.places_of(bit)[0]
    related = [
        facts.telling.related(one, f"`{name_of(one.owner)}` gives it a value on the other way")
        for one in facts.uses.found
        if one.bit == bit and one.kind in ("write", "update")
    ][:3]
    facts.tell(
        codes.VARIABLE_UNSET_ON_A_WAY,
        use,
        hint=_OUTSIDE if facts.variables.is_from_outside(place) else "",
        related=tuple(related),
        variable=key.variable,
        way=_way(facts, source),
    )


def _way(facts: Facts, source: int) -> str:
    """The way that leaves from a point, as far as it is one of an element with a name."""
    node = facts.points.nodes[source]
    if node is None or (not node.name and "#" in node.id):
        return "one of the ways"
    is_past = node.guard is not None and source == facts.points.into[node.id]
    return f"the way {'past' if is_past else 'over'} `{name_of(node)}`"


def _first_reading(facts: Facts, point: int, bit: int) -> Use | None:
    """The nearest reading behind a point from which every way comes to one."""
    points = facts.points
    seen = {point}
    layer = [point]
    while layer and len(seen) < _FARTHEST:
        behind: list[int] = []
        for at in layer:
            deeds = points.deeds[at]
            if deeds.surely & bit:
                return next(_readings(facts, at, bit), None)
            if (deeds.writes | deeds.may) & bit:
                continue
            for target, taken in points.plain[at]:
                if target not in seen and facts.needed[target] & taken & bit:
                    seen.add(target)
                    behind.append(target)
        layer = behind
    return None


def _readings(facts: Facts, point: int, bit: int) -> Iterator[Use]:
    return (
        use
        for use in facts.uses.found
        if use.bit == bit and use.care == HARMFUL and facts.points.at.get(use.spot) == point
        and use.kind not in ("write", "update")
    )  # fmt: skip


# -- by their names


def _check_names(facts: Facts) -> int:
    """Names that nobody declares or writes: of an inner scope, or nearly like another.

    The variables of inner scopes that were told.
    """
    variables = facts.variables
    written: set[str] = set()
    reading: dict[str, list[Use]] = {}
    for use in facts.uses.found:
        place, key = variables.places_of(use.bit)[0]
        if use.kind in ("write", "update"):
            written.add(place.name)
        elif not place.is_declared and key is None:
            reading.setdefault(place.name, []).append(use)
    homes: dict[str, list[str]] = {}
    for scope, names in variables.declared.items():
        for name in names:
            homes.setdefault(name, []).append(scope)
    known = written | set(homes)
    told = inner = 0
    for name, uses in reading.items():
        if told >= _MOST:
            break
        if name in homes:
            outer = [use for use in uses if not _may_have(facts, use)]
            if outer and not _is_given(facts, uses[0], homes[name]):
                told += 1
                inner |= _bits(facts, name, homes[name])
                _tell_inner(facts, outer[0], homes[name])
            continue
        near = nearest(name, known) if name not in written else None
        owners = {name_of(use.owner) for use in uses}
        if near is not None and len(owners) == 1:
            told += 1
            facts.tell(
                codes.VARIABLE_MISSPELT, uses[0], hint=f"Did you mean `{near}`?",
                variable=name, near=near,
            )  # fmt: skip
    return inner


def _bits(facts: Facts, name: str, homes: list[str]) -> int:
    """The variables of a name in these scopes, as far as somebody uses them."""
    bits = 0
    for home in homes:
        for place, _ in facts.variables.places_of(facts.variables.own(home)):
            if place.name == name:
                bits |= facts.variables.bit(place)
    return bits


def _is_given(facts: Facts, use: Use, homes: list[str]) -> bool:
    """Whether the outer variable is written by name, or handed into an inner scope by its name."""
    is_written = any(
        one.bit == use.bit and one.kind in ("write", "update") for one in facts.uses.found
    )
    return is_written or any(home in facts.variables.mapped for home in homes)


def _may_have(facts: Facts, use: Use) -> bool:
    """Whether somebody's result may have given the variable a value before."""
    point = facts.point_of(use)
    return use.kind == "perhaps" or point is None or bool(facts.set_before[point] & use.bit)


def _tell_inner(facts: Facts, use: Use, homes: list[str]) -> None:
    owners = {
        node.body: node for node in facts.graph.nodes if isinstance(node, ScopeNode | Receive)
    }
    found = [owners[home] for home in homes if home in owners]
    names = dict.fromkeys(name_of(node) for node in found)
    facts.tell(
        codes.VARIABLE_OF_INNER_SCOPE,
        use,
        related=tuple(
            facts.telling.related(
                Use(("node", node.id), use.bit, use.name, "read", EXPECTED, False, node),
                f"`{use.name}` exists inside `{name_of(node)}`",
            )
            for node in found[:3]
        ),
        variable=use.name,
        where=names_in(list(names)[:3]) or "another part",
    )
