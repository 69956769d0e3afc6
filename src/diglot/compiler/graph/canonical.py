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
    # Whole documents can stand there, which are no part of the meaning.
    plain = msgspec.to_builtins(msgspec.structs.replace(graph, foreign=None, presentation=None))
    return hashlib.sha256(_canonical.encode(_meaning(plain))).hexdigest()


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the interchange form, drawn from the model."""
    schema = msgspec.json.schema(Graph)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://diglot.dev/schemas/graph/{FORMAT}/graph.schema.json",
        "title": "Diglot graph",
        **schema,
    }


def _meaning(value: Any) -> Any:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {
            key: member if key in _VERBATIM else _meaning(member)
            for key, member in members.items()
            if key not in PLACES
        }
    if isinstance(value, list | tuple):
        return [_meaning(item) for item in cast("list[Any]", value)]
    return value
