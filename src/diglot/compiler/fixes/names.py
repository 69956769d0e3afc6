"""Names that were meant: what a hint says, written where the wrong name stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from .. import codes
from ..diagnostics import Diagnostic, Fix, Severity
from ..hints import meant_in
from .fix import Place, fixes

_LIKE: Final = 0.5
#: The name in a start tag or, with its slash, in an end tag.
_NAMED: Final = re.compile(r"<(/?(?:[\w.-]+:)?[\w.-]+)(?=[\s/>])")
_TAG: Final = re.compile(r"<((?:[\w.-]+:)?)([\w.-]+)")


def meant(found: Diagnostic, place: Place) -> Fix | None:
    """The name that the hint has, for the one that was written.

    Of a warning nobody knows: the document means something as it is, and would mean another thing.
    """
    name = meant_in(found.hint)
    if name is None or found.severity is not Severity.ERROR:
        return None
    return _renamed(found, place, name)


@fixes(codes.UNKNOWN_SUPPRESSION)
def meant_code(found: Diagnostic, place: Place) -> Fix | None:
    """The code whose name was written into an ignore, which has no effect as it is."""
    name = meant_in(found.hint)
    return None if name is None else place.replace(name)


@fixes(codes.WRONG_PATTERN)
def written_like(found: Diagnostic, place: Place) -> Fix | None:
    """The value of the right form that the hint has."""
    told = re.fullmatch(r"Write `([^`\n]+)`\.", found.hint)
    value = found.parameters.get("found")
    if told is None or not isinstance(value, str) or place.text.count(value) != 1:
        return None
    at = place.start + place.text.index(value)
    return Place(place.source, at, at + len(value)).replace(told[1])


@fixes(codes.UNKNOWN_ELEMENT)
def meant_element(found: Diagnostic, place: Place) -> Fix | None:
    """The element that was meant, in its start tag and its end tag."""
    name, tag = meant_in(found.hint), _TAG.match(place.text)
    if name is None or tag is None or tag[2] != found.parameters.get("element"):
        return None
    qualified = tag[1] + tag[2]
    edits = [place.edit(name, place.start + tag.start(2), place.start + tag.end(2))]
    if not place.text.endswith("/>"):
        starts, ends = (_tags(place.source.text).get(sign + qualified, ()) for sign in ("", "/"))
        # With several of them it takes more than a look to tell which end is whose.
        if len(ends) != 1 or len(starts) != 1:
            return None
        at = ends[0] + len("</") + len(tag[1])
        edits.append(place.edit(name, at, at + len(tag[2])))
    return Fix(f"Write `{name}` for `{tag[2]}`.", tuple(edits))


@lru_cache(maxsize=1)
def _tags(text: str) -> Mapping[str, Sequence[int]]:
    """Where tags begin, by their names, those of end tags with their slash; kept for all fixes."""
    found: dict[str, list[int]] = {}
    for tag in _NAMED.finditer(text):
        found.setdefault(tag[1], []).append(tag.start())
    return found


def _renamed(found: Diagnostic, place: Place, name: str) -> Fix | None:
    """The name in the place of the wrong one, which is what stands there or a part of it."""
    text = place.text
    wrong = [one for one in found.parameters.values() if isinstance(one, str) and 0 < len(one) < 99]
    for prefix in ("$", ""):
        if prefix and not name.startswith(prefix):
            continue
        for one in wrong:
            written = prefix + one
            if _is_like(written, name) and text.count(written) == 1 and _is_name(text, written):
                at = place.start + text.index(written)
                return Place(place.source, at, at + len(written)).replace(name)
    return None


def _is_like(written: str, name: str) -> bool:
    """Whether a name may be a slip for another; else the hint speaks of something else."""
    return written != name and SequenceMatcher(None, written, name).ratio() >= _LIKE


def _is_name(text: str, name: str) -> bool:
    """Whether a name stands there by itself and is no part of a longer one."""
    return re.search(rf"(?<![\w$-]){re.escape(name)}(?![\w-])", text) is not None
