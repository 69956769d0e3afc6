"""Who a message is for: keys that are missing, and keys that tell nobody apart.

Source: BPMN 2.0.2 8.4.2; DSL reference, Correlation.
"""

from __future__ import annotations

from collections.abc import Mapping

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import reads_input
from diglot.compiler.graph import Constant, Graph, Handler, ScopeNode, Start
from diglot.compiler.source import Source

from .listeners import Listener, called, is_own_name, listeners
from .programs import program_of


def check_correlation(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report messages that are awaited without a key and keys that are always the same."""
    found = list(listeners(graph))
    told: set[tuple[str, str]] = set()
    for one in found:
        _check_keys(one, told, report)
    if graph.metadata.get("executable", True) is False:
        return
    places = _Places(graph)
    keyed = next((one for one in found if one.filter.correlations), None)
    for one in found:
        # What is called after whoever waits for it has no author who could have given it a key.
        is_named = not is_own_name(one.name, one.owner)
        if one.filter.kind == "message" and one.place != "start" and is_named:
            _check_key(one, keyed, places, report)


def _check_keys(listener: Listener, told: set[tuple[str, str]], report: Report) -> None:
    owner = listener.owner
    place = owner.pointer or owner.id
    for key in listener.filter.correlations:
        # What is laid out at several places is told once.
        if (place, key.name) in told:
            continue
        if not _reads_event(key.read.text):
            problem = "is not read from the event, it is the same for all of them"
        elif listener.filter.kind == "message" and isinstance(key.expect, Constant):
            problem = f"has to be {key.expect.document!r:.60} in every instance"
        else:
            continue
        told.add((place, key.name))
        report.add(
            codes.KEY_CONSTANT,
            key.read.span or owner.span,
            place,
            key=key.name,
            event=called(owner),
            problem=problem,
        )


def _check_key(listener: Listener, keyed: Listener | None, places: _Places, report: Report) -> None:
    correlations = listener.filter.correlations
    severity = Severity.WARNING
    if all(key.expect is None for key in correlations) and places.runs_beside_itself(listener):
        # Any of them may be as good as another, where answers are only counted.
        situation, severity = "several runs of it wait side by side", Severity.INFO
    elif correlations:
        return
    elif keyed is not None:
        situation = f"`{called(keyed.owner)}` beside it has one"
    elif places.begins_by_itself:
        situation, severity = "its process is started again and again", Severity.INFO
    else:
        return
    owner = listener.owner
    report.add(
        codes.MESSAGE_WITHOUT_KEY,
        owner.span,
        owner.pointer or owner.id,
        severity=severity,
        event=called(owner),
        message=listener.name or "",
        situation=situation,
    )


class _Places:
    """Where in a graph several of one thing wait at the same time."""

    def __init__(self, graph: Graph) -> None:
        self.begins_by_itself = any(
            isinstance(node, Start) and node.scope == graph.root and node.triggers
            for node in graph.nodes
        )
        self._scope_of = {node.id: node.scope for node in graph.nodes}
        self._parents = {scope.id: scope.parent for scope in graph.scopes}
        self._several = {
            node.body
            for node in graph.nodes
            if isinstance(node, ScopeNode)
            and node.multi is not None
            and not node.multi.is_sequential
            and node.multi.limit != 1
        }
        #: Whether a scope stands in one of these, as far as that has been asked.
        self._inside: dict[str, bool] = {}

    def runs_beside_itself(self, listener: Listener) -> bool:
        """Whether it stands, at any depth, in what runs several times at once."""
        owner = listener.owner
        scope: str | None
        if isinstance(owner, Handler):
            scope = owner.scope or self._scope_of.get(owner.node or "")
        else:
            scope = owner.scope
        chain: list[str] = []
        while self._several and scope is not None and scope not in self._inside:
            # Until it is known better, and lest a broken graph be followed in a circle.
            self._inside[scope] = False
            chain.append(scope)
            if scope in self._several:
                self._inside[scope] = True
                break
            scope = self._parents.get(scope)
        is_inside = scope is not None and self._inside.get(scope, False)
        self._inside.update(dict.fromkeys(chain, is_inside))
        return is_inside


def _reads_event(text: str) -> bool:
    program = program_of(text)
    return program is None or _depends(program)


def _depends(node: tree.Node) -> bool:
    """Whether the input reaches the result: a pipe ends what its later stages do not look at."""
    match node:
        case tree.Pipe(stages=stages):
            return all(_depends(stage) for stage in stages)
        case tree.Array(body=body) if body is not None:
            return _depends(body)
        case tree.Comma(items=items):
            return any(_depends(item) for item in items)
        case _:
            return reads_input(node)
