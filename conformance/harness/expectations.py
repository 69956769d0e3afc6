"""What a case may expect: one function a key of `[expect]`, each yielding what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from diglot.compiler.diagnostics import Diagnostic, Severity

from .difference import differences, missing, shown
from .doubles import Request
from .evidence import Evidence, kind
from .trace import difference as trace_difference

#: Compares what is expected with what is to be seen; yields a sentence a difference.
Check = Callable[[Any, Evidence], Iterator[str]]

_checks: dict[str, Check] = {}


def expects(key: str) -> Callable[[Check], Check]:
    """Register the one function that checks this key."""

    def register(check: Check) -> Check:
        if key in _checks:
            raise RuntimeError(f"{key} is checked twice")
        _checks[key] = check
        return check

    return register


def unmet(expected: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
    """Every expectation that is not met. `diagnostics` are no part of a run."""
    for key, value in expected.items():
        if key != "diagnostics":
            for found in _checks[key](value, evidence):
                yield f"{key}: {found}"


def keys() -> frozenset[str]:
    """Every key that a run is checked for."""
    return frozenset(_checks)


def unmet_diagnostics(expected: Sequence[str] | None, found: Sequence[Diagnostic]) -> Iterator[str]:
    """Differences of a document's findings; where none are listed, only errors are unexpected.

    A listed entry without a place stands for its code anywhere. Notes count where their code is
    listed.
    """
    if expected is None:
        for one in found:
            if one.severity is Severity.ERROR:
                yield f"diagnostics: unexpected {_place(one)} {one.message}"
        return
    listed = {entry[:6] for entry in expected}
    counted = [one for one in found if one.severity is not Severity.INFO or one.code in listed]
    left = list(expected)
    for one in counted:
        match = next((text for text in (_place(one), one.code) if text in left), None)
        if match is None:
            yield f"diagnostics: unexpected {_place(one)} {one.message}"
        else:
            left.remove(match)
    for entry in left:
        yield f"diagnostics: expected {entry}, found {[_place(one) for one in counted]}"


def _place(found: Diagnostic) -> str:
    if found.span is None:
        return found.code
    return f"{found.code}@{found.span.start.line}:{found.span.start.column}"


@expects("status")
def _(expected: str, evidence: Evidence) -> Iterator[str]:
    row = evidence.row
    actual = "no instance" if row is None else row.status
    if actual != expected:
        reason = "" if row is None or row.error is None else f" ({shown(row.error)})"
        waiting = evidence.waiting()
        reason += f", waiting at {', '.join(waiting)}" if waiting else ""
        yield f"expected {expected}, got {actual}{reason}"


@expects("output")
def _(expected: Any, evidence: Evidence) -> Iterator[str]:
    row = evidence.row
    if row is None or row.status != "completed":
        status = "no instance" if row is None else f"an instance that is {row.status}"
        yield f"expected {shown(expected)}, got {status}"
    else:
        yield from differences(expected, row.output)


@expects("error")
def _(expected: Mapping[str, Any], evidence: Evidence) -> Iterator[str]:
    row = evidence.row
    if row is None or row.error is None:
        yield f"expected {shown(expected)}, got none"
    else:
        yield from missing(dict(expected), row.error)


@expects("trace")
def _(expected: Sequence[Any], evidence: Evidence) -> Iterator[str]:
    found = trace_difference(expected, [entered.name for entered in evidence.entered()])
    if found is not None:
        yield found


@expects("began")
def _(expected: Mapping[str, list[int]], evidence: Evidence) -> Iterator[str]:
    entered = evidence.entered()
    for task, moments in expected.items():
        actual = [one.at_ms for one in entered if one.name == task]
        if actual != moments:
            yield f"{task}: expected {moments}, got {actual}"


@expects("emitted")
def _(expected: Sequence[Mapping[str, Any]], evidence: Evidence) -> Iterator[str]:
    actual = evidence.emitted()
    for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
        yield from missing(one, other, f"/{index}")
    if len(expected) != len(actual):
        yield f"expected {len(expected)}, got {[event.get('type') for event in actual]}"


@expects("lifecycle")
def _(expected: Sequence[str], evidence: Evidence) -> Iterator[str]:
    yield from differences(list(expected), evidence.lifecycle())


@expects("told")
def _(expected: Sequence[Mapping[str, Any]], evidence: Evidence) -> Iterator[str]:
    left = evidence.told_of_itself()
    for index, wanted in enumerate(expected):
        found = next((one for one in left if kind(one) == wanted["event"]), None)
        if found is None:
            yield f"/{index}: expected {wanted['event']}, got {[kind(one) for one in left]}"
            continue
        left.remove(found)
        if "source" in wanted:
            yield from differences(wanted["source"], found["source"], f"/{index}/source")
        yield from missing(wanted["data"], found["data"], f"/{index}/data")


@expects("requests")
def _(expected: Sequence[Any], evidence: Evidence) -> Iterator[str]:
    wanted = [{"request": one} if isinstance(one, str) else one for one in expected]
    actual = evidence.requests
    if evidence.has_repeats:
        for one in wanted:
            if not any(_is_met(one, request) for request in actual):
                yield f"expected {shown(one)}, got {[request.line for request in actual]}"
        for request in actual:
            if not any(_is_met(one, request) for one in wanted):
                yield f"unexpected {request.line}"
        return
    for index, (one, request) in enumerate(zip(wanted, actual, strict=False)):
        yield from _unmet_by(one, request, f"/{index}")
    if len(wanted) != len(actual):
        yield f"expected {len(wanted)}, got {[request.line for request in actual]}"


@expects("waiting")
def _(expected: Sequence[str], evidence: Evidence) -> Iterator[str]:
    actual = evidence.waiting()
    if Counter(actual) != Counter(expected):
        yield f"expected {sorted(expected)}, got {sorted(actual)}"


@expects("jobs")
def _(
    expected: Mapping[str, Mapping[str, Any] | Literal[False]], evidence: Evidence
) -> Iterator[str]:
    """What the oldest open job of a task says of itself; it may have other members, too."""
    actual = evidence.jobs()
    for task, wanted in expected.items():
        if wanted is False:
            if task in actual:
                yield f"{task}: expected no job, got {shown(actual[task])}"
        elif task in actual:
            yield from missing(wanted, actual[task], f"/{task}")
        else:
            yield f"{task}: expected {shown(wanted)}, got no job"


@expects("instances")
def _(expected: int, evidence: Evidence) -> Iterator[str]:
    actual = [row.id for row in evidence.instances()]
    if len(actual) != expected:
        yield f"expected {expected}, got {len(actual)}: {actual}"


@expects("processes")
def _(expected: Mapping[str, str], evidence: Evidence) -> Iterator[str]:
    """The statuses of the instances of each process named, oldest first."""
    for process, statuses in expected.items():
        actual = evidence.statuses(process)
        if actual != statuses.split():
            yield f"{process}: expected {statuses or 'none'}, got {' '.join(actual) or 'none'}"


@expects("absent")
def _(expected: Sequence[str], evidence: Evidence) -> Iterator[str]:
    for text in expected:
        for place, content in evidence.everything():
            if text in content:
                yield f"{text!r} stands in {place}"
        if any(text in secret for secret in evidence.secrets):
            yield from _kept_on_disk(text, evidence)


def _is_met(wanted: Mapping[str, Any], request: Request) -> bool:
    return next(_unmet_by(wanted, request, ""), None) is None


def _unmet_by(wanted: Mapping[str, Any], request: Request, place: str) -> Iterator[str]:
    """How a request differs from what is wanted of it; headers may be more, the body is exact."""
    yield from differences(wanted["request"], request.line, f"{place}/request")
    headers = {name.lower(): value for name, value in wanted.get("headers", {}).items()}
    yield from missing(headers, request.headers, f"{place}/headers")
    if "body" in wanted:
        yield from differences(wanted["body"], request.content, f"{place}/body")


def _kept_on_disk(text: str, evidence: Evidence) -> Iterator[str]:
    for name, content in evidence.database():
        if text.encode() in content:
            yield f"{text!r} stands in the file {name}"
