"""What the nets of a graph's scopes say, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report, Severity
from diglot.compiler.graph import Graph, Scope
from diglot.compiler.source import Source

from .ends import ends_met
from .fault import Fault, faults_of
from .reaching import never_done
from .scope_net import Untold, net_of
from .surroundings import Surroundings
from .telling import Teller
from .verdict import Verdict

_CODES: Final[Mapping[str, Code]] = {
    "stuck": codes.MAY_GET_STUCK,
    "doubled": codes.MAY_RUN_TWICE,
    "endless": codes.MAY_NEVER_FINISH,
}
#: Without what these say there is no telling how tokens go.
BROKEN: Final = frozenset(
    {
        codes.DANGLING_REFERENCE.id,
        codes.DUPLICATE_NODE_ID.id,
        codes.FLOW_LEAVES_ELSEWHERE.id,
        codes.FLOW_LEAVES_SCOPE.id,
        codes.HANDLER_UNCLEAR.id,
        codes.SCOPE_MISPLACED.id,
        codes.SCOPE_WITHOUT_START.id,
    }
)
#: What has been said of a circle, or of an end that is not there, needs no saying again.
_SAID: Final = frozenset({codes.ENDLESS_LOOP.id, codes.FLOW_WITHOUT_END.id})


def check_soundness(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what gets stuck, what runs twice and what never ends, scope by scope."""
    if any(found.code in BROKEN for found in report):
        return
    doubted = {found.pointer for found in report if found.severity is Severity.ERROR}
    around = Surroundings(graph, doubted)
    teller = Teller(graph, around)
    told: set[tuple[str, str]] = set()
    for scope in graph.scopes:
        _check_scope(scope, around, teller, report, told)


def _check_scope(
    scope: Scope,
    around: Surroundings,
    teller: Teller,
    report: Report,
    told: set[tuple[str, str]],
) -> None:
    """Add to `told` what has been said of which construct, however often that is laid out."""
    first: Fault | None = None
    is_stuck = False
    try:
        for fault in faults_of(around, scope):
            if isinstance(fault, Verdict):
                reason = f"it can be in more than {fault.markings:,} states"
                if first is not None:
                    reason += " once this is mended"
                _undecided(scope, teller, report, reason)
                if first is None:
                    return
                break
            _, pointer = teller.place(fault.node)
            code = _CODES[fault.kind]
            if (code.id, pointer) not in told and not _is_said(fault, scope, around, report):
                _tell(fault, first, scope, teller, report)
                told.add((code.id, pointer))
            first = first or fault
            is_stuck |= fault.kind == "stuck"
    except Untold as untold:
        _undecided(scope, teller, report, f"at `{teller.name(untold.node.id)}` {untold.why}")
        return
    if is_stuck:
        _tell_what_never_runs(scope, around, teller, report)
    if first is None:
        for fault in ends_met(around, scope):
            _, pointer = teller.place(fault.node)
            if (codes.ENDS_TWICE.id, pointer) not in told:
                _tell_of_end(fault, teller, report)
                told.add((codes.ENDS_TWICE.id, pointer))


def _tell_what_never_runs(
    scope: Scope, around: Surroundings, teller: Teller, report: Report
) -> None:
    # What no flow leads to has been told.
    reached = around.ways.reachable(scope)
    never = [node for node in never_done(net_of(around, scope)) if node in reached]
    if never:
        span, pointer = teller.place(never[0])
        related = (teller.related_to("this never runs, too", node) for node in never[1:])
        report.add(codes.NEVER_RUNS, span, pointer, related=related, nodes=teller.listed(never))


def _tell(fault: Fault, first: Fault | None, scope: Scope, teller: Teller, report: Report) -> None:
    span, pointer = teller.place(fault.node)
    report.add(
        _CODES[fault.kind],
        span,
        pointer,
        related=teller.related(fault, first),
        trace=teller.trace(fault) if fault.is_fact else (),
        node=teller.name(fault.node),
        reason="" if fault.kind == "endless" else teller.reason(fault),
        scope=teller.scope_name(scope),
    )


def _tell_of_end(fault: Fault, teller: Teller, report: Report) -> None:
    span, pointer = teller.place(fault.node)
    report.add(
        codes.ENDS_TWICE,
        span,
        pointer,
        related=teller.related(fault, None),
        trace=teller.trace(fault),
        node=teller.name(fault.node),
        reason=teller.reason(fault),
    )


def _is_said(fault: Fault, scope: Scope, around: Surroundings, report: Report) -> bool:
    """Whether something else has said it, or it is no fault because the scope may be stopped."""
    if fault.kind != "endless":
        return False
    if around.may_be_stopped(scope.id):
        return True
    nodes = around.ways.nodes
    places = {nodes[id].pointer for id in (fault.node, *fault.circle) if id in nodes}
    return any(found.code in _SAID and found.pointer in places for found in report)


def _undecided(scope: Scope, teller: Teller, report: Report, reason: str) -> None:
    report.add(
        codes.NOT_DECIDED,
        scope.span,
        scope.pointer,
        scope=teller.scope_name(scope),
        reason=reason,
    )
