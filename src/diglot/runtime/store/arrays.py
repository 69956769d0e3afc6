"""Columns of many rows as arrays in PostgreSQL's binary form, packed by the column.

The driver packs arrays element by element, which takes longer than the database needs for the rows.

Source: PostgreSQL, Message Data Types and the receive functions of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from struct import Struct, pack
from struct import error as StructError
from typing import Any, Final

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

_HEAD: Final = Struct("!iiIii")
_LENGTH: Final = Struct("!i")
_NULL: Final = _LENGTH.pack(-1)


class Int8Array(bytes):
    """An array of bigint, ready to be sent."""


class TextArray(bytes):
    """An array of text, ready to be sent."""


class ByteaArray(bytes):
    """An array of bytea, ready to be sent."""


def _head(values: Sequence[Any], element: int) -> bytes:
    """One dimension, whether there are nulls, the type of the elements, how many from index 1."""
    return _HEAD.pack(1, None in values, element, len(values), 1)


def _int8(values: Sequence[int | None]) -> Int8Array:
    head = _head(values, 20)
    if None not in values:
        flat: list[Any] = [8] * (2 * len(values))
        flat[1::2] = values
        return Int8Array(head + pack(f"!{'iq' * len(values)}", *flat))
    parts = (_NULL if value is None else pack("!iq", 8, value) for value in values)
    return Int8Array(head + b"".join(parts))


def _texts(values: Sequence[str | None]) -> TextArray:
    return TextArray(
        _head(values, 25) + _sized(None if one is None else one.encode() for one in values)
    )


def _bytes(values: Sequence[bytes | None]) -> ByteaArray:
    return ByteaArray(_head(values, 17) + _sized(values))


def _sized(values: Iterable[bytes | None]) -> bytes:
    length = _LENGTH.pack
    parts: list[bytes] = []
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            parts.append(length(len(value)))
            parts.append(value)
    return b"".join(parts)


_BY_TYPE: Final[dict[str, Callable[[Any], bytes]]] = {
    "int8": _int8,
    "text": _texts,
    "bytea": _bytes,
}


def columns(types: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bytes]:
    """The columns of some rows, at least one, each of the type that it has there.

    Raises:
        OverflowError: a number is too large for its column.
        UnicodeError: a text has half of a surrogate pair.
    """
    try:
        return [
            _BY_TYPE[type](column)
            for type, column in zip(types, zip(*rows, strict=True), strict=True)
        ]
    except StructError as error:
        raise OverflowError(str(error)) from error


class _Packed(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer:
        """It is packed already."""
        return bytes(obj)


class _Int8Dumper(_Packed):
    oid = 1016


class _TextDumper(_Packed):
    oid = 1009


class _ByteaDumper(_Packed):
    oid = 1001


def register(raw: psycopg.Connection[Any]) -> None:
    """Let a connection take packed arrays."""
    for kind, dumper in (
        (Int8Array, _Int8Dumper),
        (TextArray, _TextDumper),
        (ByteaArray, _ByteaDumper),
    ):
        raw.adapters.register_dumper(kind, dumper)
