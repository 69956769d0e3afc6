"""An ignore that ignores nothing goes."""

from __future__ import annotations

import re
from typing import Final

from .. import codes
from ..diagnostics import Diagnostic, Fix
from .fix import Place, fixes

#: How a comment begins, and all of it.
_COMMENTS: Final = (
    ("#", re.compile(r"#[ \t]*diglot:[^\n\r]*")),
    ("<!--", re.compile(r"<!--\s*diglot:\s*ignore[^\n]*?-->")),
)
_NEXT: Final = re.compile(r"[\s,;]*")


@fixes(codes.UNUSED_SUPPRESSION)
def without(found: Diagnostic, place: Place) -> Fix | None:
    """The ignore without the code, or nothing of it where it has no other."""
    code = str(found.parameters.get("ignored"))
    start, end = place.line
    text = place.source.text
    others = _others(text, place, start, end)
    if others is None:
        return None
    if others:
        return Fix(f"Ignore `{code}` no more.", (place.edit("", *_with_separator(text, place)),))
    for opening, pattern in _COMMENTS:
        # Backwards from the code: a line may be a whole file, and have thousands of them.
        first = text.rfind(opening, start, place.start)
        one = pattern.match(text, first, end) if first >= 0 else None
        if one is None or one.end() <= place.start:
            continue
        first, last = _before_spaces(text, start, first), one.end()
        if not text[start:first].strip() and not text[last:end].strip():
            # The line has nothing else, and goes with its line end.
            first, last = start, _behind_line_end(text, end)
        return Fix(f"Remove the ignore of `{code}`.", (place.edit("", first, last),))
    return None


def _others(text: str, place: Place, start: int, end: int) -> bool | None:
    """Whether the ignore names other codes as well; None where it has no list of them."""
    first = max(text.rfind("[", start, place.start), text.rfind('"', start, place.start))
    last = min(
        (at for at in (text.find("]", place.end, end), text.find('"', place.end, end)) if at >= 0),
        default=-1,
    )
    if first < 0 or last < 0:
        return None
    around = text[first + 1 : place.start] + text[place.end : last]
    return bool(around.strip(" \t,;"))


def _with_separator(text: str, place: Place) -> tuple[int, int]:
    """The code with what sets it off from the next one, or from the one before."""
    behind = _NEXT.match(text, place.end)
    end = behind.end() if behind is not None else place.end
    if end > place.end and text[end] not in ']"':
        return place.start, end
    return _before_spaces(text, 0, place.start, " \t,;"), place.end


def _before_spaces(text: str, start: int, at: int, spaces: str = " \t") -> int:
    """Where the spaces begin that stand before an offset, back to `start` at most."""
    while at > start and text[at - 1] in spaces:
        at -= 1
    return at


def _behind_line_end(text: str, at: int) -> int:
    if text.startswith("\r\n", at):
        return at + 2
    return at + 1 if at < len(text) else at
