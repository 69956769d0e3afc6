"""What an expression gives for an input of a type: the walk over its tree, and what it notes.

The rules for the parts of a tree stand in the modules `of_*`, each under the class of its part. A
rule gets the type of the input and gives the type of the results with how many there are, as far
as that is sure; of what is not sure it gives `ANYTHING`. What certainly goes wrong is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec

from diglot.compiler.expressions import tree

from .joining import finished, union
from .model import NOTHING, NULL_ONLY, ODD_ANYTHING, Type

#: The parts looked at for one expression, and the functions that are looked into inside each other.
_MOST_PARTS: Final = 4_000
_DEEPEST: Final = 12
#: The parts looked at for a whole graph; one whose input has so many types in it counts twice.
_MOST_IN_ALL: Final = 600_000
_LARGE: Final = 8


class Results(msgspec.Struct, frozen=True):
    """The type of all results, and the least and the most of them if nothing fails.

    `most` is 2 for several.
    """

    type: Type
    least: int = 1
    most: int = 1

    @property
    def is_one(self) -> bool:
        """Whether there is exactly one."""
        return self.least == self.most == 1


NONE: Final = Results(NOTHING, 0, 0)
OPEN: Final = Results(ODD_ANYTHING, 0, 2)


class Note(msgspec.Struct, frozen=True):
    """What is wrong at the characters `[start, end)` of an expression.

    `fails`: this part never gives anything; `absent`: nothing is ever called that; `unnamed`: the
    schema has no such name, and allows it. `is_certain`: whoever computes the expression comes to
    this part.
    """

    kind: Literal["fails", "absent", "unnamed"]
    start: int
    end: int
    name: str
    words: str
    type: Type
    is_certain: bool


class Closure(msgspec.Struct, frozen=True):
    """A function with what was in sight where it was defined; an argument is one, too."""

    body: tree.Node
    env: Env
    function: tree.Function | None = None


class Env(msgspec.Struct, frozen=True):
    """Variables and functions in sight; `outside` knows the variables that the machine binds."""

    outside: Callable[[str], Type]
    variables: Mapping[str, Type] = {}
    functions: Mapping[tuple[str, int], Closure] = {}

    def variable(self, name: str) -> Type:
        """The type of `$name`."""
        found = self.variables.get(name)
        return self.outside(name) if found is None else found

    def with_variables(self, variables: Mapping[str, Type]) -> Env:
        """With these variables in front."""
        return Env(self.outside, {**self.variables, **variables}, self.functions)

    def with_function(self, name: str, arity: int, closure: Closure) -> Env:
        """With this function in front."""
        return Env(self.outside, self.variables, {**self.functions, (name, arity): closure})


Rule = Callable[["Inference", Any, Type, Env], Results]
_R = TypeVar("_R", bound=Rule)
_rules: dict[type[tree.Node], Rule] = {}


def infers(part: type[tree.Node]) -> Callable[[_R], _R]:
    """Register the rule for parts of this class."""

    def register(rule: _R) -> _R:
        _rules[part] = rule
        return rule

    return register


class Budget:
    """The parts that are looked at for a whole graph; where none are left, all is open."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST_IN_ALL


