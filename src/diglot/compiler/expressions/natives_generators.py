"""jq's functions that choose and repeat results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import tree
from .arithmetic import is_number
from .closures import Code, Env, Many, Scope, compile_node, compiles, is_true, several
from .closures_control import then
from .closures_functions import builtin
from .closures_updates import first_of
from .errors import ExpressionError, ExpressionLimit
from .natives_values import is_finite, is_normal
from .operators import add
from .run import Run
from .values import (
    compare,
    failure_of_two,
    is_array,
    is_object,
)

_Arguments = tuple[tree.Node, ...]


@builtin("select/1")
def select(arguments: _Arguments, scope: Scope) -> Code:
    """The input, where the condition is true."""
    return several(_kept(compile_node(arguments[0], scope)))


def _selector(wanted: Callable[[Any], bool]) -> Any:
    def compile_call(_arguments: _Arguments, _scope: Scope) -> Code:
        return several(lambda value, _env: (value,) if wanted(value) else ())

    return compile_call


builtin("arrays/0")(_selector(lambda value: is_array(value)))
builtin("objects/0")(_selector(lambda value: is_object(value)))
builtin("iterables/0")(_selector(lambda value: is_array(value) or is_object(value)))
builtin("booleans/0")(_selector(lambda value: type(value) is bool))
builtin("numbers/0")(_selector(is_number))
builtin("normals/0")(_selector(is_normal))
builtin("finites/0")(_selector(is_finite))
builtin("strings/0")(_selector(lambda value: type(value) is str))
builtin("nulls/0")(_selector(lambda value: value is None))
builtin("values/0")(_selector(lambda value: value is not None))
builtin("scalars/0")(_selector(lambda value: not is_array(value) and not is_object(value)))


def items_of(value: Any) -> Iterable[Any]:
    """The items of an array or object, nothing of anything else: `.[]?`."""
    if is_array(value):
        return value
    return value.values() if is_object(value) else ()


def descend(step: Callable[[Any], Iterable[Any]], value: Any, run: Run) -> Iterator[Any]:
    """The value and, for each result of the step, the same again: depth first.

    A step that has one result at most gives a tuple, and then costs no memory: the loops of jq are
    such recursions.
    """
    open_results: list[Iterator[Any]] = [iter((value,))]
    while open_results:
        for found in open_results[-1]:
            run.spend(1 + (len(open_results) >> 6))
            yield found
            results = step(found)
            while results.__class__ is tuple:
                only: tuple[Any, ...] = tuple(results)
                if not only:
                    break
                run.spend(1)
                yield only[0]
                results = step(only[0])
            else:
                open_results.append(iter(results))
                break
        else:
            open_results.pop()


@compiles(tree.Descend)
def descend_all(_node: tree.Descend, _scope: Scope) -> Code:
    """`..`, which is `recurse`."""
    return several(lambda value, env: descend(items_of, value, env[0]))


@builtin("recurse/0")
def recurse(_arguments: _Arguments, _scope: Scope) -> Code:
    """Everything in the input, itself first."""
    return several(lambda value, env: descend(items_of, value, env[0]))


@builtin("recurse/1")
def recurse_by(arguments: _Arguments, scope: Scope) -> Code:
    """The input, and the function again on each of its results."""
    many = compile_node(arguments[0], scope).many
    return several(lambda value, env: descend(lambda one: many(one, env), value, env[0]))


@builtin("recurse/2")
def recurse_while(arguments: _Arguments, scope: Scope) -> Code:
    """As `recurse`, as long as the condition is true."""
    many = compile_node(arguments[0], scope).many
    condition = compile_node(arguments[1], scope).many

    def all_of(value: Any, env: Env) -> Iterator[Any]:
        def step(one: Any) -> Iterator[Any]:
            for found in many(one, env):
                for answer in condition(found, env):
                    if is_true(answer):
                        yield found

        return descend(step, value, env[0])

    return several(all_of)


@builtin("while/2")
def while_(arguments: _Arguments, scope: Scope) -> Code:
    """The input and its updates, as long as the condition is true."""
    condition = compile_node(arguments[0], scope)
    update = compile_node(arguments[1], scope)
    kept = _kept(condition)
    step = then(update, several(kept)).many

    def all_of(value: Any, env: Env) -> Iterator[Any]:
        for start in kept(value, env):
            yield from descend(lambda one: step(one, env), start, env[0])

    return several(all_of)


@builtin("until/2")
def until(arguments: _Arguments, scope: Scope) -> Code:
    """The updates of the input for which the condition is true at last."""
    condition = compile_node(arguments[0], scope)
    update = compile_node(arguments[1], scope)
    asked = _asked(condition)
    again = then(update, several(asked)).many

    def all_of(value: Any, env: Env) -> Iterator[Any]:
        def step(pair: tuple[bool, Any]) -> Iterable[Any]:
            return () if pair[0] else again(pair[1], env)

        for start in asked(value, env):
            for is_done, found in descend(step, start, env[0]):
                if is_done:
                    yield found

    return several(all_of)


def _kept(condition: Code) -> Many:
    """The input, as often as the condition is true."""
    one, many = condition
    if one is not None:
        return lambda value, env: (value,) if is_true(one(value, env)) else ()

    def kept(value: Any, env: Env) -> Iterator[Any]:
        for answer in many(value, env):
            if is_true(answer):
                yield value

    return kept


def _asked(condition: Code) -> Many:
    """Pairs of whether the condition is true, and the input."""
    one, many = condition
    if one is not None:
        return lambda value, env: ((is_true(one(value, env)), value),)

    def asked(value: Any, env: Env) -> Iterator[Any]:
        for answer in many(value, env):
            yield is_true(answer), value

    return asked


@builtin("repeat/1")
def repeat(arguments: _Arguments, scope: Scope) -> Code:
    """The results for the input, over and over."""
    many = compile_node(arguments[0], scope).many

    def forever(value: Any, env: Env) -> Iterator[Any]:
        while True:
            env[0].spend(1)
            yield from many(value, env)

    return several(forever)


def count_up(start: Any, end: Any, run: Run) -> Iterator[Any]:
    """The numbers from `start` up to, not with, `end`."""
    if not is_number(start) or not is_number(end):
        raise ExpressionError("Range bounds must be numeric")
    while start < end:
        run.fuel -= 1
        if run.fuel < 0:
            raise ExpressionLimit("fuel")
        yield start
        start = add(start, 1, run) if type(start) is float else start + 1


@builtin("range/1")
def range_to(arguments: _Arguments, scope: Scope) -> Code:
    """The numbers from 0 up to the argument."""
    ends = compile_node(arguments[0], scope).many

    def numbers(value: Any, env: Env) -> Iterator[Any]:
        for end in ends(value, env):
            yield from count_up(0, end, env[0])

    return several(numbers)


@builtin("range/2")
def range_between(arguments: _Arguments, scope: Scope) -> Code:
    """The numbers from the first argument up to the second."""
    starts, ends = (compile_node(argument, scope).many for argument in arguments)

    def numbers(value: Any, env: Env) -> Iterator[Any]:
        for start in starts(value, env):
            for end in ends(value, env):
                yield from count_up(start, end, env[0])

    return several(numbers)


@builtin("range/3")
def range_by(arguments: _Arguments, scope: Scope) -> Code:
    """The values from the first argument towards the second in steps of the third."""
    starts, ends, steps = (compile_node(argument, scope).many for argument in arguments)

    def numbers(value: Any, env: Env) -> Iterator[Any]:
        run = env[0]
        for start in starts(value, env):
            for end in ends(value, env):
                for step in steps(value, env):
                    direction = compare(step, 0, run)
                    at = start
                    while direction and compare(at, end, run) * direction < 0:
                        run.spend(1)
                        yield at
                        at = add(at, step, run)

    return several(numbers)


def take(count: Any, results: Callable[[], Iterable[Any]], run: Run) -> Iterator[Any]:
    """The first results."""
    order = compare(count, 0, run)
    if order < 0:
        raise ExpressionError("limit doesn't support negative count")
    if order == 0:
        return
    left = count
    for found in results():
        left = _one_less(left, run)
        yield found
        if compare(left, 0, run) <= 0:
            return


def drop(count: Any, results: Callable[[], Iterable[Any]], run: Run) -> Iterator[Any]:
    """The results behind the first ones."""
    if compare(count, 0, run) < 0:
        raise ExpressionError("skip doesn't support negative count")
    left = count
    for found in results():
        if compare(left, 0, run) > 0:
            left = _one_less(left, run)
            if compare(left, 0, run) < 0:
                yield found
        else:
            yield found


def _one_less(count: Any, run: Run) -> Any:
    if is_number(count):
        return count - 1
    raise failure_of_two(count, 1, "cannot be subtracted")


def _counted(choose: Callable[[Any, Callable[[], Iterable[Any]], Run], Iterator[Any]]) -> Any:
    def compile_call(arguments: _Arguments, scope: Scope) -> Code:
        counts, many = (compile_node(argument, scope).many for argument in arguments)

        def chosen(value: Any, env: Env) -> Iterator[Any]:
            for count in counts(value, env):
                yield from choose(count, lambda: many(value, env), env[0])

        return several(chosen)

    return compile_call


def pick_nth(count: Any, results: Callable[[], Iterable[Any]], run: Run) -> Iterator[Any]:
    """The result at a place."""
    if compare(count, 0, run) < 0:
        raise ExpressionError("nth doesn't support negative indices")
    for found in drop(count, results, run):
        yield found
        return


builtin("limit/2")(_counted(take))
builtin("skip/2")(_counted(drop))
builtin("nth/2")(_counted(pick_nth))


@builtin("first/1")
def first(arguments: _Arguments, scope: Scope) -> Code:
    """The first result, if there is one."""
    many = compile_node(arguments[0], scope).many
    return several(lambda value, env: first_of(many(value, env)))


@builtin("last/1")
def last(arguments: _Arguments, scope: Scope) -> Code:
    """The last result, if there is one."""
    many = compile_node(arguments[0], scope).many

    def last_of(value: Any, env: Env) -> Iterable[Any]:
        found: tuple[Any, ...] = ()
        for result in many(value, env):
            found = (result,)
        return found

    return several(last_of)
