"""Names that are never there, and parts that always fail."""

from __future__ import annotations

from collections.abc import Iterator

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related
from diglot.compiler.hints import Hints

from .findings import Finding
from .flowing import Flowing
from .inference import Note
from .model import Object
from .producers import who_leaves_out
from .seen import Seen
from .words import names_in_words

#: Shorter names are too near to each other.
_SHORTEST = 4


def wrong_parts(seen: Seen, flowing: Flowing, hints: Hints) -> Iterator[Finding]:
    """What is wrong inside of an expression."""
    for note in seen.notes:
        if note.kind == "fails":
            if seen.expression.source_language == "jq":
                yield Finding(
                    codes.ALWAYS_FAILS, seen, note.start, note.end, {"reason": note.words}
                )
        elif note.type.object is not None and not _is_of_variables(seen, note, flowing):
            if note.kind == "absent":
                yield _absent(seen, note, note.type.object, flowing, hints)
            else:
                yield from _misspelt(seen, note, note.type.object)


def _is_of_variables(seen: Seen, note: Note, flowing: Flowing) -> bool:
    """Whether a name is that of a variable, of which it is told by who follows variables."""
    if seen.expression.of == "variables" and note.type is seen.dot:
        return True
    return note.type is flowing.variables.get(seen.scope, "context")


def _absent(seen: Seen, note: Note, found: Object, flowing: Flowing, hints: Hints) -> Finding:
    names = [name for name, one in found.members.items() if one.type.kinds]
    near = hints.nearest(note.name, names)
    producer = None
    if near is None and note.type is seen.dot and seen.expression.of == "data":
        producer = who_leaves_out(flowing, seen, note.name)
    if producer is not None:
        related = Related(
            message="its output is made here", span=producer.span, pointer=producer.pointer
        )
        return Finding(
            codes.OUTPUT_LEFT_OUT,
            seen,
            note.start,
            note.end,
            {"property": note.name[:100], "task": producer.name or producer.id},
            related=(related,),
        )
    return Finding(
        codes.PROPERTY_NEVER_THERE,
        seen,
        note.start,
        note.end,
        {"property": note.name[:100], "known": names_in_words(names)},
        "" if near is None else f"Did you mean `{near}`?",
    )


def _misspelt(seen: Seen, note: Note, found: Object) -> Iterator[Finding]:
    near = nearly(note.name, found)
    if near is not None:
        yield Finding(
            codes.PROPERTY_MISSPELT,
            seen,
            note.start,
            note.end,
            {"property": note.name[:100], "near": near},
            f"Did you mean `{near}`?",
        )


def nearly(name: str, found: Object) -> str | None:
    """The one declared name that a name is a slip of; None where it may as well be another."""
    if len(name) < _SHORTEST or len(found.members) > 64:
        return None
    slips = [one for one in found.members if len(one) < 64 and _is_slip(name, one)]
    return slips[0] if len(slips) == 1 else None


def _is_slip(written: str, meant: str) -> bool:
    """Whether one text is the other with one letter too many, too few, other or out of place.

    A plural and another number are names of their own.
    """
    if written.casefold() == meant.casefold():
        return True
    if abs(len(written) - len(meant)) > 1 or len(meant) < _SHORTEST:
        return False
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    one, other = written[start:], meant[start:]
    end = 0
    while end < min(len(one), len(other)) and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[: len(one) - end], other[: len(other) - end]
    if any(character.isdigit() for character in one + other):
        return False
    if {one, other} == {"", "s"} and not end:
        return False
    is_swap = len(one) == len(other) == 2 and one == other[::-1]
    return max(len(one), len(other)) <= 1 or is_swap
