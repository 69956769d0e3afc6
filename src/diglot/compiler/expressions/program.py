"""A compiled expression, and the choice of who evaluates it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from . import analysis, tree
from .arithmetic import MAX_FLOAT
from .closures import Code
from .errors import ExpressionError, ExpressionLimit, ExpressionSyntaxError
from .growth import SMALL, check_size, factor
from .names import Span, find_names
from .parser import parse
from .paths import get
from .run import Run, out_of_depth
from .values import is_array, is_object

if TYPE_CHECKING:
    from .pool import EvaluatorPool

#: What an expression may cost natively: about a tenth of a second.
NATIVE_FUEL = 100_000
#: What stands behind every task of a process: its result, if that is an object.
_IF_OBJECT = 'if type == "object" then . else null end'


class _Compiled:
    """The parts of a program that are made when they are first asked for."""

    def __init__(self, text: str, node: tree.Node, variables: tuple[str, ...]) -> None:
        self.text = text
        self.tree = node
        self.variables = variables

    @cached_property
    def code(self) -> Code | None:
        # The rules register themselves when they are loaded, and a check needs none of them.
        from . import rules
        from .shared import compile_program

        rules.load()
        return compile_program(self.text, self.tree, self.variables)

    @cached_property
    def direct(self) -> Callable[[Any, Mapping[str, Any]], Any] | None:
        """A shorter way for `.a.b` and `$name.a.b`, which are most expressions there are."""
        if self.text == _IF_OBJECT:
            return lambda value, variables: value if is_object(value) else None
        base = self.tree
        keys: tuple[str | int, ...] = ()
        if isinstance(base, tree.Path):
            keys = analysis.leading_keys(base)
            if len(keys) < len(base.steps) or any(step.optional for step in base.steps):
                return None
            base = base.base
        if isinstance(base, tree.Variable) and self.variables:
            return _direct(base.name, keys)
        return _direct(None, keys) if isinstance(base, tree.Identity) else None

    @cached_property
    def is_measured(self) -> bool:
        return factor(self.tree) > SMALL

    @cached_property
    def is_boolean(self) -> bool | None:
        return analysis.is_boolean(self.tree)

    @cached_property
    def reads_input(self) -> bool:
        return analysis.reads_input(self.tree)

    @cached_property
    def paths(self) -> tuple[tuple[str | int, ...], ...]:
        return analysis.read_paths(self.tree)


@dataclass(frozen=True, slots=True)
class Program:
    """A jq expression that was read; its text alone makes it equal to another.

    `variables` are the names, without `$`, that it takes from outside. `now` counts as the
    variable `__now`, whose value is seconds since 1970. `variable_spans` has every use with its
    place. `forbidden` are uses of what reaches out of the evaluation (`env`, `input`, `debug`,
    `import` and their like), `unknown_functions` calls of what is neither defined nor jq's, as
    `name/arity`. Places are characters into the text, the end is behind the last one.
    """

    text: str
    variables: frozenset[str] = field(compare=False)
    variable_spans: tuple[Span, ...] = field(compare=False, repr=False)
    forbidden: tuple[Span, ...] = field(compare=False, repr=False)
    unknown_functions: tuple[Span, ...] = field(compare=False, repr=False)
    _compiled: _Compiled = field(compare=False, repr=False)

    @property
    def plain(self) -> bool:
        """Whether `evaluate` carries the whole program."""
        return self._compiled.code is not None

    @property
    def is_identity(self) -> bool:
        """Whether the result is the input as it is."""
        return isinstance(self._compiled.tree, tree.Identity)

    @property
    def is_boolean(self) -> bool | None:
        """True when every result is true or false, False when none is, None when that is open."""
        return self._compiled.is_boolean

    @property
    def reads_input(self) -> bool:
        """Whether the input can matter to the results."""
        return self._compiled.reads_input

    def paths(self) -> tuple[tuple[str | int, ...], ...]:
        """Paths of the input that the text spells out and surely reads; there may be more."""
        return self._compiled.paths

    @property
    def direct(self) -> Callable[[Any, Mapping[str, Any]], Any] | None:
        """The one result for an input and variables, where it costs next to nothing.

        It raises `ExpressionError` when the expression fails.
        """
        return self._compiled.direct

    def evaluate(
        self, value: Any, variables: Mapping[str, Any], *, fuel: int = 1_000_000
    ) -> list[Any]:
        """All results for an input of JSON values, which is never changed and may be shared.

        Raises `ExpressionError` when the expression fails and `ExpressionLimit` when it asks for
        too much; `ValueError` when the program is not plain.
        """
        compiled = self._compiled
        if compiled.direct is not None:
            return [compiled.direct(value, variables)]
        code = compiled.code
        if code is None:
            raise ValueError("this program needs an evaluator process")
        run = Run(fuel)
        env = (run, 0, *bound(compiled.variables, variables)) if compiled.variables else (run, 0)
        try:
            results = [code.one(value, env)] if code.one else list(code.many(value, env))
            if compiled.is_measured:
                check_size(results)
        except RecursionError:
            raise out_of_depth() from None
        return [_finite(result) for result in results] if run.has_odd_numbers else results


def _direct(
    name: str | None, keys: tuple[str | int, ...]
) -> Callable[[Any, Mapping[str, Any]], Any]:
    def read(value: Any, variables: Mapping[str, Any]) -> Any:
        found = value if name is None else bound((name,), variables)[0]
        for key in keys:
            kind_of = found.__class__
            if kind_of is dict and type(key) is str:
                found = found.get(key)
            else:
                found = get(found, key, _FREE)
        return found

    return read


#: Reading a key costs nothing.
_FREE = Run(0)


def bound(names: tuple[str, ...], variables: Mapping[str, Any]) -> list[Any]:
    """The values of variables by their names; raises `ExpressionError` where one has none."""
    try:
        return [variables[name] for name in names]
    except KeyError as missing:
        raise ExpressionError(f"${missing.args[0]} is not defined") from None


def _finite(value: Any) -> Any:
    """The value as JSON can say it: NaN is null, an infinity the largest number."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if value != value else math.copysign(MAX_FLOAT, value)
    if is_array(value):
        return [_finite(item) for item in value]
    if is_object(value):
        return {key: _finite(item) for key, item in value.items()}
    return value


