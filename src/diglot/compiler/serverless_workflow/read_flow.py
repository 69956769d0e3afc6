"""Tasks that hold tasks or choose between them: do, for, fork, switch.

Source: DSL reference, Do, For, Fork, Switch; our decisions A10 to A16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import codes
from ..graph import (
    Assign,
    Choice,
    Constant,
    End,
    ErrorTrigger,
    Fork,
    Handler,
    Join,
    MultiInstance,
    Raise,
    ScopeNode,
    Start,
    Value,
    Variable,
)
from ..pointers import join_pointer
from .lanes import add_scope, check_names, entries_of, open_scope
from .reading import Entry, Place, Reading, reads
from .values import expression, value
from .variables import check_name

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import tasks as model


@reads("do")
def read_do(task: model.DoTask, at: Place, reading: Reading) -> None:
    """A sequence is a scope of its own, which `exit` ends."""
    body = at.inside("/do")
    reading.into.add(ScopeNode(**at.common, body=body))
    pointer = f"{at.pointer}/do"
    entries = entries_of(task.do, pointer)
    add_scope(
        reading, entries, id=body, form="sequence", parent=at.scope, pointer=pointer, inside=at
    )


@reads("for")
def read_for(task: model.ForTask, at: Place, reading: Reading) -> None:
    """The body runs once per item; each run starts with the output of the one before."""
    settings = task.for_
    place = f"{at.pointer}/for/in"
    collection: Value
    if isinstance(settings.in_, str):
        collection = expression(reading, settings.in_, place)
    else:
        collection = value(reading, list(settings.in_), place)
    condition = None
    if task.while_ is not None:
        condition = expression(reading, task.while_, f"{at.pointer}/while")
    check_name(reading, settings.each, f"{at.pointer}/for/each")
    check_name(reading, settings.at, f"{at.pointer}/for/at")
    multi = MultiInstance(
        collection=collection,
        item=settings.each,
        index=settings.at,
        is_chained=True,
        condition=condition,
    )
    body = at.inside("/do")
    reading.into.add(ScopeNode(**at.common, body=body, multi=multi))
    pointer = f"{at.pointer}/do"
    entries = entries_of(task.do, pointer)
    add_scope(reading, entries, id=body, form="loop", parent=at.scope, pointer=pointer, inside=at)


@reads("fork")
def read_fork(task: model.ForkTask, at: Place, reading: Reading) -> None:
    """Every branch runs in a scope of its own, on its own copy of the context.

    Without competition the branches meet in a join that collects their outputs in order. With it
    the first branch to succeed ends the others, and when all have failed the last error goes on.
    """
    pointer = f"{at.pointer}/fork/branches"
    scope = at.inside("/fork/branches")
    branches = entries_of(task.fork.branches, pointer)
    into = reading.into
    into.add(ScopeNode(**at.common, body=scope))
    start, fork = f"{scope}#start", f"{scope}#fork"
    open_scope(reading, scope, "branches", at.scope, pointer, start=start)
    into.add(Start(id=start, scope=scope, pointer=at.pointer))
    if not branches:
        # Nothing runs side by side: the result is the empty list. Nobody wins a race of none,
        # which hands its input on.
        reading.find(codes.EMPTY_DO, pointer, owner="the fork")
        last = start
        if not task.fork.compete:
            last = f"{scope}#none"
            into.add_flow(start, last)
            into.add(Assign(id=last, scope=scope, pointer=at.pointer, value=Constant([])))
        into.add_flow(last, f"{scope}#end")
        into.add(End(id=f"{scope}#end", scope=scope, pointer=at.pointer))
        return
    check_names(reading, branches)
    into.add_flow(start, fork)
    into.add(Fork(id=fork, scope=scope, pointer=at.pointer))
    for branch in branches:
        _add_branch(reading, branch, at, scope)
    ends = [f"{at.prefix}{branch.pointer}#branch" for branch in branches]
    if task.fork.compete:
        _add_race(reading, ends, at, scope)
    else:
        join, end = f"{scope}#join", f"{scope}#end"
        for source in ends:
            into.add_flow(source, join)
        into.add(Join(id=join, scope=scope, pointer=at.pointer, collects=True))
        into.add_flow(join, end)
        into.add(End(id=end, scope=scope, pointer=at.pointer))


def _add_branch(reading: Reading, branch: Entry, at: Place, scope: str) -> None:
    node = f"{at.prefix}{branch.pointer}#branch"
    body = f"{at.prefix}{branch.pointer}#scope"
    reading.into.add_flow(f"{scope}#fork", node)
    reading.into.add(ScopeNode(id=node, scope=scope, pointer=branch.pointer, body=body))
    add_scope(
        reading,
        [branch],
        id=body,
        form="branch",
        parent=scope,
        pointer=branch.pointer,
        inside=at,
        variables=(Variable(name="context", copies=True),),
    )


def _add_race(reading: Reading, branches: list[str], at: Place, scope: str) -> None:
    into = reading.into
    won, lost, all_lost = f"{scope}#won", f"{scope}#lost", f"{scope}#all-lost"
    for branch in branches:
        into.add_flow(branch, won)
        flow = into.add_flow(branch, lost, role="handler")
        into.add_handler(
            Handler(
                id=f"{branch}#lost",
                trigger=ErrorTrigger(),
                node=branch,
                flow=flow,
                pointer=at.pointer,
            )
        )
    into.add(End(id=won, scope=scope, pointer=at.pointer, effect="terminate"))
    into.add(Join(id=lost, scope=scope, pointer=at.pointer))
    into.add_flow(lost, all_lost)
    into.add(Raise(id=all_lost, scope=scope, pointer=at.pointer, again=True))


@reads("switch")
def read_switch(task: model.SwitchTask, at: Place, reading: Reading) -> None:
    """The first case that holds, else the case without `when`, else the task's own `then`."""
    into = reading.into
    branches: list[str] = []
    default: str | None = None
    default_name = ""
    for index, item in enumerate(task.switch):
        pointer = f"{at.pointer}/switch/{index}{join_pointer(item.name)}"
        case = item.case
        target = at.ways.to(case.then, f"{pointer}/then")
        if case.when is not None:
            condition = expression(reading, case.when, f"{pointer}/when")
            branches.append(into.add_flow(at.id, target, condition=condition, name=item.name))
        elif default is None:
            default_name = item.name
            default = into.add_flow(at.id, target, name=item.name)
        else:
            span = reading.document.key_span_of(pointer)
            reading.find(
                codes.TWO_DEFAULTS, pointer, span=span, first=default_name, second=item.name
            )
    own = at.ways.to(task.then or "continue", f"{at.pointer}/then")
    if default is None:
        default = into.add_flow(at.id, own)
    into.add(Choice(**at.common, branches=tuple(branches), default=default))
