"""From the bytes of an XML file to its text, as lenient as can be done without guessing names.

A byte order mark wins over the declaration, and the declaration over UTF-8. What turns out to be
wrong is said in a warning, and the text is read by the next best encoding.
Source: XML 1.0, 4.3.3 and appendix F.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from .. import codes
from ..diagnostics import Report
from ..source import Source

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: How `<?` or `<x` begins in an encoding of two bytes without a mark.
_WITHOUT_MARK: Final = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARED: Final = re.compile(
    rb"""\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]{0,40})["']"""
)
#: Encodings in which ASCII stands for itself and every byte stands for the same in every place.
#: Others, such as UTF-7, can hide markup in what looks like text.
_READ: Final = re.compile(
    r"utf-8|ascii|iso8859-\d{1,2}|cp125\d|koi8-[ru]|mac-roman|gbk|gb2312|gb18030|big5|euc_jp"
    r"|euc_kr|shift_jis|cp932|cp949|cp950"
)


def decode(data: bytes, name: str, report: Report) -> Source:
    """The text of a file, without its byte order mark."""
    mark, encoding = next(
        ((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", "")
    )
    if not mark:
        encoding = next((known for begin, known in _WITHOUT_MARK if data.startswith(begin)), "")
    body = data[len(mark) :]
    declared = _DECLARED.match(body)
    spelled = declared[1].decode("ascii") if declared else ""
    if not encoding:
        encoding = _known(spelled) if spelled else "utf-8"
        if not encoding:
            # A text in two-byte units would not have been read as far as its declaration.
            return _guess(body, name, report, f"it is declared as {spelled}, which it is not")
    try:
        return Source(body.decode(encoding), name)
    except UnicodeDecodeError as fault:
        problem = f"byte {len(mark) + fault.start} is not {spelled or encoding.upper()}"
        return _guess(body, name, report, problem, encoding)


def _known(spelled: str) -> str:
    """The encoding of a declaration where it is one that is read; else empty."""
    try:
        found = codecs.lookup(spelled).name
    except LookupError:
        return ""
    return found if _READ.fullmatch(found) else ""


def _guess(body: bytes, name: str, report: Report, problem: str, tried: str = "") -> Source:
    """Read by the encodings that are left: UTF-8, Windows-1252, else with marks for bad bytes."""
    if tried.startswith(("utf-16", "utf-32")):
        taken, text = f"{tried.upper()} with marks", body.decode(tried, "replace")
    else:
        taken, text = _narrow(body)
    source = Source(text, name)
    report.add(codes.ENCODING_WRONG, source.span(0, 0), problem=problem, taken=taken)
    return source


def _narrow(body: bytes) -> tuple[str, str]:
    for encoding, words in (("utf-8", "UTF-8"), ("cp1252", "Windows-1252")):
        try:
            text = body.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Where most of the file is UTF-8, a few broken characters are no reason to take it all
        # for Windows-1252: then its pairs of bytes would be read as two characters each.
        if encoding == "utf-8" or not _PAIR.search(body):
            return words, text
    return "UTF-8 with marks for the bytes that are not", body.decode("utf-8", "replace")


_PAIR: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
