"""Names of steps, decisions, events and errors in the words of somebody who reads a diagram."""

from __future__ import annotations

import re
from typing import Final

from ...graph.errors import standard_family_name

#: What is longer does not fit beside an arrow.
LONGEST_CONDITION: Final = 60
#: What is longer does not fit into a box.
LONGEST_NAME: Final = 120

#: A name that a program might have: no blanks, no signs but those that join words.
_IDENTIFIER: Final = re.compile(r"[\w.\-]+")
_SEPARATORS: Final = re.compile(r"[\s_.\-]+")
_VERSION: Final = re.compile(r"v?\d+")
#: Beginnings of names that say only that something is decided.
_DECIDING: Final = frozenset(
    {"check", "choose", "decide", "determine", "evaluate", "route", "select", "switch", "test"}
)
#: First parts of names that begin with a domain, turned around.
_DOMAINS: Final = frozenset({"com", "de", "dev", "edu", "eu", "gov", "io", "net", "org"})


def spoken(name: str) -> str:
    """A name in words: `reserveItem` is `Reserve item`. What has words already stays."""
    name = " ".join(name.split())
    if not _IDENTIFIER.fullmatch(name):
        return shortened(name, LONGEST_NAME)
    words = words_of(name)
    if not words:
        return name
    words[0] = words[0][:1].upper() + words[0][1:]
    return shortened(" ".join(words), LONGEST_NAME)


def question(name: str) -> str:
    """A decision as a question: `checkAmount` is `Amount?`."""
    text = spoken(name)
    first, _, rest = text.partition(" ")
    if rest and first.lower() in _DECIDING and _IDENTIFIER.fullmatch(name.strip()):
        text = raised(rest)
    return asked(text)


def asked(text: str) -> str:
    """Words as a question."""
    return text if not text or text.endswith("?") else f"{text}?"


def choice(name: str) -> str:
    """What stands at a way that may be taken: `electronicOrder` is `electronic order`."""
    text = spoken(name)
    return lowered(text) if _IDENTIFIER.fullmatch(name.strip()) else text


def lowered(text: str) -> str:
    """Words for the middle of a sentence; an acronym stays as it is."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or len(text) == 1 else text


def raised(text: str) -> str:
    """Words for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def shortened(text: str, most: int) -> str:
    """The text on one line and of at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def words_of(name: str) -> list[str]:
    """The words of a name; acronyms keep their capitals."""
    parts = [part for part in _SEPARATORS.split(name) if part]
    shouts = not any(character.islower() for character in name) and len(parts) > 1
    words: list[str] = []
    for part in parts:
        for word in _split(part):
            is_acronym = len(word) > 1 and word.isupper() and not shouts
            words.append(word if is_acronym else word.lower())
    return words


def _split(part: str) -> list[str]:
    """Where a word ends inside of a name: `getURLOfStep2` is get, URL, Of, Step, 2."""
    words: list[str] = []
    start = 0
    for at in range(1, len(part)):
        before, here = part[at - 1], part[at]
        behind = part[at + 1 : at + 2]
        begins = (
            (here.isupper() and not before.isupper())
            or (here.isupper() and before.isupper() and behind.islower() and at - start > 0)
            or (here.isdigit() and before.isalpha() and at - start > 1)
            or (here.isalpha() and before.isdigit() and part[start:at].isdigit() and at - start > 1)
        )
        # One letter and one digit are a name of their own: B2B.
        is_short = before.isdigit() and at - start == 2 and part[start].isalpha()
        if begins and not (here.isupper() and is_short):
            words.append(part[start:at])
            start = at
    words.append(part[start:])
    return words


# -- events and errors


def event(type: str) -> str:
    """The type of an event in words: `com.acme.order.placed.v1` is `Order placed`."""
    if "://" in type:
        type = type.rstrip("/").rpartition("/")[2]
    if not _IDENTIFIER.fullmatch(type):
        return raised(shortened(type, LONGEST_CONDITION))
    parts = [part for part in type.split(".") if part]
    if len(parts) > 2 and parts[0].lower() in _DOMAINS:
        parts = parts[2:] if len(parts) > 3 else parts[1:]
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    return spoken(".".join(parts[-3:]))


def error(type: str) -> str:
    """The type or code of an error in words: the standard's are `Communication error`."""
    name = standard_family_name(type) or type.rstrip("/").rpartition("/")[2] or type
    text = spoken(name)
    return text if re.search(r"\b(?:error|fault|failure|failed)\b", text, re.I) else f"{text} error"