class Inference:
    """The look at one expression; `notes` gathers what is wrong with it."""

    def __init__(self, *, is_noting: bool = False, budget: Budget | None = None) -> None:
        self.notes: list[Note] | None = [] if is_noting else None
        #: Set when something may be no number; see `Type.is_odd`.
        self.has_odd = False
        #: Set when the whole expression surely fails.
        self.has_failed = False
        #: How many functions are being looked into.
        self.depth = 0
        #: While not 0: what fails is caught; not every run comes here; nothing is noted.
        self.caught = self.maybe = self.silent = 0
        self._left = _MOST_PARTS
        self._budget = budget or Budget()

    def of(self, node: tree.Node, dot: Type, env: Env) -> Results:
        """The results of one part for an input of the type `dot`."""
        self._left -= 1
        self._budget.left -= 1 + dot.size // _LARGE
        if self._left < 0 or self._budget.left < 0:
            self.has_odd = True
            return OPEN
        if dot is NOTHING or dot == NOTHING:
            return NONE
        rule = _rules.get(node.__class__)
        found = OPEN if rule is None else rule(self, node, dot, env)
        if found.type.is_odd:
            self.has_odd = True
        return NONE if found.type == NOTHING else found

    def each_of(self, nodes: Sequence[tree.Node], dot: Type, env: Env) -> list[Results]:
        """The results of parts that are combined: where one is without any, no other is sure."""
        found: list[Results] = []
        failed: list[bool] = []
        stretches: list[tuple[int, int]] = []
        has_failed = self.has_failed
        for node in nodes:
            start, self.has_failed = self._noted, False
            found.append(self.of(node, dot, env))
            failed.append(self.has_failed)
            stretches.append((start, self._noted))
        empty = [place for place, one in enumerate(found) if not one.least and not failed[place]]
        for place, stretch in enumerate(stretches):
            if any(other != place for other in empty):
                self._doubt(*stretch)
            else:
                has_failed = has_failed or failed[place]
        self.has_failed = has_failed
        return found

    @property
    def _noted(self) -> int:
        return len(self.notes or ())

    def _doubt(self, start: int, end: int) -> None:
        if self.notes is not None:
            self.notes[start:end] = [
                msgspec.structs.replace(note, is_certain=False) for note in self.notes[start:end]
            ]

    def note(
        self,
        kind: Literal["fails", "absent", "unnamed"],
        place: tuple[int, int],
        name: str,
        words: str,
        type: Type,
        *,
        is_sure: bool = True,
    ) -> None:
        """Note what is wrong at a place, if it is to be known."""
        if self.notes is None or self.silent or (self.caught and kind == "fails"):
            return
        note = Note(kind, *place, name, words, type, is_sure and not self.maybe)
        if note not in self.notes:
            self.notes.append(note)

    def fails(self, node: tree.Node, words: str, *, is_sure: bool = True) -> Results:
        """This part never gives a result, because of what `words` say.

        It is not `is_sure` where there may be nothing to fail on.
        """
        self.note("fails", (node.start, node.end), "", words, NOTHING, is_sure=is_sure)
        return self.given_up(is_sure=is_sure)

    def given_up(self, *, is_sure: bool = True) -> Results:
        """No results, because of a failure."""
        if is_sure and not self.maybe and not self.caught:
            self.has_failed = True
        return NONE

    def maybe_of(self, node: tree.Node, dot: Type, env: Env) -> Results:
        """The results of a part that not every run comes to."""
        self.maybe += 1
        found = self.of(node, dot, env)
        self.maybe -= 1
        return found

    def caught_of(self, node: tree.Node, dot: Type, env: Env) -> Results:
        """The results of a part whose failure is caught."""
        self.caught += 1
        found = self.of(node, dot, env)
        self.caught -= 1
        return found

    def call(self, closure: Closure, dot: Type, arguments: tuple[Closure, ...]) -> Results:
        """The results of a function, or of an argument that is evaluated where it is named."""
        if closure.function is None:
            return self.of(closure.body, dot, closure.env)
        if self.depth >= _DEEPEST:
            return OPEN
        env = closure.env.with_function(
            closure.function.name, len(closure.function.parameters), closure
        )
        doubts = 0
        for parameter, argument in zip(closure.function.parameters, arguments, strict=True):
            if parameter.by_value:
                given = self.of(argument.body, dot, argument.env)
                env = env.with_variables({parameter.name: given.type})
                if given.type == NOTHING:
                    return NONE
                doubts += not given.least
            env = env.with_function(parameter.name, 0, argument)
        self.depth += 1
        self.silent += 1
        self.maybe += doubts
        found = self.of(closure.body, dot, env)
        self.maybe -= doubts
        self.silent -= 1
        self.depth -= 1
        # An argument by value with several results makes as many calls.
        has_values = any(parameter.by_value for parameter in closure.function.parameters)
        return Results(found.type, 0, 2) if has_values else found


def product(*counts: Results) -> tuple[int, int]:
    """The least and the most of the combinations of results."""
    least = min(one.least for one in counts)
    most = 0 if any(one.most == 0 for one in counts) else max(one.most for one in counts)
    return least, most


def value_of(found: Results, inference: Inference) -> Type:
    """The type of the one value that a place takes: no result is null, several are an error."""
    if inference.has_failed:
        return NOTHING
    type = finished(found.type) if inference.has_odd else found.type
    return union(type, NULL_ONLY) if found.least == 0 else type
