"""Handlers: what their triggers have come to, and when they listen no more."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import ScopeVisit, State, Visit

from .registry import applies
from .rows import close_open, drop, shuts


@applies(e.TruthSeen)
def _(state: State, event: e.TruthSeen) -> None:
    _holder(state, event.holder).truths[event.condition] = event.is_true
    state.watching[event.holder] = None


@applies(e.EventHeard)
def _(state: State, event: e.EventHeard) -> None:
    subscription = state.subscriptions[event.subscription]
    id = subscription.visit or subscription.scope
    assert id is not None
    seen = _holder(state, id).seen
    seen[event.key] = max(seen.get(event.key, 0), event.number)
    if event.closes:
        drop(state, "subscriptions", event.subscription)
        shuts(state, id, "subscriptions", event.subscription)


@applies(e.TriggerMet)
def _(state: State, event: e.TriggerMet) -> None:
    met = _holder(state, event.holder).met
    met.setdefault(event.handler, {})[event.part] = event.value


@applies(e.TriggersForgotten)
def _(state: State, event: e.TriggersForgotten) -> None:
    met = _holder(state, event.holder).met
    for part in event.parts:
        del met[event.handler][part]


def _holder(state: State, id: int) -> Visit | ScopeVisit:
    """The visit or scope visit for which handlers wait; its row is to be written."""
    visit = state.visits.get(id)
    if visit is not None:
        state.touched.add(("visits", id))
        return visit
    state.touched.add(("scopes", id))
    return state.scopes[id]


@applies(e.ScopeClosed)
def _(state: State, event: e.ScopeClosed) -> None:
    scope = state.scopes[event.id]
    close_open(state, event.id)
    _stop_listening(state, scope)
    scope.is_closed = True
    scope.leave_by = event.leave_by
    scope.result = event.result
    scope.retry_timer = None
    state.touched.add(("scopes", event.id))


@applies(e.ScopeCompleting)
def _(state: State, event: e.ScopeCompleting) -> None:
    scope = state.scopes[event.id]
    _stop_listening(state, scope)
    scope.is_completing = True
    withdrawn = set(event.withdrawn)
    for table, id in list(state.open.get(event.id, ())):
        if id in withdrawn:
            drop(state, table, id)
            shuts(state, event.id, table, id)
    state.touched.add(("scopes", event.id))


def _stop_listening(state: State, scope: ScopeVisit) -> None:
    scope.truths, scope.met = {}, {}
    state.watching.pop(scope.id, None)


@applies(e.EscalationRaised)
def _(state: State, event: e.EscalationRaised) -> None:
    """An escalation leaves nothing behind in the state; what it triggers does."""
