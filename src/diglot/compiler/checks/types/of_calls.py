"""Calls: of functions that the program defines, and of jq's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from diglot.compiler.expressions import tree
from diglot.compiler.expressions.known import BOOLEAN as GIVE_BOOLEANS

from .inference import NONE, OPEN, Closure, Env, Inference, Results, infers
from .model import TRUTH, Type
from .signatures import signatures
from .words import in_words, kinds_in_words

#: The rule for a function of jq that is more than its signature.
Builtin = Callable[[Inference, tree.Call, Type, Env], Results]
_B = TypeVar("_B", bound=Builtin)
_builtins: dict[tuple[str, int], Builtin] = {}


def builtin(*names: str) -> Callable[[_B], _B]:
    """Register the rule for these functions, each `name/arity`."""

    def register(rule: _B) -> _B:
        for name in names:
            text, _, arity = name.partition("/")
            _builtins[text, int(arity)] = rule
        return rule

    return register


@infers(tree.Call)
def call(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """What the function gives."""
    key = (node.name, len(node.arguments))
    own = env.functions.get(key)
    if own is not None:
        arguments = tuple(Closure(argument, env) for argument in node.arguments)
        return inference.call(own, dot, arguments)
    rule = _builtins.get(key)
    if rule is not None:
        return rule(inference, node, dot, env)
    if key in signatures():
        return _by_signature(inference, node, dot, env)
    return Results(TRUTH, 0, 2) if key in GIVE_BOOLEANS else OPEN


def _by_signature(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    known = signatures()[node.name, len(node.arguments)]
    least, most = (0, 2) if known.is_many else (1, 1)
    given = inference.each_of(node.arguments, dot, env)
    for argument, found, kinds in zip(node.arguments, given, known.arguments, strict=True):
        if not found.most:
            return NONE
        if not found.type.kinds & kinds:
            return inference.fails(
                argument,
                f"`{node.name}` needs {kinds_in_words(kinds)} here, and this is "
                f"{in_words(found.type)}",
                is_sure=found.least > 0,
            )
        least, most = min(least, found.least), max(most, found.most)
    if not dot.kinds & known.input:
        words = f"`{node.name}` needs {kinds_in_words(known.input)}, and this is {in_words(dot)}"
        return inference.fails(node, words, is_sure=least > 0 or not node.arguments)
    return Results(known.result, least, most)


def takes(
    inference: Inference, node: tree.Call, dot: Type, kinds: int, *, is_sure: bool = True
) -> bool:
    """Whether a function may take its input; noted where it never does.

    It is not `is_sure` where an argument by value may be without a result: no call then.
    """
    if dot.kinds & kinds:
        return True
    words = f"`{node.name}` needs {kinds_in_words(kinds)}, and this is {in_words(dot)}"
    inference.fails(node, words, is_sure=is_sure)
    return False
