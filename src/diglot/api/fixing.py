"""Fixes put into a document: each kept only where compiling again says that it cured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from diglot.compiler import Compiled, codes
from diglot.compiler.diagnostics import Diagnostic, Edit, Fix, Severity
from diglot.compiler.fixes import applied
from diglot.compiler.source import Span

#: So often a document is compiled for its fixes at most.
_MOST_TRIALS: Final = 200

_OF_IGNORES: Final = (codes.UNKNOWN_SUPPRESSION.id, codes.UNUSED_SUPPRESSION.id)

Compile = Callable[[str], Compiled]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A document after its fixes."""

    compiled: Compiled
    fixes: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A document with some of its fixes, and where in it they are."""

    compiled: Compiled
    edited: tuple[Span, ...]


def fix_all(text: str, compile: Compile) -> Fixed:
    """Put in every fix that cures: a finding is gone, and none is new."""
    before, done, trials = compile(text), list[Fix](), 1
    refused: set[tuple[str, str]] = set()
    while trials < _MOST_TRIALS:
        fixes = [
            (found, fix)
            for found in before.diagnostics
            for fix in found.fixes[:1]
            if (found.code, fix.title) not in refused
        ]
        if not fixes:
            break
        # All at once first, because one by one takes as many readings as there are fixes.
        for chosen in (fixes, fixes[:1]) if len(fixes) > 1 else (fixes,):
            after = _tried(before, [fix for _, fix in chosen], compile)
            trials += 1
            if after is not None and all(_cures(before, after, found) for found, _ in chosen):
                before = after.compiled
                done += [fix for _, fix in chosen]
                # What did not cure before may do so now.
                refused.clear()
                break
        else:
            refused.add((fixes[0][0].code, fixes[0][1].title))
    return Fixed(before, tuple(done))


def does_cure(before: Compiled, found: Diagnostic, fix: Fix, compile: Compile) -> bool:
    """Whether a fix of a finding cures it, and nothing else comes of it."""
    after = _tried(before, [fix], compile)
    return after is not None and _cures(before, after, found)


def _tried(before: Compiled, fixes: list[Fix], compile: Compile) -> _Trial | None:
    """The document after fixes; None where they do not go together."""
    edits = [edit for fix in fixes for edit in fix.edits]
    text = applied(before.source, edits)
    if text is None or text == before.source.text:
        return None
    after = compile(text)
    return _Trial(after, tuple(_edited(edits, before, after)))


def _edited(edits: list[Edit], before: Compiled, after: Compiled) -> Iterator[Span]:
    """Where in the new text the edits are."""
    shift = 0
    for edit in sorted(edits, key=lambda one: one.span.start):
        start = before.source.offset(edit.span.start) + shift
        end = start + len(edit.text)
        shift = end - before.source.offset(edit.span.end)
        yield after.source.span(start, end)


def _cures(before: Compiled, trial: _Trial, cured: Diagnostic) -> bool:
    """Whether a finding is gone, and nothing else came of it."""
    after = trial.compiled
    old, new = _counted(before.diagnostics), _counted(after.diagnostics)
    excused = (one for one in after.diagnostics if _was_hidden(one, before, trial, cured))
    came = new - old - _counted(excused)
    same = _key(cured)
    return not came and (new[same] < old[same] or _is_further(trial, cured))


def _was_hidden(found: Diagnostic, before: Compiled, trial: _Trial, cured: Diagnostic) -> bool:
    """Whether a finding was there before, where nobody could look, and not of what is edited."""
    is_behind = _is_unread(cured) and found.pointer == cured.pointer
    # Ignores are judged where nothing refuses the document, edited or not.
    is_of_ignore = found.code in _OF_IGNORES and before.is_refused
    return is_of_ignore or (not _is_edited(found, trial) and (not before.graphs or is_behind))


def _is_further(trial: _Trial, cured: Diagnostic) -> bool:
    """Whether what now stops the reader of an expression is something else than before."""
    alike = (
        one
        for one in trial.compiled.diagnostics
        if one.code == cured.code and one.pointer == cured.pointer
    )
    return _is_unread(cured) and not any(_is_edited(one, trial) for one in alike)


def _is_unread(cured: Diagnostic) -> bool:
    """Whether a finding stops a reader, who tells of one thing at a time."""
    return cured.code == codes.EXPRESSION_SYNTAX.id


def _is_edited(found: Diagnostic, trial: _Trial) -> bool:
    return found.span is not None and any(
        edit.start <= found.span.end and found.span.start <= edit.end for edit in trial.edited
    )


_Key = tuple[Severity, str, str]


def _key(found: Diagnostic) -> _Key:
    # What is renamed has another pointer; that of what is around it stays.
    pointer = found.pointer
    about = pointer.rpartition("/")[0] if pointer.startswith("/") else pointer
    return found.severity, found.code, about


def _counted(found: Iterable[Diagnostic]) -> Counter[_Key]:
    return Counter(map(_key, found))
