"""What an author writes to say that a finding is known and meant.

`diglot: ignore[DG1902, DG1801] reason`, in a comment; `ignore-file` speaks of the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..diagnostics import Diagnostic
from ..source import Source, Span

#: The place of a finding of which an ignore can speak: a line, or an element by its number.
Place = int

_IGNORE: Final = re.compile(
    r"\s*diglot:\s*ignore(?P<file>-file)?(?![\w-])\s*(?:\[(?P<codes>[^\]\n]*)\])?(?P<reason>[^\n]*)"
)
_CODE: Final = re.compile(r"[^\s,;]+")
#: So many ignores of one file; nobody reads more.
LIMIT: Final = 5_000


@dataclass(frozen=True, slots=True)
class Ignored:
    """A code that is ignored, as it is written, and where that stands."""

    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class Ignore:
    """One ignore; without `place` it speaks of the whole file."""

    codes: tuple[Ignored, ...]
    reason: str
    span: Span
    place: Place | None
    #: What keeps it from having an effect, in words that follow "because".
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignores of one file, and the places of which a finding is one."""

    found: tuple[Ignore, ...]
    places_of: Callable[[Diagnostic], Iterable[Place]]


@dataclass(frozen=True, slots=True)
class Comment:
    """The text of an ignore, before it is known what it speaks of."""

    codes: tuple[Ignored, ...]
    reason: str
    span: Span
    is_of_file: bool

    def about(self, place: Place | None, problem: str = "") -> Ignore:
        """The ignore at its place."""
        return Ignore(self.codes, self.reason, self.span, place, problem)


def read_comment(source: Source, start: int, end: int) -> Comment | None:
    """The ignore in a comment whose text stands between two offsets; None if it is another one."""
    found = _IGNORE.match(source.text, start, end)
    if found is None:
        return None
    at, named = (found.start("codes"), found["codes"]) if found["codes"] is not None else (0, "")
    return Comment(
        tuple(codes_in(source, at, named)),
        tidy(found["reason"]),
        source.span(start, end),
        is_of_file=found["file"] is not None,
    )


def codes_in(source: Source, at: int, text: str) -> Iterator[Ignored]:
    """The codes that a text names, which stands at the offset `at`."""
    for one in _CODE.finditer(text):
        yield Ignored(one.group(), source.span(at + one.start(), at + one.end()))


def tidy(reason: str) -> str:
    """A reason without what sets it off from the codes."""
    return " ".join(reason.lstrip(" :-").split())
