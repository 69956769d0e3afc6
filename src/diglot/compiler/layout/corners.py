"""Where lines dock: what goes up or down leaves and enters above and below, not at the sides.

A gateway has corners there; of any other shape it is the middle of the border. So the lines of two
ways are told apart, and what leads back has two bends.
"""

from __future__ import annotations

from .spine import Spine
from .working import Layers


def use_corners(layers: Layers, spine: Spine) -> None:
    """Choose the corners, and put a bend above or below each box whose corner is used."""
    out: dict[int, list[int]] = {box: [] for box in range(len(layers.boxes))}
    into: dict[int, list[int]] = {box: [] for box in out}
    for number, chain in enumerate(layers.chains):
        if chain and chain[0] in out:
            out[chain[0]].append(number)
        if chain and chain[-1] in into:
            into[chain[-1]].append(number)
    for box in out:
        taken: dict[int, str] = {}
        if not layers.boxes[box].top_open:
            taken[-1] = "shut"
        if not layers.boxes[box].bottom_open:
            taken[1] = "shut"
        _turn_off(layers, spine, box, out[box], taken, "out")
        _loops(layers, box, taken)
        _turn_off(layers, spine, box, into[box], taken, "in")
    _lower_drops(layers)


def _turn_off(
    layers: Layers, spine: Spine, box: int, numbers: list[int], taken: dict[int, str], use: str
) -> None:
    """All but the straight one of the lines at one side go by the corners."""
    if len(numbers) < 2:
        return
    step = 1 if use == "out" else -1
    ends = {number: layers.chains[number][1 if use == "out" else -2] for number in numbers}
    places = {node: place for place, node in enumerate(layers.rows[layers.layer[box] + step])}
    ways = sorted(numbers, key=lambda number: places[ends[number]])
    middle = _straight_way(layers, spine, box, ways, ends)
    for side, turning in ((-1, ways[:middle][::-1]), (1, ways[middle + 1 :])):
        if taken.get(side, use) != use:
            continue
        for number in turning:
            bend = _bend_beside(layers, box, ends[number], number, side)
            if bend is None:
                continue
            taken[side] = use
            if use == "out":
                _leave_by(layers, box, number, bend)
            else:
                _enter_by(layers, box, number, bend)


def _straight_way(
    layers: Layers, spine: Spine, box: int, ways: list[int], ends: dict[int, int]
) -> int:
    """The place of the main way among those that stay in the lane, or let all others turn."""
    own = layers.band[box]
    bands = [layers.band[ends[number]] for number in ways]

    def preference(place: int) -> tuple[bool, int, bool, bool, int]:
        stuck = sum(band > own for band in bands[:place])
        stuck += sum(band < own for band in bands[place + 1 :])
        number = ways[place]
        return (
            bands[place] != own,
            stuck,
            number not in spine.trunk,
            number not in spine.onward,
            abs(place - (len(ways) - 1) // 2),
        )

    return min(range(len(ways)), key=preference)


def _leave_by(layers: Layers, box: int, number: int, bend: int) -> None:
    """Let a line begin with a bend beside its box."""
    chain = layers.chains[number]
    following = chain[1]
    layers.from_corner.add(number)
    chain[0] = bend
    layers.right[box].remove(following)
    left = layers.left[following]
    left[left.index(box)] = bend
    layers.right[bend].append(following)


def _enter_by(layers: Layers, box: int, number: int, bend: int) -> None:
    """Let a line end with a bend beside its box."""
    chain = layers.chains[number]
    before = chain[-2]
    layers.to_corner.add(number)
    chain[-1] = bend
    layers.left[box].remove(before)
    right = layers.right[before]
    right[right.index(box)] = bend
    layers.left[bend].append(before)


def _loops(layers: Layers, box: int, taken: dict[int, str]) -> None:
    """What leads back uses the corner on its side, where that is not used the other way."""
    for bend, boxes in layers.held.items():
        number = layers.wire[bend]
        if box not in boxes or number not in layers.back:
            continue
        side = layers.side[bend]
        wire = layers.wires[number]
        if wire.source == wire.target:
            continue
        if wire.source == box and wire.drop is None and taken.get(side, "out") == "out":
            taken[side] = "out"
            layers.from_corner.add(number)
        elif wire.target == box and taken.get(side, "in") == "in":
            taken[side] = "in"
            layers.to_corner.add(number)


def _bend_beside(layers: Layers, box: int, end: int, number: int, side: int) -> int | None:
    """A new bend above or below the box, beyond those it has there; nothing else lies between.

    There is none where the other end is in another lane and something is in the way there.
    """
    row = layers.rows[layers.layer[box]]
    place = row.index(box)
    while 0 <= place + side < len(row) and _turns_at(layers, row[place + side], box):
        place += side
    end_band = layers.band[end]
    reached = _reach(layers, row, place, end_band, side)
    if reached is None:
        return None
    place = reached
    bend = layers.add_bend(layers.layer[box], end_band, number)
    layers.held[bend] = (box,)
    layers.side[bend] = side
    row.insert(place if side < 0 else place + 1, bend)
    return bend


def _reach(layers: Layers, row: list[int], place: int, band: int, side: int) -> int | None:
    """The last place in a row before a band that lies on one side, if only lines lie between.

    They are crossed.
    """
    own = layers.band[row[place]]
    if (band - own) * side < 0:
        return None
    while band != own and 0 <= place + side < len(row):
        beyond = row[place + side]
        if (layers.band[beyond] - band) * side >= 0:
            break
        if layers.is_box(beyond) or beyond in layers.held:
            return None
        place += side
    return place


def _lower_drops(layers: Layers) -> None:
    """Lines from boundary events to lower lanes turn there, where nothing lies between."""
    for number, wire in enumerate(layers.wires):
        if wire.drop is None or number in layers.back or wire.orders:
            continue
        elbow, following = layers.chains[number][:2]
        row, band = layers.rows[layers.layer[elbow]], layers.band[following]
        place = row.index(elbow)
        reached = _reach(layers, row, place, band, 1)
        if reached is not None:
            row.insert(reached, row.pop(place))
            layers.band[elbow] = band


def _turns_at(layers: Layers, bend: int, box: int) -> bool:
    """Whether a bend is where a line that does not lead back turns off to a corner of the box."""
    return box in layers.held.get(bend, ()) and layers.wire[bend] not in layers.back
