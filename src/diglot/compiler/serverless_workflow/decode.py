"""From the bytes of a file to its text."""

from __future__ import annotations

import codecs

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.source import Position, Source, Span

from .compose import DEFAULT_LIMITS, Limits

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(
    data: bytes, name: str, report: Report, *, limits: Limits = DEFAULT_LIMITS
) -> Source | None:
    """The text of UTF-8 bytes, or of UTF-16 bytes that start with a byte order mark.

    The mark itself is not part of the text. None when the report got an error.
    """
    top = Span(name, Position(1, 1), Position(1, 1))
    if len(data) > limits.size_bytes:
        report.add(codes.DOCUMENT_TOO_LARGE, top, size=len(data), limit=limits.size_bytes)
        return None
    mark, encoding = next(
        ((mark, encoding) for mark, encoding in _BYTE_ORDER_MARKS if data.startswith(mark)),
        (b"", "utf-8"),
    )
    if encoding == "utf-32":
        report.add(codes.INVALID_ENCODING, top, problem="UTF-32 is not read")
        return None
    try:
        return Source(data[len(mark) :].decode(encoding), name)
    except UnicodeDecodeError as error:
        readable = data[len(mark) : len(mark) + error.start].decode(encoding, "ignore")
        place = Source(readable, name).position(len(readable))
        problem = f"byte {len(mark) + error.start} is not {encoding.upper()} ({error.reason})"
        report.add(codes.INVALID_ENCODING, Span(name, place, place), problem=problem)
        return None
