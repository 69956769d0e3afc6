"""The parts of a graph as JSON at elements, and back.

A part is one node, flow, scope or handler. Where something stood in a document is not written; an
expression says only that it stood somewhere, because one that a reader made itself sees other
names. What is read gets the place of the element that it stood at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, cast, get_args

import msgspec

from ...graph import FORMAT, Flow, Graph, Handler, Node, Scope
from ...graph.model import PLACES
from ...source import Span
from ..aside import DIGLOT

Kind = Literal["node", "flow", "scope", "handler"]
Value = Node | Flow | Scope | Handler

#: The elements of our namespace.
GRAPH: Final = f"{{{DIGLOT}}}graph"
PART: Final = f"{{{DIGLOT}}}part"
DRAWN: Final = f"{{{DIGLOT}}}drawn"
PORTS: Final = f"{{{DIGLOT}}}ports"

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_TYPES: Final[Mapping[Kind, Any]] = {
    "node": Node, "flow": Flow, "scope": Scope, "handler": Handler
}  # fmt: skip

#: Kinds of parts that have a place.
_PLACED: Final = frozenset({"node", "scope", "handler"})

#: Members that carry the author's own JSON, in which every name is data.
_VERBATIM: Final = frozenset({"document", "tags", "metadata"})
#: How deeply the brackets of a part may be nested: as deeply as those of a graph in JSON.
_DEPTH: Final = 400
_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
#: Characters that XML has no form for, or that its readers alter; JSON has one for all of them.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff]")

_encoder: Final = msgspec.json.Encoder()


class DamagedPart(ValueError):
    """The text is no part of a graph; the message says why, fit for an author's eyes."""


def kind_of(value: Value) -> Kind:
    """What sort of part this is."""
    match value:
        case Flow():
            return "flow"
        case Scope():
            return "scope"
        case Handler():
            return "handler"
        case _:
            return "node"


def encode(value: Value) -> str:
    """A part as JSON on one line."""
    return _text(msgspec.to_builtins(value))


def encode_heading(graph: Graph) -> str:
    """What a graph says besides its parts, as JSON on one line."""
    heading = msgspec.structs.replace(
        graph,
        scopes=(),
        nodes=(),
        flows=(),
        handlers=(),
        foreign=None,
        presentation=None,
        origin=None,
    )
    return _text(msgspec.to_builtins(heading))


def decode(kind: str, text: str, span: Span) -> Value:
    """The inverse of `encode`; whatever had a place has `span`.

    Raises:
        DamagedPart: the text is no part of this kind.
    """
    if kind not in KINDS:
        raise DamagedPart(f"`{kind[:40]}` is no kind of part; there are {', '.join(KINDS)}")
    return cast("Value", _value(text, _TYPES[kind], span, is_placed=kind in _PLACED))


def decode_heading(text: str, span: Span) -> Graph:
    """The inverse of `encode_heading`.

    Raises:
        DamagedPart: the text is no heading, or one of another format.
    """
    graph = cast("Graph", _value(text, Graph, span, is_placed=False))
    if graph.format != FORMAT:
        raise DamagedPart(f"the format of the graph is {graph.format[:40]!r}, not {FORMAT!r}")
    return msgspec.structs.replace(
        graph, scopes=(), nodes=(), flows=(), handlers=(), foreign=None, presentation=None
    )


def _text(plain: Any) -> str:
    _put_places(plain, True)
    text = _encoder.encode(plain).decode()
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _value(text: str, type: Any, span: Span, *, is_placed: bool) -> Any:
    if _depth(text) > _DEPTH:
        raise DamagedPart(f"its brackets are nested more than {_DEPTH} deep")
    try:
        plain = msgspec.json.decode(text)
        place = msgspec.to_builtins(span)
        _put_places(plain, place)
        if is_placed and isinstance(plain, dict):
            # What a reader made has no place of its own; here it stands at an element.
            plain["span"] = place
        return msgspec.convert(plain, type)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise DamagedPart(str(error)[:200]) from error


def _put_places(plain: Any, place: Any) -> None:
    """Write `place` wherever there is one, and leave out all that says nothing of the meaning."""
    todo = [plain]
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo.extend(cast("list[Any]", one))
        elif isinstance(one, dict):
            members = cast("dict[str, Any]", one)
            for name in PLACES & members.keys():
                if name == "span" and members[name]:
                    members[name] = place
                else:
                    del members[name]
            todo.extend(value for name, value in members.items() if name not in _VERBATIM)


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.finditer(text):
        sign = bracket.group()
        depth += sign in "[{"
        depth -= sign in "]}"
        deepest = max(deepest, depth)
    return deepest
