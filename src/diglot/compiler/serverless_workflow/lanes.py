"""Task lists laid out as nodes and flows: order, `then`, `if`, and the ends of a scope.

Source: DSL, Task Flow; DSL reference, Task, Flow Directive; our decisions A14, A17, A43.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .. import codes
from ..graph import Assign, End, Guard, Scope, Start, Trigger, Variable
from ..pointers import join_pointer
from .constructs import construct_of
from .jumps import check_switches, report_unknown_target
from .read_data import rules as data_rules
from .reading import Common, Entry, Place, Reading, rules
from .timeouts import add_timeout
from .values import expression

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.tasks import TaskItem

#: The forms of a scope that a task list becomes.
Form = Literal[
    "process", "sequence", "loop", "branch", "try", "handler", "each", "function", "extension"
]
#: Scopes that run several times or side by side, as a reader would call them.
_BLOCKS: Mapping[Form, str] = {
    "loop": "a `for`",
    "each": "a `foreach`",
    "branch": "a branch of a fork",
}
#: Whose tasks an empty list lacks.
_OWNERS: Mapping[Form, str] = {
    "process": "the workflow",
    "sequence": "the `do`",
    "loop": "the `for`",
    "try": "the `try`",
    "handler": "the `catch`",
    "each": "the `foreach`",
}
#: Directives, which a task's name cannot be.
DIRECTIVES = ("continue", "exit", "end")
#: Deeper than any author nests; functions that call functions can go deeper than their text.
DEPTH_LIMIT = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A list of tasks on its way into a scope; `after`, `exit` and `stop` are node ids.

    `after` is where the last task leads, `exit` and `stop` where the directives `exit` and `end`
    lead. `names` are the tasks that a `then` can name, with their node ids; a `branch` has none.
    """

    scope: str
    form: Form
    pointer: str
    prefix: str
    after: str
    exit: str
    stop: str
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    #: The task that these tasks extend, by its id; extension tasks are extended by nothing.
    extended: str = ""
    is_in_branch: bool = False
    depth: int = 0


def entries_of(tasks: Iterable[TaskItem], pointer: str) -> list[Entry]:
    """The tasks of the list at `pointer`."""
    return [
        Entry(item.name, item.task, f"{pointer}/{index}{join_pointer(item.name)}")
        for index, item in enumerate(tasks)
    ]


def add_scope(
    reading: Reading,
    entries: Sequence[Entry],
    *,
    id: str,
    form: Form,
    parent: str | None,
    pointer: str,
    inside: Place | None = None,
    prefix: str | None = None,
    variables: tuple[Variable, ...] = (),
    first: Assign | None = None,
    triggers: tuple[Trigger, ...] = (),
) -> None:
    """A scope that runs these tasks, with its start and its ends.

    `inside` is the task that holds them; ids get its prefix, unless another one is given. The node
    `first` comes before the tasks.
    """
    if prefix is None:
        prefix = inside.prefix if inside is not None else ""
    start = f"{id}#start"
    open_scope(reading, id, form, parent, pointer, start=start, variables=variables)
    reading.into.add(Start(id=start, scope=id, pointer=pointer, triggers=triggers))
    lane = Lane(
        scope=id,
        form=form,
        pointer=pointer,
        prefix=prefix,
        after=f"{id}#end",
        exit=f"{id}#end",
        stop=f"{id}#stop",
        names={} if form == "branch" else ids_of(entries, prefix),
        extended="" if inside is None else inside.extended,
        is_in_branch=form == "branch" or (inside is not None and inside.is_in_branch),
        depth=inside.depth if inside is not None else 0,
    )
    entry = prefix + entries[0].pointer if entries else lane.after
    if first is None:
        reading.into.add_flow(start, entry)
    else:
        reading.into.add_flow(start, first.id)
        reading.into.add(first)
        reading.into.add_flow(first.id, entry)
    if not entries:
        reading.find(codes.EMPTY_DO, pointer, owner=_OWNERS.get(form, "the list"))
    add_tasks(reading, entries, lane)
    close_scope(reading, lane)


def open_scope(
    reading: Reading,
    id: str,
    form: Form | Literal["branches"],
    parent: str | None,
    pointer: str,
    *,
    start: str,
    variables: tuple[Variable, ...] = (),
) -> None:
    """A scope without its nodes."""
    reading.into.add_scope(
        Scope(
            id=id,
            parent=parent,
            form=form,
            start=start,
            variables=variables,
            pointer=pointer,
            span=reading.span(pointer),
        )
    )


def close_scope(reading: Reading, lane: Lane) -> None:
    """The ends that something leads to; a scope has one in any case."""
    into = reading.into
    stops = into.is_target(lane.stop)
    if into.is_target(f"{lane.scope}#end") or not stops:
        into.add(End(id=f"{lane.scope}#end", scope=lane.scope, pointer=lane.pointer))
    if stops:
        into.add(End(id=lane.stop, scope=lane.scope, pointer=lane.pointer, effect="instance"))


