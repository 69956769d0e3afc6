"""The closures of a program; those of the definitions it begins with serve many programs.

What is translated from other languages begins with definitions that are long and the same in every
condition of a gateway, while what is asked with them is short.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from . import tree
from .closures import FIRST_SLOT, Budget, Code, NotPlainError, Scope, compile_node
from .closures_functions import define_in

#: Nodes that may be compiled for one program, and for one row of definitions.
_BUDGET = 20_000

#: So many rows of definitions are kept; a row is at most as long as this, in characters.
_KEPT = 32
_LONGEST = 32_768

known: OrderedDict[tuple[tuple[str, ...], str], Scope] = OrderedDict()
_guard = Lock()


def compile_program(text: str, node: tree.Node, variables: tuple[str, ...]) -> Code | None:
    """The code of the tree of a text; nothing if the reference implementation has to run it."""
    body, definitions = _without_definitions(node)
    if definitions and body.start <= _LONGEST:
        # A function is compiled when it is first called, for whichever program that is.
        with _guard:
            key = (variables, text[: body.start])
            try:
                scope = _scope_behind(key, definitions)
                return compile_node(body, replace(scope, budget=Budget(_BUDGET)))
            except (NotPlainError, RecursionError):
                # What was begun may be half done; and this program alone may do with less.
                known.pop(key, None)
    try:
        return compile_node(node, _empty(variables))
    except (NotPlainError, RecursionError):
        return None


def _without_definitions(node: tree.Node) -> tuple[tree.Node, list[tree.Define]]:
    definitions: list[tree.Define] = []
    while isinstance(node, tree.Define):
        definitions.append(node)
        node = node.body
    return node, definitions


def _scope_behind(key: tuple[tuple[str, ...], str], definitions: list[tree.Define]) -> Scope:
    scope = known.get(key)
    if scope is None:
        scope = _empty(key[0])
        for definition in definitions:
            scope = define_in(definition, scope)
        known[key] = scope
        if len(known) > _KEPT:
            known.popitem(last=False)
    else:
        known.move_to_end(key)
    return scope


def _empty(variables: tuple[str, ...]) -> Scope:
    slots = {name: FIRST_SLOT + place for place, name in enumerate(variables)}
    return Scope(FIRST_SLOT + len(slots), slots, {}, {}, Budget(_BUDGET))
