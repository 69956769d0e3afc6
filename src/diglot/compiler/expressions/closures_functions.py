"""Closures of definitions and calls, of the program's own functions and of jq's.

A parameter is a closure with the environment of its caller. A call costs fuel, and depth by the
frames the body can need, so that recursion ends in `ExpressionLimit` and not in the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from . import tree
from .closures import (
    FIRST_SLOT,
    Code,
    Env,
    Many,
    NotPlainError,
    Scope,
    compile_node,
    compiles,
    several,
    single,
)
from .errors import ExpressionLimit
from .known import NOW, NOW_VARIABLE
from .run import MAX_DEPTH, out_of_depth

#: Compiles a call of a function of jq: the arguments are not yet compiled.
Builtin = Callable[[tuple[tree.Node, ...], Scope], Code]

BUILTINS: dict[tuple[str, int], Builtin] = {}


def builtin(*names: str) -> Callable[[Builtin], Builtin]:
    """Register the compiler of calls of `name/arity`."""

    def register(function: Builtin) -> Builtin:
        for entry in names:
            name, _, arity = entry.partition("/")
            key = (name, int(arity))
            if key in BUILTINS:
                raise ValueError(f"{entry} has two compilers")
            BUILTINS[key] = function
        return function

    return register


@compiles(tree.Call)
def call(node: tree.Call, scope: Scope) -> Code:
    """The nearest definition of the name, else jq's function."""
    key = (node.name, len(node.arguments))
    callee = scope.functions.get(key)
    if callee is not None:
        return callee.call(node, scope)
    if key == NOW:
        return compile_node(tree.Variable(node.start, node.end, NOW_VARIABLE), scope)
    compiler = BUILTINS.get(key)
    if compiler is None:
        raise NotPlainError(node.name)
    return compiler(node.arguments, scope)


@compiles(tree.Define)
def define(node: tree.Define, scope: Scope) -> Code:
    """The body, with the function in sight."""
    return compile_node(node.body, define_in(node, scope))


def define_in(node: tree.Define, scope: Scope) -> Scope:
    """The scope behind a definition."""
    function = node.function
    defined = _Defined(function, scope)
    return scope.with_function(function.name, len(function.parameters), defined)


class _Parameter:
    """A parameter in the body of its function; its slot holds an `_Argument` and an environment."""

    def __init__(self, slot: int) -> None:
        self.slot = slot
        #: Whether the body uses it as a path, so that every argument must be one.
        self.is_path = False

    def call(self, node: tree.Call, scope: Scope) -> Code:
        slot = self.slot

        def run_argument(value: Any, env: Env) -> Iterable[Any]:
            argument: _Argument
            argument, outer = env[slot]
            return argument.many(value, _deeper(outer, env, argument.cost))

        return several(run_argument)

    def call_for_paths(self, node: tree.Call, scope: Scope) -> Any:
        self.is_path = True
        slot = self.slot

        def run_argument(path: Any, value: Any, env: Env) -> Iterable[Any]:
            argument: _Argument
            argument, outer = env[slot]
            return argument.paths(path, value, _deeper(outer, env, argument.cost))

        return run_argument


def _deeper(outer: Env, env: Env, cost: int) -> Env:
    """The environment `outer`, at a depth below that of `env`."""
    depth = env[1] + cost
    if depth > MAX_DEPTH:
        raise out_of_depth()
    run = env[0]
    run.fuel -= 3
    if run.fuel < 0:
        raise ExpressionLimit("fuel")
    return (run, depth, *outer[FIRST_SLOT:])


class _Argument:
    """What a caller passes for a parameter; `paths` is compiled where the body asks for a path."""

    def __init__(self, node: tree.Node, scope: Scope) -> None:
        self._node = node
        self._scope = scope
        self.many = compile_node(node, scope).many
        self.cost = tree.depth(node) + 1
        self.paths: Callable[[Any, Any, Env], Iterable[Any]] = _not_yet

    def compile_paths(self) -> None:
        from .closures_paths import compile_paths

        if self.paths is _not_yet:
            self.paths = compile_paths(self._node, self._scope)


