"""Which variable a name means: the nearest scope that has it, as the machine finds it.

A variable that is filled member by member (`$context` of a workflow) counts as one variable for
each member that somebody names, and one more for the rest of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from diglot.compiler.graph import (
    Constant,
    ErrorTrigger,
    EscalationTrigger,
    Graph,
    Receive,
    Record,
    ScopeNode,
)

#: What the machine counts of the runs of an activity, for expressions inside of one.
COUNTS: Final = frozenset(
    {
        "numberOfInstances",
        "numberOfActiveInstances",
        "numberOfCompletedInstances",
        "numberOfTerminatedInstances",
    }
)
#: How many scopes are looked through for all names together; more only a graph made for it has.
_MOST_STEPS: Final = 2_000_000
#: First values that are none.
_EMPTY: Final = (None, Constant(None), Constant({}))
_NONE: Final[frozenset[str]] = frozenset()
#: The rest of a variable, beside the members that somebody names.
REST: Final = "*"


class Place(NamedTuple):
    """A variable: its name and the scope that holds it.

    It is private where one of several branches has a copy of it, and declared where the scope, or
    what enters it, says that it is there.
    """

    holder: str
    name: str
    is_private: bool
    is_declared: bool


class Variables:
    """The variables of a graph; each that is asked for gets a number, one bit of a set."""

    def __init__(self, graph: Graph) -> None:
        self.root = graph.root
        self.parents = {scope.id: scope.parent for scope in graph.scopes}
        #: Names of each scope that the scope declares, in order; True where they have a value.
        self.declared: dict[str, dict[str, bool]] = {}
        #: Names of which a scope has a copy.
        self.copies: dict[str, frozenset[str]] = {}
        #: Scopes whose variables come in by a mapping.
        self.mapped: set[str] = set()
        #: Scopes that take whatever comes in, so that any name may be one of theirs.
        self.unclear: set[str] = set()
        #: Variables that rules fill member by member.
        self.filled: frozenset[str] = frozenset(
            rules.export_to
            for rules in (node.data for node in graph.nodes)
            if rules is not None and rules.export_mode in ("replace", "merge")
        )
        self._learn(graph)
        self._places: dict[tuple[str, str], Place | None] = {}
        self._numbers: dict[tuple[str, str, str | None], int] = {}
        #: By number: the variable and, of one that is filled, the member.
        self.known: list[tuple[Place, str | None]] = []
        self._own: dict[str, int] = {}
        self._whole: dict[tuple[str, str], int] = {}
        self._sights: dict[str, int] = {}
        self._steps = 0

    def _learn(self, graph: Graph) -> None:
        inputs: dict[str, tuple[str, ...] | None] = {}
        for node in graph.nodes:
            match node:
                case ScopeNode(body=body):
                    bound: set[str] = set()
                    if node.multi is not None:
                        bound = {node.multi.item, node.multi.index}
                        bound |= COUNTS if node.multi.counts else set()
                    elif node.loop is not None:
                        bound = {node.loop.index}
                    self._bind(body, bound)
                    read = None if node.data is None else node.data.read
                    inputs[body] = None
                    if isinstance(read, Record):
                        inputs[body] = tuple(name for name, _ in read.members)
                case Receive(body=str(body)):
                    self._bind(body, {node.item, node.index})
                case _:
                    pass
        for handler in graph.handlers:
            trigger = handler.trigger
            if handler.run is not None and isinstance(trigger, ErrorTrigger | EscalationTrigger):
                self._bind(handler.run, {trigger.variable})
        for scope in graph.scopes:
            own = self.declared.setdefault(scope.id, {})
            copies: set[str] = set()
            for variable in scope.variables:
                if variable.copies:
                    copies.add(variable.name)
                    continue
                own.setdefault(variable.name, variable.value not in _EMPTY)
            if copies:
                self.copies[scope.id] = frozenset(copies)
            if scope.binds_input and scope.id != graph.root:
                self.mapped.add(scope.id)
                names = inputs.get(scope.id)
                if names is None:
                    self.unclear.add(scope.id)
                own.update((name, True) for name in names or ())

    def _bind(self, scope: str, names: set[str]) -> None:
        own = self.declared.setdefault(scope, {})
        own.update((name, True) for name in sorted(names) if name)

    # -- names

    def place(self, scope: str, name: str, *, is_member: bool = False) -> Place | None:
        """The variable that a name means in a scope; None where it means none, or it is not known.

        `is_member`: it was taken from the object of all variables, where whatever nobody declares
        is a variable of the outermost scope.
        """
        if name.startswith("__"):
            return None
        found = self._places.get((scope, name))
        if found is None and (scope, name) not in self._places:
            found = self._places[scope, name] = self._find(scope, name)
        if found is not None and not (found.is_declared or is_member):
            return None
        return found

    def _find(self, scope: str, name: str) -> Place | None:
        at: str | None = scope
        is_private = False
        seen = 0
        while at is not None and at in self.parents:
            if name in self.declared[at]:
                return Place(at, name, is_private, True)
            if at in self.unclear:
                return None
            is_private = is_private or name in self.copies.get(at, _NONE)
            at = self.parents[at]
            seen += 1
            if seen > len(self.parents):
                return None
        self._steps += seen
        return None if self._steps > _MOST_STEPS else Place(self.root, name, is_private, False)

    def is_from_outside(self, place: Place) -> bool:
        """Whether who starts the instance may have given it a value.

        The members of what is filled by rules come from these rules alone.
        """
        return place.holder == self.root and place.name not in self.filled

    # -- sets of variables

    def bit(self, place: Place, key: str | None = None) -> int:
        """The set of one variable, or of one member of it."""
        if place.name not in self.filled or not place.is_declared:
            key = None
        found = self._numbers.get((place.holder, place.name, key))
        if found is None:
            found = self._numbers[place.holder, place.name, key] = len(self.known)
            self.known.append((place, key))
            bit = 1 << found
            self._own[place.holder] = self._own.get(place.holder, 0) | bit
            whole = (place.holder, place.name)
            self._whole[whole] = self._whole.get(whole, 0) | bit
        return 1 << found

    def is_filled(self, place: Place) -> bool:
        """Whether it counts member by member."""
        return place.name in self.filled and place.is_declared

    def own(self, scope: str) -> int:
        """The variables a scope holds, as far as somebody named them."""
        return self._own.get(scope, 0)

    def whole(self, place: Place) -> int:
        """A variable with all members of it that somebody named."""
        return self._whole.get((place.holder, place.name), 0)

    def copied(self, scope: str) -> int:
        """The variables of which a scope has a copy."""
        found = 0
        for name in self.copies.get(scope, _NONE):
            place = self.place(scope, name)
            found |= 0 if place is None else self.whole(place)
        return found

    def in_sight(self, scope: str) -> int:
        """The variables that an expression of a scope sees as one object.

        Once all of them have a number: the answer is kept.
        """
        known = self._sights.get(scope)
        if known is not None:
            return known
        found = 0
        at: str | None = scope
        seen = 0
        while at is not None and at in self.parents and seen <= len(self.parents):
            found |= self.own(at)
            at = self.parents[at]
            seen += 1
        self._sights[scope] = found
        return found

    def names_of(self, bits: int) -> list[str]:
        """What the variables of a set are called: the member where one is meant."""
        return list(dict.fromkeys(key or place.name for place, key in self.places_of(bits)))

    def places_of(self, bits: int) -> list[tuple[Place, str | None]]:
        """The variables of a set, in the order in which they were named."""
        found: list[tuple[Place, str | None]] = []
        while bits:
            lowest = bits & -bits
            found.append(self.known[lowest.bit_length() - 1])
            bits ^= lowest
        return found
