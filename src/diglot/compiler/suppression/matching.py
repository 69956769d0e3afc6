"""Findings and the ignores that speak of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import codes
from ..checks.definitions import OF_OTHERS
from ..diagnostics import Diagnostic, Report, Severity
from ..hints import Hints
from ..severities import meant_by
from ..source import Source
from . import Suppressed
from .ignore import Ignore, Ignored, Ignores, Place

_ByPlace = dict[tuple[str, Place | None], list[Ignore]]


def match(
    found: Iterable[Diagnostic], source: Source, imported: Sequence[Source], *, is_xml: bool
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """The findings that are left, and those that are ignored; see `suppress`."""
    ignores = {one.name: _ignores(one, is_xml=is_xml) for one in (*imported, source)}
    left: list[Diagnostic] = []
    ignored: list[Suppressed] = []
    used: set[tuple[int, str]] = set()
    by_place = {name: _by_place(of_file) for name, of_file in ignores.items()}
    for one in found:
        file = one.span.file if one.span is not None else source.name
        answers = [] if one.is_firm else _answers(one, by_place.get(file, {}), ignores.get(file))
        if not answers:
            left.append(one)
            continue
        used.update((id(answer), one.code) for answer in answers)
        ignored.append(Suppressed(one, answers[0].reason, answers[0].span))
    if not any(one.is_firm for one in left):
        left.extend(_wrong(ignores[source.name].found, used))
    return left, ignored


def _ignores(source: Source, *, is_xml: bool) -> Ignores:
    if is_xml:
        from .in_bpmn import ignores_in_bpmn

        return ignores_in_bpmn(source)
    from .in_yaml import ignores_in_yaml

    return ignores_in_yaml(source)


def _by_place(ignores: Ignores) -> _ByPlace:
    """The ignores that can have an effect, by the code and the place of which they speak."""
    found: _ByPlace = {}
    for one in ignores.found:
        for code in {ignored.code.upper() for ignored in one.codes}:
            if not one.problem:
                found.setdefault((code, one.place), []).append(one)
    return found


def _answers(found: Diagnostic, by_place: _ByPlace, ignores: Ignores | None) -> list[Ignore]:
    """The ignores that speak of a finding."""
    if not by_place or ignores is None:
        return []
    # What is nearest gives the reason.
    places: list[Place | None] = [*sorted(ignores.places_of(found), reverse=True), None]
    return [one for place in places for one in by_place.get((found.code, place), ())]


def _wrong(ignores: Iterable[Ignore], used: set[tuple[int, str]]) -> Iterable[Diagnostic]:
    """What is wrong with ignores."""
    report, hints = Report(), Hints()
    for one in ignores:
        if not one.codes:
            report.add(codes.UNKNOWN_SUPPRESSION, one.span, problem="names no code")
        for ignored in one.codes:
            _judge(one, ignored, used, report, hints)
    return report


def _judge(
    ignore: Ignore, ignored: Ignored, used: set[tuple[int, str]], report: Report, hints: Hints
) -> None:
    code = codes.ALL.get(ignored.code.upper())
    if code is None:
        meant = meant_by(ignored.code, hints)
        hint = f"Did you mean `{meant}`?" if meant else ""
        report.add(
            codes.UNKNOWN_SUPPRESSION,
            ignored.span,
            hint=hint,
            problem=f"names `{ignored.code[:60]}`, which is no code",
        )
    elif (id(ignore), code.id) not in used and (ignore.problem or code.id not in OF_OTHERS):
        problem = ignore.problem or "there is no such finding here"
        if not ignore.problem and code.severity is Severity.ERROR and not code.is_judged:
            problem = "it is an error that cannot be ignored"
        report.add(codes.UNUSED_SUPPRESSION, ignored.span, ignored=code.id, problem=problem)
