"""Closures of pipes, commas, conditions, errors, bindings, folds and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import tree
from .closures import (
    Code,
    Env,
    Many,
    NotPlainError,
    One,
    Scope,
    compile_node,
    compiles,
    is_true,
    several,
    single,
)
from .errors import ExpressionError, ExpressionLimit
from .paths import get

Binder = Callable[[Any, Env], Iterable[Env]]


@compiles(tree.Pipe)
def pipe(node: tree.Pipe, scope: Scope) -> Code:
    """Each result of a stage is an input of the next."""
    code: Code | None = None
    ones: list[One] = []
    for stage in node.stages:
        found = compile_node(stage, scope)
        if found.one is not None:
            ones.append(found.one)
            continue
        code = _append(_append(code, ones), found)
        ones = []
    code = _append(code, ones)
    assert code is not None
    return code


def _append(code: Code | None, stages: Code | list[One]) -> Code | None:
    """The code and more stages; a row of stages with one result each is one loop."""
    if isinstance(stages, list):
        if not stages:
            return code
        stages = single(_in_a_row(tuple(stages)))
    return stages if code is None else then(code, stages)


def _in_a_row(ones: tuple[One, ...]) -> One:
    if len(ones) == 1:
        return ones[0]
    if len(ones) == 2:
        first, second = ones
        return lambda value, env: second(first(value, env), env)

    def row(value: Any, env: Env) -> Any:
        for one in ones:
            value = one(value, env)
        return value

    return row


def then(left: Code, right: Code) -> Code:
    """`left | right`."""
    left_one, left_many = left
    right_one, right_many = right
    if left_one is not None:
        if right_one is not None:
            return single(lambda value, env: right_one(left_one(value, env), env))
        return several(lambda value, env: right_many(left_one(value, env), env))
    if right_one is not None:

        def map_each(value: Any, env: Env) -> Iterator[Any]:
            for found in left_many(value, env):
                yield right_one(found, env)

        return several(map_each)

    def each(value: Any, env: Env) -> Iterator[Any]:
        for found in left_many(value, env):
            yield from right_many(found, env)

    return several(each)


@compiles(tree.Comma)
def comma(node: tree.Comma, scope: Scope) -> Code:
    """The results of every item, in order."""
    many = [compile_node(item, scope).many for item in node.items]

    def each(value: Any, env: Env) -> Iterator[Any]:
        # Pipes of commas multiply: this is what bounds them.
        env[0].spend(len(many))
        for item in many:
            yield from item(value, env)

    return several(each)


@compiles(tree.If)
def if_(node: tree.If, scope: Scope) -> Code:
    """The branch of the first true condition, for each result of the condition."""
    otherwise = node.otherwise or tree.Identity(node.end, node.end)
    code = compile_node(otherwise, scope)
    for condition, result in reversed(node.branches):
        code = _choose(compile_node(condition, scope), compile_node(result, scope), code)
    return code


def _choose(condition: Code, yes: Code, no: Code) -> Code:
    ask, ask_many = condition
    yes_one, no_one = yes.one, no.one
    if ask is not None and yes_one is not None and no_one is not None:

        def choose(value: Any, env: Env) -> Any:
            answer = ask(value, env)
            if answer is not None and answer is not False:
                return yes_one(value, env)
            return no_one(value, env)

        return single(choose)
    yes_many, no_many = yes.many, no.many

    def choose_many(value: Any, env: Env) -> Iterator[Any]:
        for answer in ask_many(value, env):
            yield from (yes_many if is_true(answer) else no_many)(value, env)

    return several(choose_many)


@compiles(tree.Try)
def try_(node: tree.Try, scope: Scope) -> Code:
    """The results up to an error, then those of the handler with the error as its input."""
    body = compile_node(node.body, scope)
    handler = compile_node(node.handler, scope) if node.handler else None
    one, many = body
    handle = handler.one if handler else None
    if one is not None and handle is not None:

        def attempt(value: Any, env: Env) -> Any:
            try:
                return one(value, env)
            except ExpressionLimit:
                raise
            except ExpressionError as error:
                caught = error.value
            return handle(caught, env)

        return single(attempt)
    handle_many = handler.many if handler else None

    def attempts(value: Any, env: Env) -> Iterator[Any]:
        try:
            yield from many(value, env)
            return
        except ExpressionLimit:
            raise
        except ExpressionError as error:
            caught = error.value
        if handle_many is not None:
            yield from handle_many(caught, env)

    return several(attempts)


@compiles(tree.Bind)
def bind(node: tree.Bind, scope: Scope) -> Code:
    """The body once for each result of the source and each way to match it."""
    source = compile_node(node.source, scope)
    binder, inner = compile_patterns(node.patterns, scope)
    body = compile_node(node.body, inner)
    if source.one is not None and body.one is not None and _is_name(node.patterns):
        return single(_bind_one(source.one, body.one))
    source_many, body_many = source.many, body.many

    def bound(value: Any, env: Env) -> Iterator[Any]:
        for found in source_many(value, env):
            for inner_env in binder(found, env):
                yield from body_many(value, inner_env)

    return several(bound)


def _is_name(patterns: tuple[tree.Pattern, ...]) -> bool:
    return isinstance(patterns[0], tree.Bound)


def _bind_one(source: One, body: One) -> One:
    return lambda value, env: body(value, (*env, source(value, env)))


def compile_patterns(patterns: tuple[tree.Pattern, ...], scope: Scope) -> tuple[Binder, Scope]:
    """How a value extends the environment, and the scope of what follows."""
    first, *others = patterns
    if others:
        # In jq an error anywhere behind `?//` goes back to the next pattern, even one outside
        # of its body. Closures cannot do that.
        raise NotPlainError("?//")
    return _pattern(first, scope, scope)


def _as_it_is(_value: Any, env: Env) -> Iterable[Env]:
    return (env,)


def _pattern(pattern: tree.Pattern, scope: Scope, outer: Scope) -> tuple[Binder, Scope]:
    """Keys are evaluated in `outer`: they do not see the variables of their own pattern."""
    match pattern:
        case tree.Bound(name):
            if name in scope.variables and scope.variables[name] >= outer.size:
                # Bound twice in one pattern: the first one stays, as in jq.
                return _as_it_is, scope
            return (lambda value, env: ((*env, value),)), scope.with_variable(name)
        case tree.ArrayPattern(items):
            binder: Binder = _as_it_is
            # jq takes the items from the last to the first.
            for place in reversed(range(len(items))):
                part, scope = _pattern(items[place], scope, outer)
                key = single(_always(place))
                binder = _bind_part(binder, key.many, (part,))
            return binder, scope
        case tree.ObjectPattern(entries):
            binder = _as_it_is
            for name_of, shorthand, inner in entries:
                parts: list[Binder] = []
                for one in (tree.Bound(shorthand) if shorthand is not None else None, inner):
                    if one is not None:
                        part, scope = _pattern(one, scope, outer)
                        parts.append(part)
                binder = _bind_part(binder, compile_node(name_of, outer).many, tuple(parts))
            return binder, scope
        case _:
            raise NotPlainError(type(pattern).__name__)


def _always(value: Any) -> One:
    return lambda _value, _env: value


def _bind_part(before: Binder, keys: Many, parts: tuple[Binder, ...]) -> Binder:
    def bound(value: Any, env: Env) -> Iterator[Env]:
        for partial in before(value, env):
            for key in keys(value, partial):
                found = get(value, key, env[0])
                envs: Iterable[Env] = (partial,)
                for part in parts:
                    envs = [wider for one in envs for wider in part(found, one)]
                yield from envs

    return bound


@compiles(tree.Reduce)
def reduce_(node: tree.Reduce, scope: Scope) -> Code:
    """The last result of the update is the next state; an update without one leaves null."""
    source = compile_node(node.source, scope).many
    init = compile_node(node.init, scope).one
    if init is None:
        # From the second start on, jq 1.8 evaluates the source on null.
        raise NotPlainError("reduce")
    binder, inner = compile_patterns(node.patterns, scope)
    update, update_many = compile_node(node.update, inner)
    if update is not None and _is_name(node.patterns):

        def fold(value: Any, env: Env) -> Any:
            state = init(value, env)
            for found in source(value, env):
                state = update(state, (*env, found))
            return state

        return single(fold)

    def fold_all(value: Any, env: Env) -> Any:
        state = init(value, env)
        for found in source(value, env):
            for inner_env in binder(found, env):
                before, state = state, None
                for after in update_many(before, inner_env):
                    state = after
        return state

    return single(fold_all)


@compiles(tree.Foreach)
def foreach(node: tree.Foreach, scope: Scope) -> Code:
    """As `reduce`, with the results of `extract` for every state on the way."""
    source = compile_node(node.source, scope).many
    init = compile_node(node.init, scope).many
    binder, inner = compile_patterns(node.patterns, scope)
    update = compile_node(node.update, inner).many
    extract = compile_node(node.extract, inner).many if node.extract else None

    def states(value: Any, env: Env) -> Iterator[Any]:
        for state in init(value, env):
            for found in source(value, env):
                for inner_env in binder(found, env):
                    before, state = state, None
                    for state in update(before, inner_env):
                        if extract is None:
                            yield state
                        else:
                            yield from extract(state, inner_env)

    return several(states)


@compiles(tree.Label)
def label(node: tree.Label, scope: Scope) -> Code:
    """The results up to a `break` of this label; a break is an error with a value of its own."""
    body = compile_node(node.body, scope.with_label(node.name)).many

    def labelled(value: Any, env: Env) -> Iterator[Any]:
        run = env[0]
        mark = {"__jq": run.labels}
        run.labels += 1
        try:
            yield from body(value, (*env, mark))
        except ExpressionLimit:
            raise
        except ExpressionError as error:
            if error.value != mark:
                raise

    return several(labelled)


@compiles(tree.Break)
def break_(node: tree.Break, scope: Scope) -> Code:
    """End the results of a label."""
    slot = scope.labels[node.name]

    def stop(_value: Any, env: Env) -> Any:
        raise ExpressionError(env[slot])

    return several(stop)
