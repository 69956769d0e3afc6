"""Extensions: tasks before and after every task of a kind, laid out around each of them.

An extended task becomes a scope with the task's id, name, `if` and `then`. Inside stand the
extension's tasks, and between them the task itself with its data rules and time-out:

    start, [when, before tasks, input again] for each extension in order,
    the task, keep its output, [after tasks, output again] for each in reverse, the output, end

Source: DSL reference, Extension; our decisions A37 to A39.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from diglot.specs.serverless_workflow.model.tasks import TryTask

from ..graph import (
    Assign,
    Choice,
    Constant,
    DataRules,
    Expression,
    Pass,
    Record,
    ScopeNode,
    Start,
    Value,
    Variable,
)
from .constructs import extends
from .lanes import (
    Lane,
    add_task_node,
    add_tasks,
    close_scope,
    entries_of,
    ids_of,
    leaves_by_itself,
    open_scope,
)
from .reading import Common, Entry, NamedExtension, Place, Reading, Ways
from .values import expression

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.tasks import Task

#: What the scope was entered with: the raw input of the extended task.
_INPUT = Expression(text="$__scope.input")
_SELF = Expression(text=".")
#: Variables of the scope: the task's output, and the number of the way out that it took.
_OUTPUT, _EXIT = "__output", "__exit"


def extensions_of(reading: Reading, construct: str) -> list[NamedExtension]:
    """The extensions that extend this construct, in the order in which they are declared."""
    return [
        named
        for named in reading.extensions
        if extends(named.extension.extend, construct)
        and (named.extension.before or named.extension.after)
    ]


def add_extended(reading: Reading, task: Task, at: Place, around: Sequence[NamedExtension]) -> None:
    """The scope around one task, everything in it, and its flows to what follows."""
    layout = _Layout(reading, task, at, around)
    own = at.ways.to(task.then or "continue", f"{at.pointer}/then")
    leaves = leaves_by_itself(at.common["construct"])
    if layout.has_choice:
        reading.into.add_flow(at.id, f"{at.id}#route")
    elif leaves:
        reading.into.add_flow(at.id, own)
    reading.into.add(ScopeNode(**_renamed(at.common, at.id, at.scope), body=layout.scope))
    layout.add()
    if layout.has_choice:
        layout.add_route(own)
    elif not leaves and reading.into.is_target(f"{at.id}#bypass"):
        # A raise goes nowhere, but a task before it may lead past it.
        reading.into.add_flow(at.id, own)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of the scope: the id it is entered at, and how it is laid out up to the next."""

    entry: str
    add: Callable[[str], None]


@dataclass(slots=True)
class _Exits:
    """Ways out of the extended task beside its `then`: those of a switch's cases, of a catch.

    They lead out of the scope, where no flow can go. So each is noted by its number, the token
    goes on inside, and a choice behind the scope sends it there.
    """

    outer: Ways
    base: str
    targets: list[str] = field(default_factory=list[str])

    def to(self, directive: str, pointer: str) -> str:
        """The node that notes this way out."""
        target = self.outer.to(directive, pointer)
        if target not in self.targets:
            self.targets.append(target)
        return self.marker(self.targets.index(target))

    def marker(self, number: int) -> str:
        """The id of the node that notes the way out of this number."""
        return f"{self.base}#exit-{number}"


