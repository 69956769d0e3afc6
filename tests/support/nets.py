"""Nets for the tests of the checker: written in lines, drawn at random, and looked at whole."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Literal

from hypothesis import strategies as st

from diglot.compiler.checks.soundness.net import Net, Transition

KINDS = (
    "choice",
    "choice",
    "both",
    "both",
    "both-some",
    "fork",
    "task",
    "inclusive",
    "inclusive-both",
)
Fault = Literal["stuck", "doubled", "endless"]
_Marking = tuple[int, ...]


def net(text: str, *, marked: str = "begin") -> Net:
    """A net out of lines `from places -> to places`.

    On the right `all` ends everything and names with `?` get a token or not; on the left `?` before
    the names waits for what can still come.
    """
    places: dict[str, int] = {}

    def number(name: str) -> int:
        return places.setdefault(name, len(places))

    begin = tuple(number(name) for name in marked.split())
    steps: list[Transition] = []
    for line in text.strip().splitlines():
        left, _, right = line.partition("->")
        given = [name for name in right.split() if name != "all"]
        steps.append(
            Transition(
                tuple(number(name) for name in left.replace("?", "").split()),
                tuple(number(name) for name in given if not name.endswith("?")),
                right.split() == ["all"],
                tuple(number(name.rstrip("?")) for name in given if name.endswith("?")),
                "?" in left,
            )
        )
    return Net(len(places), tuple(steps), begin)


@st.composite
def random_nets(draw: st.DrawFn) -> Net:
    """The net of random gateways: places are the flows between them, of which some lead to ends."""
    count = draw(st.integers(2, 10))
    kinds = [draw(st.sampled_from(KINDS)) for _ in range(count)]
    flows: list[tuple[int, int]] = [(-1, 0)]
    for node, kind in enumerate(kinds):
        for _ in range(1 if kind == "task" else draw(st.integers(1, 3))):
            near = st.integers(node + 1, min(count, node + 3))
            flows.append((node, draw(near if draw(st.integers(0, 3)) else st.integers(0, count))))
    steps: list[Transition] = []
    for node, kind in enumerate(kinds):
        entering = [place for place, flow in enumerate(flows) if flow[1] == node]
        leaving = [place for place, flow in enumerate(flows) if flow[0] == node]
        if kind in ("both", "both-some") and entering:
            some = len(leaving) > 1 and kind == "both-some"
            gives, ways = ((), tuple(leaving)) if some else (tuple(leaving), ())
            steps.append(Transition(tuple(entering), gives, some=ways))
        elif kind in ("inclusive", "inclusive-both") and entering:
            some = len(leaving) > 1 and kind == "inclusive"
            gives, ways = ((), tuple(leaving)) if some else (tuple(leaving), ())
            steps.append(Transition(tuple(entering), gives, some=ways, awaits=True))
        elif kind == "choice":
            steps += [Transition((one,), (other,)) for one in entering for other in leaving]
        else:
            steps += [Transition((one,), tuple(leaving)) for one in entering]
    ends_all = draw(st.integers(0, 5)) == 0
    for place, (_, target) in enumerate(flows):
        if target == count:
            steps.append(Transition((place,), (), ends_all and draw(st.booleans())))
    return Net(len(flows), tuple(steps), (0,))


def faults_of(net: Net, most: int = 500) -> frozenset[Fault] | None:
    """What is wrong with a net, marking by marking; None if it has more markings than that.

    It is not looked behind two tokens on one place. `endless` is told where nothing else is.
    """
    start: _Marking = tuple(sorted(net.marked))
    after: dict[_Marking, list[_Marking]] = {}
    todo = [start]
    found: set[Fault] = set()
    while todo:
        marking = todo.pop()
        if marking in after:
            continue
        if len(after) > most:
            return None
        tokens = Counter(marking)
        reached = after[marking] = []
        if any(count > 1 for count in tokens.values()):
            found.add("doubled")
            continue
        reached += _steps(net, tokens)
        if marking and not reached:
            found.add("stuck")
        todo += reached
    if not found and not _all_can_end(after):
        found.add("endless")
    return frozenset(found)


def _steps(net: Net, tokens: Counter[int]) -> list[_Marking]:
    reached: list[_Marking] = []
    for step in net.transitions:
        there = [place for place in step.takes if tokens[place]]
        if len(there) < len(step.takes) and not (there and step.awaits):
            continue
        if step.awaits and _is_awaited(net, step, tokens, there):
            continue
        now = Counter[int]() if step.ends_all else tokens - Counter(there)
        for count in range(1, len(step.some) + 1) if step.some else (0,):
            for some in combinations(step.some, count):
                given = now + Counter(step.gives) + Counter(some)
                reached.append(tuple(sorted(given.elements())))
    return reached


def _is_awaited(net: Net, step: Transition, tokens: Counter[int], there: list[int]) -> bool:
    """Whether something can still come to an empty place of a merge, and to none that has one."""
    empty = [place for place in step.takes if place not in there]
    return any(
        _leads(net, step, token, empty) and not _leads(net, step, token, there)
        for token in tokens
        if token not in step.takes
    )


def _leads(net: Net, merge: Transition, start: int, goals: list[int]) -> bool:
    seen: set[int] = set()
    todo = [start]
    while todo:
        place = todo.pop()
        for step in net.transitions:
            if step is not merge and place in step.takes:
                for one in (*step.gives, *step.some):
                    if one in goals:
                        return True
                    if one not in seen:
                        seen.add(one)
                        todo.append(one)
    return False


def _all_can_end(after: dict[_Marking, list[_Marking]]) -> bool:
    before: dict[_Marking, list[_Marking]] = {}
    for marking, reached in after.items():
        for one in reached:
            before.setdefault(one, []).append(marking)
    good: set[_Marking] = {()}
    todo: list[_Marking] = [()]
    while todo:
        for one in before.get(todo.pop(), ()):
            if one not in good:
                good.add(one)
                todo.append(one)
    return after.keys() <= good