def add_tasks(reading: Reading, entries: Sequence[Entry], lane: Lane) -> None:
    """The tasks of a lane, each with its flows to what follows it."""
    check_names(reading, entries)
    check_switches(reading, entries)
    ids = [lane.prefix + entry.pointer for entry in entries]
    for entry, id, following in zip(entries, ids, [*ids, lane.after][1:], strict=True):
        ways = _LaneWays(reading, lane, lane.after if lane.form == "branch" else following)
        _add_task(reading, entry, lane, ways, id)


def add_task_node(reading: Reading, task: Any, place: Place) -> None:
    """The task's own nodes and its time-out, without flows from it."""
    rules()[place.common["construct"]](task, place, reading)
    if task.timeout is not None:
        add_timeout(reading, task.timeout, f"{place.pointer}/timeout", node=place.id)


def leaves_by_itself(construct: str) -> bool:
    """Whether a task goes on to what `then` says; a switch chooses, a raise goes nowhere."""
    return construct not in ("switch", "raise")


def check_names(reading: Reading, entries: Sequence[Entry]) -> None:
    """Report task names of one list that a `then` could not tell apart or not reach."""
    first: dict[str, Entry] = {}
    for entry in entries:
        span = reading.document.key_span_of(entry.pointer)
        if entry.name in first:
            line = reading.document.key_span_of(first[entry.name].pointer).start.line
            reading.find(
                codes.DUPLICATE_TASK_NAME, entry.pointer, span=span, task=entry.name, first=line
            )
        first.setdefault(entry.name, entry)
        if entry.name in DIRECTIVES:
            reading.find(codes.TASK_NAME_RESERVED, entry.pointer, span=span, task=entry.name)
        if "/" in entry.name or "~" in entry.name:
            escaped = join_pointer(entry.name)[1:]
            reading.find(
                codes.TASK_NAME_ESCAPED,
                entry.pointer,
                span=span,
                task=entry.name,
                escaped=escaped,
            )


def _add_task(reading: Reading, entry: Entry, lane: Lane, ways: _LaneWays, id: str) -> None:
    if lane.depth > DEPTH_LIMIT:
        reading.cut(entry.pointer, levels=DEPTH_LIMIT)
    elif reading.into.is_full:
        reading.cut(entry.pointer, nodes=reading.into.limit)
    if reading.is_cut:
        return
    task, pointer = entry.task, entry.pointer
    guard = None
    if task.if_ is not None:
        skip = reading.into.add_flow(id, ways.following, role="skip")
        guard = Guard(condition=expression(reading, task.if_, f"{pointer}/if"), skip=skip)
    construct = construct_of(task)
    common = Common(
        id=id,
        scope=lane.scope,
        pointer=pointer,
        name=entry.name,
        construct=construct,
        span=reading.span(pointer),
        guard=guard,
        data=data_rules(reading, pointer, input=task.input, output=task.output, export=task.export),
        subject=lane.extended,
    )
    place = Place(
        common=common,
        prefix=lane.prefix,
        ways=ways,
        extended=lane.extended,
        is_in_branch=lane.is_in_branch,
        depth=lane.depth + 1,
    )
    if lane.is_in_branch and task.export is not None:
        place_of_export = f"{pointer}/export"
        span = reading.document.key_span_of(place_of_export)
        reading.find(codes.EXPORT_IN_BRANCH, place_of_export, span=span)
    if not lane.extended and reading.extensions:
        from .read_extensions import add_extended, extensions_of

        around = extensions_of(reading, construct)
        if around:
            reading.extending.update(named.pointer for named in around)
            add_extended(reading, task, place, around)
            return
    target = ways.to(task.then or "continue", f"{pointer}/then")
    if leaves_by_itself(construct):
        reading.into.add_flow(id, target)
    add_task_node(reading, task, place)


@dataclass(frozen=True, slots=True)
class _LaneWays:
    """Where directives lead from one task of a lane; `following` is the node of the next one."""

    reading: Reading
    lane: Lane
    following: str

    def to(self, directive: str, pointer: str) -> str:
        lane = self.lane
        match directive:
            case "continue":
                return self.following
            case "exit":
                if lane.form in ("loop", "each"):
                    self.reading.find(codes.EXIT_INSIDE_LOOP, pointer)
                return lane.exit
            case "end":
                if lane.form in _BLOCKS:
                    self.reading.find(codes.END_INSIDE_BLOCK, pointer, block=_BLOCKS[lane.form])
                return lane.stop
            case _:
                if directive not in lane.names:
                    report_unknown_target(
                        self.reading,
                        directive,
                        pointer,
                        lane.names,
                        in_branch=lane.form == "branch",
                    )
                return lane.names.get(directive, self.following)


def ids_of(entries: Sequence[Entry], prefix: str) -> dict[str, str]:
    """The node id of each task by its name; of two with one name, of the first."""
    ids: dict[str, str] = {}
    for entry in entries:
        ids.setdefault(entry.name, prefix + entry.pointer)
    return ids
