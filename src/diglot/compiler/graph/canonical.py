"""The interchange form of a graph, the way back, and the digest over its canonical JSON."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import msgspec

from .model import FORMAT, PLACES, Graph

_encoder = msgspec.json.Encoder()
_canonical = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Graph)

#: Members that carry the author's own JSON, in which every name is data.
_VERBATIM = frozenset({"document", "tags", "metadata"})
_CONTAINERS = (dict, list, tuple)


class UnknownFormat(ValueError):
    """The text is not a graph of this format."""


def to_json(graph: Graph) -> bytes:
    """The interchange form: defaults left out, the author's members in the author's order.

    A run shows that order (`set` gives its members so), though it is no part of the digest.
    """
    return _encoder.encode(graph)


def from_json(text: bytes | str) -> Graph:
    """The inverse of `to_json`.

    Raises:
        UnknownFormat: the text is not a graph of this format version.
    """
    try:
        graph = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise UnknownFormat(f"not a graph: {error}") from error
    if graph.format != FORMAT:
        raise UnknownFormat(f"graph format {graph.format!r} is not {FORMAT!r}")
    return graph


def digest(graph: Graph) -> str:
    """Sha256 (hex) over the meaning: two graphs that run alike by construction have one digest."""
    # Whole documents can stand there, which are no part of the meaning. Places of nodes, of which
    # there are the most, are left out before they are written as data.
    nodes = tuple([msgspec.structs.replace(node, span=None) for node in graph.nodes])
    meant = msgspec.structs.replace(graph, nodes=nodes, foreign=None, presentation=None)
    plain = msgspec.to_builtins(meant)
    _leave_out_places(plain)
    return hashlib.sha256(_canonical.encode(plain)).hexdigest()


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the interchange form, drawn from the model."""
    schema = msgspec.json.schema(Graph)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://diglot.dev/schemas/graph/{FORMAT}/graph.schema.json",
        "title": "Diglot graph",
        **schema,
    }


def _leave_out_places(plain: dict[str, Any]) -> None:
    """Take out of data, which is nobody else's, what is no part of the meaning."""
    rest: list[Any] = [plain]
    while rest:
        part = rest.pop()
        if isinstance(part, dict):
            members = cast("dict[str, Any]", part)
            if not PLACES.isdisjoint(members):
                for place in PLACES:
                    members.pop(place, None)
            for key, member in members.items():
                if isinstance(member, _CONTAINERS) and key not in _VERBATIM:
                    rest.append(member)
        else:
            for member in part:
                if isinstance(member, _CONTAINERS):
                    rest.append(member)