class _Defined:
    """A function of the program; its body is compiled at the first call."""

    def __init__(self, function: tree.Function, scope: Scope) -> None:
        self.function = function
        self.base = scope.size
        self.cost = tree.depth(function.body) + 2
        inner = scope.with_function(function.name, len(function.parameters), self)
        self.parameters: list[_Parameter] = []
        for parameter in function.parameters:
            # A parameter written with a sign is a variable, and a function too.
            callee = _Parameter(inner.size)
            self.parameters.append(callee)
            inner = replace(inner, size=inner.size + 1).with_function(parameter.name, 0, callee)
        for parameter in function.parameters:
            if parameter.by_value:
                inner = inner.with_variable(parameter.name)
        self.scope = inner
        self._many: Many | None = None
        self._paths: Any = None
        # Calls of the function within itself: which parameters are paths is not known there yet.
        self._waiting: list[tuple[_Parameter, _Argument]] = []

    def call(self, node: tree.Call, scope: Scope) -> Code:
        if self._many is None:
            self._many = _not_yet
            self._many = compile_node(self.function.body, self.scope).many
            self._settle()
        enter = self._entry(node, scope)

        def run_body(value: Any, env: Env) -> Iterator[Any]:
            body = self._many
            assert body is not None
            for inner in enter(value, env):
                yield from body(value, inner)

        return several(run_body)

    def call_for_paths(self, node: tree.Call, scope: Scope) -> Any:
        from .closures_paths import compile_paths

        if self._paths is None:
            self._paths = _not_yet
            self._paths = compile_paths(self.function.body, self.scope)
            self._settle()
        enter = self._entry(node, scope)

        def run_body(path: Any, value: Any, env: Env) -> Iterator[Any]:
            for inner in enter(value, env):
                yield from self._paths(path, value, inner)

        return run_body

    def _entry(self, node: tree.Call, scope: Scope) -> Callable[[Any, Env], Iterable[Env]]:
        """How a call makes the environments of its body: one for each choice of values."""
        arguments = [_Argument(argument, scope) for argument in node.arguments]
        self._waiting.extend(zip(self.parameters, arguments, strict=True))
        if self._many is not _not_yet and self._paths is not _not_yet:
            self._settle()
        values = [
            argument.many
            for argument, parameter in zip(arguments, self.function.parameters, strict=True)
            if parameter.by_value
        ]
        base, cost = self.base, self.cost

        def enter(value: Any, env: Env) -> Iterable[Env]:
            inner = _deeper(env[:base], env, cost)
            closures = tuple((argument, env) for argument in arguments)
            return _choices(value, env, (*inner, *closures), values)

        return enter

    def _settle(self) -> None:
        """Compile the arguments that are used as paths; again, while that finds new ones."""
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            for parameter, argument in waiting:
                if parameter.is_path:
                    argument.compile_paths()


def _choices(value: Any, env: Env, inner: Env, values: list[Many]) -> Iterable[Env]:
    if not values:
        return (inner,)
    return (
        one
        for found in values[0](value, env)
        for one in _choices(value, env, (*inner, found), values[1:])
    )


def _not_yet(*_arguments: Any) -> Iterable[Any]:
    raise AssertionError("a function was run before it was compiled")


def on_input(function: Callable[[Any, Any], Any]) -> Builtin:
    """The builtin of a function of the input alone."""

    def compile_call(_arguments: tuple[tree.Node, ...], _scope: Scope) -> Code:
        return single(lambda value, env: function(value, env[0]))

    return compile_call


def on_values(function: Callable[..., Any]) -> Builtin:
    """The builtin of a function of the input and the values of its arguments.

    The last argument is evaluated first and turns slowest.
    """

    def compile_call(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
        codes = [compile_node(argument, scope) for argument in reversed(arguments)]
        ones = [code.one for code in codes if code.one is not None]
        if len(ones) == len(codes):
            if len(ones) == 1:
                only = ones[0]
                return single(lambda value, env: function(value, only(value, env), env[0]))

            def apply(value: Any, env: Env) -> Any:
                found = [one(value, env) for one in ones]
                return function(value, *reversed(found), env[0])

            return single(apply)
        many = [code.many for code in codes]

        def apply_each(value: Any, env: Env) -> Iterator[Any]:
            for found in _choices(value, env, (), many):
                yield function(value, *reversed(found), env[0])

        return several(apply_each)

    return compile_call
