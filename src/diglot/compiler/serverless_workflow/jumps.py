"""Jumps that lead elsewhere than their author thinks: unknown targets, cases that run on.

Source: DSL reference, Flow Directive, Switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model.tasks import RaiseTask, SwitchTask

from .. import codes
from ..pointers import join_pointer

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.tasks import Task

    from .located import Json
    from .reading import Entry, Reading

#: The properties that hold a list of tasks.
_LISTS = ("do", "try", "branches", "before", "after")


def report_unknown_target(
    reading: Reading, target: str, pointer: str, known: Iterable[str], *, in_branch: bool
) -> None:
    """Report a directive at `pointer` whose `target` is none of the `known` tasks of the list."""
    if in_branch:
        reading.find(codes.THEN_IN_BRANCH, pointer, target=target)
        return
    hint = reading.hints.did_you_mean(target, known)
    place = reading.task_places().get(target)
    if place is None or hint:
        reading.find(codes.UNKNOWN_THEN_TARGET, pointer, hint=hint, target=target)
        return
    line = reading.document.key_span_of(place).start.line
    reading.find(codes.THEN_LEAVES_SCOPE, pointer, target=target, where=f"line {line}")


def check_switches(reading: Reading, entries: Sequence[Entry]) -> None:
    """Report the target of one case of a switch that goes on into the target of another.

    Only the plainest form is told: the two stand one behind the other, and nothing leads away.
    """
    behind = {target.name: (target, following) for target, following in pairwise(entries)}
    for entry in entries:
        if not isinstance(entry.task, SwitchTask):
            continue
        targets = dict.fromkeys(item.case.then for item in entry.task.switch)
        for target, following in (behind[name] for name in targets if name in behind):
            if following.name in targets and _runs_on(target.task):
                reading.find(
                    codes.SWITCH_FALLS_THROUGH,
                    target.pointer,
                    span=reading.document.key_span_of(target.pointer),
                    task=target.name,
                    next=following.name,
                )


def _runs_on(task: Task) -> bool:
    return task.then in (None, "continue") and not isinstance(task, SwitchTask | RaiseTask)


def task_places(document: Json) -> Iterator[tuple[str, str]]:
    """Name and pointer of everything in the document that looks like an entry of a task list."""
    rest: list[tuple[str, Json]] = [("", document)]
    while rest:
        pointer, part = rest.pop()
        if isinstance(part, dict):
            for key, member in part.items():
                place = pointer + join_pointer(key)
                rest.append((place, member))
                if key in _LISTS and isinstance(member, list):
                    yield from _entries(member, place)
        elif isinstance(part, list):
            rest.extend((f"{pointer}/{index}", item) for index, item in enumerate(part))


def _entries(items: list[Json], pointer: str) -> Iterator[tuple[str, str]]:
    for index, item in enumerate(items):
        if isinstance(item, dict):
            for name in item:
                yield name, f"{pointer}/{index}{join_pointer(name)}"
