"""Orders of tasks: a sequence in which a set of branches may be interleaved in any way.

`["a", [["b1", "b2"], "c"], "d"]`: a first; then b1 before b2, and c somewhere; then d.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

#: A sequence of names and of sets of branches; a branch is a sequence.
Pattern = tuple[Any, ...]


def pattern(trace: Sequence[Any]) -> Pattern:
    """The pattern of a trace as cases write it."""
    return tuple(item if isinstance(item, str) else _branches(item) for item in trace)


def _branches(items: Iterable[Any]) -> frozenset[tuple[int, Pattern]]:
    # Numbered, so that two branches alike stay two.
    return frozenset(
        (number, (item,) if isinstance(item, str) else pattern(item))
        for number, item in enumerate(items)
    )


def difference(trace: Sequence[Any], names: Sequence[str]) -> str | None:
    """Where `names` leaves the trace, or nothing if it is one of its orders."""
    states = {pattern(trace)}
    for count, name in enumerate(names):
        following = {after for state in states for after in _after(state, name)}
        if not following:
            wanted = sorted({head for state in states for head in _heads(state)})
            expected = " or ".join(wanted) if wanted else "the end"
            return f"after {list(names[:count])}: expected {expected}, got {name}"
        states = following
    if any(_is_done(state) for state in states):
        return None
    wanted = sorted({head for state in states for head in _heads(state)})
    return f"after {list(names)}: expected {' or '.join(wanted)}, got the end"


def _after(state: Pattern, name: str) -> Iterator[Pattern]:
    """What is left of a pattern once `name` has come."""
    if not state:
        return
    head, rest = state[0], state[1:]
    if isinstance(head, str):
        if head == name:
            yield rest
        return
    if _is_done((head,)):
        yield from _after(rest, name)
        return
    for number, branch in head:
        for left in _after(branch, name):
            others = head - {(number, branch)}
            yield (others | {(number, left)}, *rest)


def _is_done(state: Pattern) -> bool:
    return all(
        not isinstance(head, str) and all(_is_done(branch) for _, branch in head) for head in state
    )


def _heads(state: Pattern) -> Iterator[str]:
    for head in state:
        if isinstance(head, str):
            yield head
            return
        for _, branch in head:
            yield from _heads(branch)
        if not _is_done((head,)):
            return