class _Layout:
    """One extended task on its way into the graph."""

    def __init__(
        self, reading: Reading, task: Task, at: Place, around: Sequence[NamedExtension]
    ) -> None:
        self.reading = reading
        self.into = reading.into
        self.task = task
        self.at = at
        self.around = around
        self.scope = f"{at.id}#extended"
        self.exits = _Exits(at.ways, at.id)
        construct = at.common["construct"]
        #: A raise never gets to what comes after it.
        self.has_after = construct != "raise" and any(n.extension.after for n in around)
        #: Whether the task may leave by another way than its `then`.
        self.has_choice = construct == "switch" or (
            isinstance(task, TryTask) and task.catch.then is not None
        )

    def add(self) -> None:
        """The scope and its nodes."""
        start, end = f"{self.scope}#start", f"{self.scope}#end"
        names = [_OUTPUT] if self.has_after else []
        names += [_EXIT] if self.has_choice else []
        names += [_decision(i) for i, named in enumerate(self.around) if self._is_asked(named)]
        open_scope(
            self.reading,
            self.scope,
            "extension",
            self.at.scope,
            self.at.pointer,
            start=start,
            variables=tuple(Variable(name=name, value=Constant(None)) for name in names),
        )
        self.into.add(Start(id=start, scope=self.scope, pointer=self.at.pointer))
        parts = self._parts()
        self.into.add_flow(start, parts[0].entry)
        for part, following in zip(parts, [*(p.entry for p in parts[1:]), end], strict=True):
            part.add(following)
        self._add_bypass(end)
        close_scope(self.reading, self._lane(self.at.pointer, (), after=end, exit=end))

    def add_route(self, own: str) -> None:
        """Behind the scope: the way out that was noted inside, else the task's own `then`."""
        route = self._id("route")
        branches = [
            self.into.add_flow(route, target, condition=Expression(text=f".exit == {number}"))
            for number, target in enumerate(self.exits.targets)
        ]
        self.into.add(
            Choice(
                id=route,
                scope=self.at.scope,
                pointer=self.at.pointer,
                data=DataRules(write=Expression(text=".output")),
                branches=tuple(branches),
                default=self.into.add_flow(route, own),
            )
        )

    def _parts(self) -> list[_Part]:
        parts: list[_Part] = []
        numbered = list(enumerate(self.around))
        for index, named in numbered:
            if named.extension.before or self._is_asked(named):
                parts.append(self._before(index, named))
        parts.append(_Part(self._inner, self._add_task))
        if self.has_after:
            parts.append(_Part(self._id("keep"), self._add_keep))
            behind = [(i, named) for i, named in numbered if named.extension.after]
            parts += [self._after(index, named) for index, named in reversed(behind)]
        if self.has_after or self.has_choice:
            parts.append(_Part(self._id("output"), self._add_output))
        return parts

    def _before(self, index: int, named: NamedExtension) -> _Part:
        """`when`, then the tasks; each extension and the task itself see the raw input (A38)."""
        pointer = f"{named.pointer}/before"
        entries = entries_of(named.extension.before or (), pointer)
        when, again = self._id(f"when-{index}"), self._id(f"input-{index}")
        applies = self._id(f"applies-{index}")

        def add(following: str) -> None:
            first = self._first(entries, following)
            if named.extension.when is not None:
                inside = applies if self._is_asked(named) else first
                condition = expression(self.reading, named.extension.when, f"{named.pointer}/when")
                self._add_choice(when, condition, inside, following, construct="extension")
            if self._is_asked(named):
                noted = DataRules(export=Constant(True), export_to=_decision(index))
                self._add_pass(applies, noted, first)
            if entries:
                lane = self._lane(pointer, entries, after=again, exit=self._id("bypass"))
                add_tasks(self.reading, entries, lane)
                self._add_assign(again, _INPUT, following)

        return _Part(when if named.extension.when is not None else self._first(entries, ""), add)

    def _after(self, index: int, named: NamedExtension) -> _Part:
        """The tasks, if `when` has held before; what they give is dropped (A38)."""
        pointer = f"{named.pointer}/after"
        entries = entries_of(named.extension.after or (), pointer)
        asked, again = self._id(f"after-{index}"), self._id(f"output-{index}")
        first = self._first(entries, again)

        def add(following: str) -> None:
            if self._is_asked(named):
                condition = Expression(text=f"${_decision(index)}")
                self._add_choice(asked, condition, first, following)
            add_tasks(self.reading, entries, self._lane(pointer, entries, after=again, exit=again))
            self._add_assign(again, Expression(text=f"${_OUTPUT}"), following)

        return _Part(asked if self._is_asked(named) else first, add)

    def _add_task(self, following: str) -> None:
        common = _renamed(self.at.common, self._inner, self.scope)
        common["guard"] = None
        common["data"] = self.at.common["data"]
        place = replace(self.at, common=common, ways=self.exits)
        if leaves_by_itself(common["construct"]):
            self.into.add_flow(self._inner, following)
        add_task_node(self.reading, self.task, place)
        for number in range(len(self.exits.targets)):
            noted = DataRules(export=Constant(number), export_to=_EXIT)
            self._add_pass(self.exits.marker(number), noted, following)

    def _add_keep(self, following: str) -> None:
        self._add_pass(self._id("keep"), DataRules(export=_SELF, export_to=_OUTPUT), following)

    def _add_output(self, following: str) -> None:
        output: Value = Expression(text=f"${_OUTPUT}") if self.has_after else _SELF
        if self.has_choice:
            output = Record((("exit", Expression(text=f"${_EXIT}")), ("output", output)))
        self._add_assign(self._id("output"), output, following)

    def _add_bypass(self, end: str) -> None:
        """The end of a task before that leaves with `exit`: its output is the extended task's."""
        bypass, bypassed = self._id("bypass"), self._id("bypassed")
        if not self.into.is_target(bypass):
            return
        rules = self.at.common["data"]
        if rules is not None:
            rules = msgspec.structs.replace(rules, input_schema=None, read=None)
        self._add_pass(bypass, rules, bypassed if self.has_choice else end)
        if self.has_choice:
            output = Record((("exit", Constant(None)), ("output", _SELF)))
            self._add_assign(bypassed, output, end)

    @property
    def _inner(self) -> str:
        return f"{self.at.id}~inner"

    def _id(self, suffix: str) -> str:
        return f"{self.at.id}#{suffix}"

    def _is_asked(self, named: NamedExtension) -> bool:
        """Whether an answer of `when` is needed again after the task."""
        extension = named.extension
        return self.has_after and extension.when is not None and bool(extension.after)

    def _lane(self, pointer: str, entries: Sequence[Entry], *, after: str, exit: str) -> Lane:
        prefix = f"{self.at.id}~"
        return Lane(
            scope=self.scope,
            form="extension",
            pointer=pointer,
            prefix=prefix,
            after=after,
            exit=exit,
            stop=f"{self.scope}#stop",
            names=ids_of(entries, prefix),
            extended=self.at.id,
            is_in_branch=self.at.is_in_branch,
            depth=self.at.depth,
        )

    def _first(self, entries: Sequence[Entry], otherwise: str) -> str:
        return f"{self.at.id}~{entries[0].pointer}" if entries else otherwise

    def _add_choice(
        self, id: str, condition: Expression, target: str, otherwise: str, construct: str = ""
    ) -> None:
        branch = self.into.add_flow(id, target, condition=condition)
        default = self.into.add_flow(id, otherwise)
        self.into.add(
            Choice(
                id=id,
                scope=self.scope,
                pointer=self.at.pointer,
                name=self.at.common["name"] if construct else "",
                construct=construct,
                branches=(branch,),
                default=default,
            )
        )

    def _add_pass(self, id: str, rules: DataRules | None, following: str) -> None:
        self.into.add(Pass(id=id, scope=self.scope, pointer=self.at.pointer, data=rules))
        self.into.add_flow(id, following)

    def _add_assign(self, id: str, value: Value, following: str) -> None:
        self.into.add(Assign(id=id, scope=self.scope, pointer=self.at.pointer, value=value))
        self.into.add_flow(id, following)


def _decision(index: int) -> str:
    """The variable that holds whether an extension applies."""
    return f"__applies_{index}"


def _renamed(common: Common, id: str, scope: str) -> Common:
    """The same task as another node, without data rules of its own."""
    renamed = common.copy()
    renamed["id"], renamed["scope"], renamed["data"] = id, scope, None
    return renamed
