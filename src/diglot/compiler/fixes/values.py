"""Values of a document in YAML that are written as another kind than they are meant."""

from __future__ import annotations

import json
import re
from typing import Final

from .. import codes
from ..diagnostics import Diagnostic, Fix
from .fix import Place, fixes, shown

#: A scalar that can be put into quotes as it stands.
_PLAIN: Final = re.compile(r"[\w.+:-]{1,100}")
_QUOTED_NUMBER: Final = re.compile(r"""(["'])([0-9]{1,9})\1""")
_TABS: Final = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
_SPACES: Final = re.compile(r"^( +)\S", re.MULTILINE)
_TIME: Final = re.compile(
    r"(?P<number>\d{1,9}) ?(?P<unit>ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?"
    r"|d|days?|w|weeks?)",
    re.IGNORECASE,
)
_UNITS: Final = {"s": "PT{}S", "m": "PT{}M", "h": "PT{}H", "d": "P{}D", "w": "P{}W"}


@fixes(codes.WRONG_TYPE)
def quoted(found: Diagnostic, place: Place) -> Fix | None:
    """Quotes around what has to be a string, and none around what has to be a number."""
    expected = found.parameters.get("expected")
    if expected == "a string" and _PLAIN.fullmatch(place.text):
        return place.replace(json.dumps(place.text))
    number = _QUOTED_NUMBER.fullmatch(place.text)
    if expected in ("an integer", "a number") and number is not None:
        return place.replace(number[2])
    return None


@fixes(codes.NON_STRING_KEY, codes.QUERY_VALUE_NOT_TEXT)
def quoted_text(_: Diagnostic, place: Place) -> Fix | None:
    """Quotes around what has to be text."""
    return place.replace(json.dumps(place.text)) if _PLAIN.fullmatch(place.text) else None


@fixes(codes.ERROR_STATUS_NOT_A_NUMBER)
def number_without_quotes(_: Diagnostic, place: Place) -> Fix | None:
    """A number without its quotes."""
    number = _QUOTED_NUMBER.fullmatch(place.text)
    return None if number is None else place.replace(number[2])


@fixes(codes.AUTHENTICATION_NAME_BARE)
def named_policy(found: Diagnostic, place: Place) -> Fix | None:
    """The policy of a name, as it is named elsewhere."""
    name = str(found.parameters.get("name"))
    return place.replace(f"{{ use: {place.text} }}") if name in place.text else None


@fixes(codes.ARGUMENTS_NOT_A_LIST)
def one_argument(found: Diagnostic, place: Place) -> Fix | None:
    """A list of the one argument that there is."""
    is_flow = _PLAIN.fullmatch(place.text) or _is_one_string(place.text)
    return place.replace(f"[{place.text}]") if is_flow and found.parameters else None


@fixes(codes.FOR_IN_SCALARS)
def list_as_expression(_: Diagnostic, place: Place) -> Fix | None:
    """A list of plain values as an expression that gives it."""
    try:
        listed = json.loads(place.text)
    except (ValueError, RecursionError):
        return None
    return place.replace(json.dumps(f"${{ {json.dumps(listed)} }}"))


@fixes(codes.BAD_DURATION)
def duration(found: Diagnostic, place: Place) -> Fix | None:
    """A duration in words as ISO 8601 has it."""
    written = found.parameters.get("duration")
    told = _TIME.fullmatch(written) if isinstance(written, str) else None
    if told is None or not isinstance(written, str) or place.text.count(written) != 1:
        return None
    number, unit = int(told["number"]), told["unit"].lower()
    iso = f"PT{number / 1000:.3f}S" if unit.startswith(("ms", "mil")) else _UNITS[unit[0]]
    at = place.start + place.text.index(written)
    return Place(place.source, at, at + len(written)).replace(iso.format(number))


@fixes(codes.TAB_INDENTATION)
def spaces_for_tabs(_: Diagnostic, place: Place) -> Fix | None:
    """Spaces in the place of every tab that indents, as many as the document indents by."""
    text = place.source.text
    widths = [len(one[1]) for one in _SPACES.finditer(text)]
    width = min(widths, default=2)
    edits = tuple(
        place.edit(one.group().replace("\t", " " * width), one.start(), one.end())
        for one in _TABS.finditer(text)
        if one.end() < len(text) and text[one.end()] not in "\r\n"
    )
    return Fix(f"Indent with {width} spaces instead of tabs.", edits) if edits else None


def _is_one_string(text: str) -> bool:
    """Whether a text is one string of JSON."""
    try:
        return isinstance(json.loads(shown(text)), str) and len(text) <= 60
    except ValueError:
        return False
