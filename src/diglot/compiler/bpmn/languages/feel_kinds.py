"""What is known of a FEEL piece: its kind, and whether it may be null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .emission import JQ_TYPES
from .pieces import QUERY, Piece, compose, constant

#: Kinds that are times; their values are texts.
TIMES: Final = frozenset(("date", "time", "moment", "duration"))

#: What does not fit.
NULL: Final = constant(None, "null")


def base_of(piece: Piece) -> str:
    """The kind without its `?`."""
    return piece.kind.rstrip("?")


def is_sure(piece: Piece) -> bool:
    """Whether the kind is known and the value is not null."""
    return piece.kind not in ("any", "null") and not piece.kind.endswith("?")


def jq_type(kind: str) -> str:
    """What jq calls the values of a kind."""
    return "string" if kind in TIMES else JQ_TYPES[kind]


def common(pieces: Sequence[Piece]) -> str:
    """The kind of a value that is one of these."""
    bases = {base_of(piece) for piece in pieces} - {"null"}
    if len(bases) != 1:
        return "any" if bases else "null"
    (base,) = bases
    return base if base == "any" or all(map(is_sure, pieces)) else f"{base}?"


def guarded(piece: Piece, kind: str, then: str, gives: str, *operands: Piece) -> Piece:
    """`then` of the piece where it is of a kind, and null where it is not.

    `then` is a template whose operands do not read the piece's own `.`, or are meant to.
    """
    if base_of(piece) not in ("any", kind):
        return NULL
    if piece.kind == kind:
        return compose(f"%q | {then}", piece, *operands, level=QUERY, kind=gives)
    template = f'%q | if type == "{jq_type(kind)}" then {then} else null end'
    sure = gives if gives == "any" or gives.endswith("?") else f"{gives}?"
    return compose(template, piece, *operands, level=QUERY, kind=sure)
