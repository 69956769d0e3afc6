"""The variables of every scope, and what is known of them at any time of a run.

A scope's variables are one object: what it declares is always there, what is set where no scope
has the name becomes a variable of the root. Who writes when is not followed: a variable has the
type of everything that is ever put into it.

Source: BPMN 2.0.2 10.4.1; DSL, Runtime Expression Arguments.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from diglot.compiler.graph import Graph

from .joining import coarser, lay_over, union, union_of
from .model import ANY_NUMBER, ANYTHING, NOTHING, Member, Object, Type, object_of

#: After so many changes a variable is looked at less closely, after twice as many not at all.
_CHANGES = 4
_COUNTS = (
    "numberOfInstances",
    "numberOfActiveInstances",
    "numberOfCompletedInstances",
    "numberOfTerminatedInstances",
)
_NO_VARIABLES = object_of({}, NOTHING)
_COUNTED = object_of(dict.fromkeys(_COUNTS, Member(ANY_NUMBER)), NOTHING)


class Variables:
    """What the scopes of a graph hold; `version` counts the changes."""

    def __init__(self, graph: Graph, counting: frozenset[str]) -> None:
        self.version = 0
        self._root = graph.root
        self._parents = {scope.id: scope.parent for scope in graph.scopes}
        self._held: dict[str, dict[str, Member]] = {scope.id: {} for scope in graph.scopes}
        self._rest: dict[str, Type] = {}
        #: By scope: what was put into variables whose names are not known.
        self._any: dict[str, Type] = {}
        self._changes: dict[tuple[str, str], int] = {}
        self._sights: dict[str, tuple[int, Type]] = {}
        #: Bodies whose runs are counted in variables.
        self._counting = counting

    def declare(self, scope: str, name: str, type: Type) -> None:
        """A variable that the scope has from its beginning."""
        self._join(scope, name, type, is_required=True)

    def open(self, scope: str, rest: Type, named: Collection[str] = ()) -> None:
        """The scope may have variables beside the `named` ones, of this type."""
        for name in self._held.get(scope, {}).keys() - set(named):
            self._join(scope, name, rest, is_required=False)
        before = self._rest.get(scope, NOTHING)
        after = union(before, rest)
        if after != before:
            self._rest[scope] = after
            self.version += 1

    def write(self, scope: str, name: str, type: Type) -> None:
        """Put a value into the variable of the nearest scope that has the name, else the root's."""
        for one in self._outwards(scope):
            member = self._held[one].get(name)
            if member is not None:
                self._join(one, name, type, is_required=False)
                if member.is_required:
                    return
            elif one in self._rest:
                self.open(one, type)
        if self._root in self._held:
            self._join(self._root, name, type, is_required=False)

    def write_local(self, scope: str, name: str, type: Type) -> None:
        """Put a value into a variable of this very scope."""
        if scope in self._held:
            self._join(scope, name, type, is_required=False)

    def write_any(self, scope: str, type: Type, *, is_local: bool = False) -> None:
        """Put a value into a variable whose name is not known."""
        for one in self._outwards(scope):
            before = self._any.get(one, NOTHING)
            after = union(before, type)
            if after != before:
                self._any[one] = after
                for name in list(self._held[one]):
                    self._join(one, name, type, is_required=False)
                if one in self._rest or one == (scope if is_local else self._root):
                    self.open(one, type)
            if is_local:
                return

    def get(self, scope: str, name: str) -> Type:
        """What `$name` is in a scope; `NOTHING` where no scope in sight has it."""
        found = NOTHING
        for one in self._outwards(scope):
            member = self._held[one].get(name)
            if member is None:
                found = union(found, self._rest.get(one, NOTHING))
            else:
                found = union(found, member.type)
                if member.is_required:
                    break
        return found

    def of(self, scope: str) -> Object:
        """The variables of one scope alone."""
        type = object_of(self._held.get(scope, {}), self._rest.get(scope, NOTHING))
        assert type.object is not None
        return type.object

    def in_sight(self, scope: str) -> Type:
        """All variables that a scope sees, as one object, laid over each other from the outside."""
        found = _NO_VARIABLES
        for one in reversed(list(self._outwards(scope))):
            known = self._sights.get(one)
            if known is None or known[0] != self.version:
                known = self._sights[one] = (self.version, self._laid(found, one))
            found = known[1]
        return found

    def _laid(self, below: Type, scope: str) -> Type:
        around = below.object or Object({})
        if scope in self._counting:
            around = lay_over(around, _COUNTED.object or Object({})).object or Object({})
        return lay_over(around, self.of(scope))

    def _outwards(self, scope: str) -> Iterator[str]:
        seen: set[str] = set()
        at: str | None = scope
        while at is not None and at in self._held and at not in seen:
            seen.add(at)
            yield at
            at = self._parents.get(at)

    def _join(self, scope: str, name: str, type: Type, *, is_required: bool) -> None:
        held = self._held.get(scope)
        if held is None:
            return
        before = held.get(name)
        if before is None:
            # It may have been one of those that were not known by name.
            others = NOTHING if is_required else self._rest.get(scope, NOTHING)
            written = self._any.get(scope, NOTHING)
            held[name] = Member(union_of([type, others, written]), is_required)
            self.version += 1
            return
        after = Member(union(before.type, type), before.is_required or is_required)
        if after == before:
            return
        changes = self._changes[scope, name] = self._changes.get((scope, name), 0) + 1
        if changes > 2 * _CHANGES:
            after = Member(ANYTHING, after.is_required)
        elif changes > _CHANGES:
            after = Member(coarser(after.type), after.is_required)
        held[name] = after
        self.version += 1


def bound_as(names: Mapping[str, Type]) -> Object:
    """Names bound for one evaluation, as an object."""
    type = object_of({name: Member(type, True) for name, type in names.items()}, NOTHING)
    return type.object or Object({})