@lru_cache(maxsize=4096)
def compile_jq(text: str) -> Program:
    """The program of a jq text; raises `ExpressionSyntaxError`."""
    try:
        node = parse(text)
        names = find_names(node)
    except RecursionError:
        raise ExpressionSyntaxError("nested too deeply", 0, len(text)) from None
    variables = frozenset(name for name, _, _ in names.variables)
    return Program(
        text=text,
        variables=variables,
        variable_spans=tuple(names.variables),
        forbidden=tuple(names.forbidden),
        unknown_functions=tuple(names.unknown),
        _compiled=_Compiled(text, node, tuple(sorted(variables))),
    )


def evaluate(
    program: Program,
    value: Any,
    variables: Mapping[str, Any],
    *,
    pool: EvaluatorPool | None = None,
    fuel: int = NATIVE_FUEL,
) -> list[Any]:
    """All results: of the identity untouched, of a plain program natively, else from a pool.

    What runs out of fuel natively goes on in the pool, which does the same work much faster and
    ends it when the time of both is over. Without `pool` the pool of the process is used. Integers
    beyond 2^53 are exact where the pool is not asked; jq itself turns them into doubles.
    """
    if program.is_identity:
        return [value]
    began = time.monotonic()
    if program.plain:
        try:
            return program.evaluate(value, variables, fuel=fuel)
        except ExpressionLimit as limit:
            if limit.limit != "fuel":
                raise
    from .pool import default_pool

    names = tuple(sorted(program.variables))
    taken = dict(zip(names, bound(names, variables), strict=True))
    spent_s = time.monotonic() - began
    return (pool or default_pool()).evaluate(program.text, value, taken, spent_s=spent_s)
