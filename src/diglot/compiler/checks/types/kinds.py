"""Results of the wrong kind for their place: durations, collections, counts, conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from diglot.compiler import codes
from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import is_boolean
from diglot.compiler.graph import Emit, Raise, Record, ScopeNode, Task, TimerTrigger, Wait
from diglot.compiler.graph.sites import CONDITIONS

from .findings import Finding, whole
from .model import ARRAY, BOOLEAN, NOTHING, NULL, NUMBER, OBJECT, TEXT
from .seen import Seen
from .words import in_words, kinds_in_words

_LENGTH: Final = TEXT | OBJECT


def wrong_kinds(seen: Seen) -> Iterator[Finding]:
    """What is said of the kind of an expression's result."""
    results = seen.results
    if (
        not results.is_one
        or results.type == NOTHING
        or any(n.kind != "unnamed" for n in seen.notes)
    ):
        return
    kinds = results.type.kinds
    if seen.place in CONDITIONS:
        yield from _condition(seen, kinds)
        return
    wanted = _wanted(seen)
    if wanted is not None and not kinds & wanted[1]:
        yield whole(
            codes.WRONG_KIND,
            seen,
            what=wanted[0],
            found=in_words(results.type),
            # Null stands for what is left out.
            expected=kinds_in_words(wanted[1] & ~NULL),
        )


def _wanted(seen: Seen) -> tuple[str, int] | None:
    """What a place is called, and the kinds that it takes."""
    match seen.place:
        case "retry":
            return "the duration", _LENGTH
        case "timer":
            return _timer(seen)
        case "collection" if isinstance(seen.node, ScopeNode):
            multi = seen.node.multi
            if multi is not None and multi.collection is seen.expression:
                return "what is gone through", ARRAY
            return "the number of runs", NUMBER
        case "error":
            return _of_error(seen)
        case "body" if isinstance(seen.node, Emit) and isinstance(seen.node.event, Record):
            name = next(
                (name for name, one in seen.node.event.members if one is seen.expression), ""
            )
            return (f"the `{name}` of the event", TEXT | NULL) if name in _TEXTS else None
        case "arguments" if isinstance(seen.node, Task):
            is_type = seen.node.action.type is seen.expression
            return ("the type of the job", TEXT) if is_type else None
        case _:
            return None


#: Attributes of an event that are texts. Source: CloudEvents 1.0.2, Context Attributes.
_TEXTS: Final = frozenset(
    ("id", "source", "type", "time", "subject", "datacontenttype", "dataschema")
)


def _of_error(seen: Seen) -> tuple[str, int] | None:
    error = seen.node.error if isinstance(seen.node, Raise) else None
    if seen.handler is not None:
        error = seen.handler.raises
    is_type = error is not None and error.type is seen.expression
    return ("the type of the error", TEXT) if is_type else None


def _timer(seen: Seen) -> tuple[str, int]:
    trigger = None if seen.handler is None else seen.handler.trigger
    if seen.handler is None and isinstance(seen.node, Wait):
        trigger = seen.node.timer
    if isinstance(trigger, TimerTrigger) and trigger.form in ("instant", "cron", "cycle"):
        return "the time", TEXT
    return "the duration", _LENGTH


def _condition(seen: Seen, kinds: int) -> Iterator[Finding]:
    if seen.expression.yields == "boolean":
        # What is waited for may be null as long as it is not known.
        is_awaited = kinds == NULL and seen.place in ("condition", "needs")
        is_told = is_boolean(seen.program) is False or isinstance(seen.program, tree.Literal)
        if not kinds & BOOLEAN and not is_awaited and not is_told:
            yield whole(codes.CONDITION_NEVER_TRUTH, seen, found=in_words(seen.results.type))
        return
    if is_boolean(seen.program) is False or kinds & BOOLEAN:
        return
    if not kinds & NULL or kinds == NULL:
        outcome = "false" if kinds == NULL else "true"
        yield whole(
            codes.CONDITION_NOT_BOOLEAN,
            seen,
            found=in_words(seen.results.type),
            outcome=outcome,
        )
