"""Errors: raising them, catching them, and trying again.

Source: DSL reference, Raise, Try, Catch, Error, Retry; our decisions A1 to A6, A29.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .. import codes
from ..graph import (
    Constant,
    Duration,
    ErrorTemplate,
    ErrorTrigger,
    Expression,
    Handler,
    Raise,
    RetryPolicy,
    ScopeNode,
    UriTemplate,
    Value,
)
from ..graph.errors import STANDARD_ERRORS, canonical_error_type, error_type, standard_family_name
from ..pointers import join_pointer
from .lanes import add_scope, entries_of
from .read_resources import uri_value
from .reading import Place, Reading, reads
from .values import duration, expression, is_negative, spelled, text_value
from .variables import check_name

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import errors as faults
    from diglot.specs.serverless_workflow.model import tasks as model

Length = Duration | Expression


@reads("raise")
def read_raise(task: model.RaiseTask, at: Place, reading: Reading) -> None:
    """The error is written out, or is one of `use.errors`."""
    found, pointer = task.raise_.error, f"{at.pointer}/raise/error"
    template: ErrorTemplate | None = None
    if isinstance(found, str):
        named: faults.Error | None = reading.names.find("errors", found)
        if named is None:
            reading.unknown("errors", found, pointer)
        else:
            template = _template(reading, named, "/use/errors" + join_pointer(found))
    else:
        template = _template(reading, found, pointer)
    if template is None:
        template = ErrorTemplate(
            type=Constant(error_type("configuration")),
            status=Constant(STANDARD_ERRORS["configuration"]),
        )
    reading.into.add(Raise(**at.common, error=template))


def _template(reading: Reading, found: faults.Error, pointer: str) -> ErrorTemplate:
    kind = uri_value(reading, found.type, f"{pointer}/type")
    if isinstance(kind, UriTemplate) and "{" not in kind.text:
        canonical = canonical_error_type(kind.text)
        if standard_family_name(canonical) not in STANDARD_ERRORS:
            reading.find(codes.NONSTANDARD_ERROR_TYPE, f"{pointer}/type", type=kind.text)
        kind = Constant(canonical)
    if found.instance is not None:
        place = f"{pointer}/instance"
        span = reading.document.key_span_of(place)
        reading.find(codes.ERROR_INSTANCE_IGNORED, place, span=span)
    title = detail = None
    if found.title is not None:
        title = text_value(reading, found.title, f"{pointer}/title")
    if found.detail is not None:
        detail = text_value(reading, found.detail, f"{pointer}/detail")
    return ErrorTemplate(type=kind, status=Constant(found.status), title=title, detail=detail)


@reads("try")
def read_try(task: model.TryTask, at: Place, reading: Reading) -> None:
    """A scope whose errors a handler takes: it may run the scope again, then does its own tasks.

    The tasks of `catch.do` run inside the scope that failed, where the error has its name.
    """
    into, catch = reading.into, task.catch
    scope, pointer = at.inside("/try"), f"{at.pointer}/catch"
    leave_by = None
    if catch.then is not None:
        target = at.ways.to(catch.then, f"{pointer}/then")
        leave_by = into.add_flow(at.id, target, role="handler")
    into.add(ScopeNode(**at.common, body=scope))
    tried = f"{at.pointer}/try"
    entries = entries_of(task.try_, tried)
    add_scope(reading, entries, id=scope, form="try", parent=at.scope, pointer=tried, inside=at)
    run = None
    if catch.do is not None:
        run, handled = at.inside("/catch/do"), f"{pointer}/do"
        entries = entries_of(catch.do, handled)
        add_scope(
            reading, entries, id=run, form="handler", parent=scope, pointer=handled, inside=at
        )
    retry = None
    if catch.retry is not None:
        retry = _retry(reading, catch.retry, f"{pointer}/retry")
    into.add_handler(
        Handler(
            id=f"{at.id}#catch",
            trigger=_trigger(reading, catch, pointer),
            scope=scope,
            retry=retry,
            run=run,
            leave_by=leave_by,
            pointer=pointer,
            span=reading.span(pointer),
        )
    )


def _trigger(reading: Reading, catch: model.Catch, pointer: str) -> ErrorTrigger:
    match: list[tuple[str, Value]] = []
    if catch.errors is not None and catch.errors.with_ is not None:
        match = _filter(reading, catch.errors.with_, f"{pointer}/errors/with")
    elif catch.when is None and catch.exceptWhen is None:
        acts = catch.do is not None or catch.retry is not None or catch.then is not None
        code = codes.CATCH_EVERYTHING if acts else codes.ERRORS_SWALLOWED
        reading.find(code, pointer, span=reading.document.key_span_of(pointer))
    check_name(reading, catch.as_, f"{pointer}/as")
    when = except_when = None
    if catch.when is not None:
        when = expression(reading, catch.when, f"{pointer}/when")
    if catch.exceptWhen is not None:
        except_when = expression(reading, catch.exceptWhen, f"{pointer}/exceptWhen")
    return ErrorTrigger(match=tuple(match), when=when, except_when=except_when, variable=catch.as_)


def _filter(reading: Reading, found: faults.ErrorFilter, pointer: str) -> list[tuple[str, Value]]:
    """Every member must be equal. `details` is what 1.0.3 calls `detail`."""
    members: list[tuple[str, Value]] = []
    if found.type is not None:
        canonical = canonical_error_type(found.type)
        _check_type(reading, canonical, f"{pointer}/type")
        members.append(("type", Constant(canonical)))
    if found.status is not None:
        members.append(("status", Constant(found.status)))
    for name, text in (
        ("instance", found.instance),
        ("title", found.title),
        ("detail", found.detail),
        ("details", found.details),
    ):
        if text is not None:
            member = text_value(reading, text, f"{pointer}/{name}")
            members.append((name.removesuffix("s"), member))
    return members


def _check_type(reading: Reading, uri: str, pointer: str) -> None:
    """Report a type that looks standard and is none: no error ever has it."""
    name = standard_family_name(uri)
    if name in STANDARD_ERRORS:
        return
    if name is None and uri in STANDARD_ERRORS:
        hint = f"Write `{error_type(uri)}`."
        reason = f"an error's type is a URI, not the bare name `{uri}`"
    elif name is not None:
        hint = reading.hints.did_you_mean(name, STANDARD_ERRORS)
        reason = f"there is no standard error `{name}`"
    else:
        return
    reading.find(codes.CATCH_NEVER_MATCHES, pointer, hint=hint, reason=reason)


def _retry(reading: Reading, found: faults.RetryPolicy | str, pointer: str) -> RetryPolicy | None:
    if isinstance(found, str):
        named: faults.RetryPolicy | None = reading.names.find("retries", found)
        if named is None:
            reading.unknown("retries", found, pointer)
            return None
        pointer, found = "/use/retries" + join_pointer(found), named
    limit = found.limit
    attempt = limit.attempt if limit is not None else None
    if found.delay is None and limit is None:
        reading.find(codes.EMPTY_RETRY, pointer, span=reading.document.key_span_of(pointer))
    if found.delay is None and found.backoff is not None:
        place = f"{pointer}/backoff"
        reading.find(codes.BACKOFF_WITHOUT_DELAY, place, span=reading.document.key_span_of(place))
    when = except_when = None
    if found.when is not None:
        when = expression(reading, found.when, f"{pointer}/when")
    if found.exceptWhen is not None:
        except_when = expression(reading, found.exceptWhen, f"{pointer}/exceptWhen")
    jitter = found.jitter
    jitter_from = jitter.from_ if jitter is not None else None
    jitter_to = jitter.to if jitter is not None else None
    attempt_limit = attempt.duration if attempt is not None else None
    total_limit = limit.duration if limit is not None else None
    return RetryPolicy(
        when=when,
        except_when=except_when,
        delay=_length(reading, found.delay, f"{pointer}/delay"),
        backoff=_growth(found.backoff),
        jitter_from=_length(reading, jitter_from, f"{pointer}/jitter/from"),
        jitter_to=_length(reading, jitter_to, f"{pointer}/jitter/to"),
        count=attempt.count if attempt is not None else None,
        attempt_limit=_length(reading, attempt_limit, f"{pointer}/limit/attempt/duration"),
        total_limit=_length(reading, total_limit, f"{pointer}/limit/duration"),
    )


def _length(reading: Reading, written: str | dict[str, int] | None, pointer: str) -> Length | None:
    if written is None:
        return None
    length = duration(reading, written, pointer)
    if is_negative(length):
        reading.find(codes.NEGATIVE_WAIT, pointer, duration=spelled(written))
    return length


def _growth(backoff: faults.Backoff | None) -> Literal["constant", "linear", "exponential"]:
    if backoff is not None:
        for growth in ("linear", "exponential"):
            if growth in backoff.model_fields_set:
                return growth
    return "constant"
