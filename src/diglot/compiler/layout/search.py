"""The cheapest line at right angles over a grid: A*, by length, bends and what is in the way.

Source: Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
Paths, 1968.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final

from .geometry import Segment, segment
from .ports import STEP, Port
from .sketch import Point

#: What a bend costs, in pixels.
BEND: Final = 40.0
#: What is still to pay counts more, so that the search goes on rather than around.
_HASTE: Final = 1.1
#: So many steps has one search.
MOST_STEPS: Final = 15_000

#: Where a line is on the grid, and on which way it came there.
_State = tuple[int, int, int]


class Search:
    """One search for one line; `price` tells what a segment costs, nothing where none may be."""

    def __init__(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        price: Callable[[Segment], float | None],
        most: int = MOST_STEPS,
    ) -> None:
        self._xs, self._ys = xs, ys
        self._price_of = price
        #: How many steps are left.
        self.left = most
        self._prices: dict[tuple[int, int, bool], float | None] = {}

    def run(self, starts: Sequence[Port], targets: Sequence[Port]) -> list[Point] | None:
        """The cheapest line from one of the starts to one of the targets."""
        goals = [self._goal(port) for port in targets]
        least: dict[_State, float] = {}
        came: dict[_State, _State | None] = {}
        open_: list[tuple[float, int, float, _State]] = []
        for port in starts:
            state = (*self._place(port.at), port.way)
            if state not in least:
                least[state], came[state] = 0.0, None
                heappush(open_, (self._rest(state, goals), len(open_), 0.0, state))
        count = len(open_)
        while open_ and self.left > 0:
            self.left -= 1
            _, _, spent, state = heappop(open_)
            if spent > least[state]:
                continue
            if state in goals:
                return self._way_to(state, came)
            for following, price in self._steps(state, is_first=came[state] is None):
                cost = spent + price
                if cost < least.get(following, float("inf")):
                    least[following], came[following] = cost, state
                    count += 1
                    rest = self._rest(following, goals)
                    heappush(open_, (cost + rest, count, cost, following))
        return None

    def _place(self, point: Point) -> tuple[int, int]:
        return bisect_left(self._xs, point.x), bisect_left(self._ys, point.y)

    def _goal(self, port: Port) -> _State:
        """A target as the state in which it is reached."""
        return (*self._place(port.at), (port.way + 2) % 4)

    def _steps(self, state: _State, *, is_first: bool) -> Iterator[tuple[_State, float]]:
        """One grid line on, straight or around a corner; the first step is straight."""
        column, row, way = state
        for turn in (0,) if is_first else (0, 1, 3):
            after = (way + turn) % 4
            x, y = column + STEP[after][0], row + STEP[after][1]
            if 0 <= x < len(self._xs) and 0 <= y < len(self._ys):
                price = self._price(column, row, x, y)
                if price is not None:
                    yield (x, y, after), price + (BEND if turn else 0.0)

    def _price(self, column: int, row: int, x: int, y: int) -> float | None:
        key = min(column, x), min(row, y), x == column
        if key not in self._prices:
            xs, ys = self._xs, self._ys
            part = segment(Point(xs[column], ys[row]), Point(xs[x], ys[y]))
            self._prices[key] = self._price_of(part)
        return self._prices[key]

    def _rest(self, state: _State, goals: Sequence[_State]) -> float:
        """What is at least still to pay: the way to the nearest goal, and the bends on it."""
        return min(self._rest_to(state, goal) for goal in goals)

    def _rest_to(self, state: _State, goal: _State) -> float:
        across = self._xs[goal[0]] - self._xs[state[0]]
        down = self._ys[goal[1]] - self._ys[state[1]]
        step, last = STEP[state[2]], STEP[goal[2]]
        ahead = across * step[0] + down * step[1]
        at_last = across * last[0] + down * last[1]
        turn = (goal[2] - state[2]) % 4
        if turn == 0:
            is_straight = ahead >= 0 and abs(across) + abs(down) == ahead
            bends = 0 if is_straight else 2
        elif turn == 2:
            bends = 2
        else:
            bends = 1 if ahead >= 0 and at_last >= 0 else 3
        return _HASTE * (abs(across) + abs(down) + bends * BEND)

    def _way_to(self, state: _State, came: dict[_State, _State | None]) -> list[Point]:
        points: list[Point] = []
        at: _State | None = state
        while at is not None:
            points.append(Point(self._xs[at[0]], self._ys[at[1]]))
            at = came[at]
        return points[::-1]
