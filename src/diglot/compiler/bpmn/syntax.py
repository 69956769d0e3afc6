"""What XML is not: characters, and texts that are not well-formed, in words that name the cure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.parsers.expat import errors

from ..source import Source

#: A tag that is open: its name as written and its offset.
Opened = tuple[str, int]

#: A character that XML has no form for, not even as a reference. Source: XML 1.0, 2.2.
NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NAME: Final = re.compile(r"</?\s*([^\s<>/=]{1,80})")
_ATTRIBUTE: Final = re.compile(r"\s*([^\s<>/=]{1,80})")
_REFERENCE: Final = re.compile(r"&[^;\s<&]{1,40};?")

_UNENDED: Final = re.compile(r"&#?\w*")

_UNQUOTED: Final = "Put quotes around the value."
_ESCAPE: Final = "Write `&lt;`, `&gt;` and `&amp;` for the characters `<`, `>` and `&`."

_WORDS: Final = {
    errors.XML_ERROR_UNCLOSED_TOKEN: (
        "a tag, a comment or a quote that begins here is not closed",
        "Close it, or remove what was begun.",
    ),
    errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: (
        "something follows the end of the document",
        "Remove what stands behind the last closing tag.",
    ),
    errors.XML_ERROR_BAD_CHAR_REF: (
        "this reference stands for no character",
        "Remove it; most control characters cannot stand in XML at all.",
    ),
    errors.XML_ERROR_MISPLACED_XML_PI: (
        "the XML declaration is not at the very beginning",
        "Remove the lines or spaces in front of `<?xml`.",
    ),
    errors.XML_ERROR_XML_DECL: (
        "the XML declaration is malformed",
        'Write `<?xml version="1.0" encoding="UTF-8"?>`.',
    ),
    errors.XML_ERROR_UNCLOSED_CDATA_SECTION: (
        "a `<![CDATA[` section is not closed",
        "Close it with `]]>`.",
    ),
}


def where(text: str, at: int) -> int:
    """The offset where the author sees the mistake that the parser stopped for at `at`."""
    if not text.lstrip().startswith("<"):
        return 0
    # What does not end is noticed behind it: a section of character data, a reference.
    if at >= len(text):
        section = text.rfind("<![CDATA[")
        return section if section > text.rfind("]]>") else at
    begin = text.rfind("&", max(at - 40, 0), at)
    return begin if begin >= 0 and _UNENDED.fullmatch(text, begin, at) else at


def explain(code: int, source: Source, at: int, opened: Sequence[Opened]) -> tuple[str, str]:
    """The problem that expat's error `code` at an offset means, and the hint for it.

    `opened` are the elements that are not closed yet, the innermost last.
    """
    message = errors.messages.get(code, "")
    text = source.text
    if not text.strip():
        return "the document is empty", "Export the model again."
    if not text.lstrip().startswith("<"):
        return "it does not begin with `<`", "Is this the right file? BPMN is XML."
    if message == errors.XML_ERROR_TAG_MISMATCH and opened:
        return _mismatch(source, at, opened[-1])
    if message == errors.XML_ERROR_NO_ELEMENTS and opened:
        name, line = _opened(source, opened[-1])
        return (
            f"it ends before `<{name}>` of line {line} is closed",
            "The file may be cut off; save or export it again.",
        )
    if message == errors.XML_ERROR_DUPLICATE_ATTRIBUTE:
        found = _ATTRIBUTE.match(text, at)
        name = found[1] if found else ""
        return f"the attribute `{name}` stands twice in one tag", "Keep one of the two."
    if message == errors.XML_ERROR_UNDEFINED_ENTITY:
        found = _REFERENCE.match(text, at)
        return (
            f"`{found[0] if found else '&'}` is not one of XML's own references",
            "Write the character itself or its number, as `&#160;`.",
        )
    if message == errors.XML_ERROR_INVALID_TOKEN:
        return _invalid_token(text, at)
    return _WORDS.get(message, (message or "the parser cannot go on", ""))


def _opened(source: Source, opened: Opened) -> tuple[str, int]:
    name, start = opened
    return name[:80], source.position(start).line


def _mismatch(source: Source, at: int, opened: Opened) -> tuple[str, str]:
    name, line = _opened(source, opened)
    # Expat points behind the `</`.
    found = _NAME.match(source.text, source.text.rfind("<", 0, at + 1))
    closed = found[1] if found else ""
    return (
        f"`</{closed}>` does not close `<{name}>` of line {line}",
        f"Write `</{name}>` before it, or remove one of the two tags.",
    )


def _invalid_token(text: str, at: int) -> tuple[str, str]:
    found = text[at : at + 1]
    if found and (ord(found) < 0x20 or found in "\ufffe\uffff"):
        return f"the character U+{ord(found):04X} cannot stand in XML", "Remove it."
    if found == "&":
        return "`&` does not begin a reference here", _ESCAPE
    if found == "<":
        return "`<` cannot stand here", _ESCAPE
    if text[:at].rstrip().endswith("="):
        return "the value of an attribute has no quotes", _UNQUOTED
    return f"`{text[at : at + 20].strip() or found}` cannot stand here", ""
