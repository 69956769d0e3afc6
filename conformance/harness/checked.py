"""What the checker says of a definition against what the machine does when it may do anything."""

from __future__ import annotations

from collections.abc import Iterator

from diglot.api.exploring import explore
from diglot.api.rehearsal import Rehearsal, Unplayable
from diglot.compiler.checks.soundness.fault import Fault, faults_of
from diglot.compiler.checks.soundness.scope_net import Untold, counts_tokens
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.graph import Graph, Scope

#: So many states of a scope are looked at; one that has more is not compared.
FEW = 150
#: A scope of more nodes is not looked at state by state: each state has all of them.
_MOST_NODES = 100


def unlike(graph: Graph, most: int = FEW) -> Iterator[str]:
    """Where the checker and the machine disagree about a graph."""
    around = Surroundings(graph)
    for scope in graph.scopes:
        if scope.start not in around.ways.nodes:
            continue
        try:
            found = list(faults_of(around, scope))
        except Untold:
            continue
        faults = [one for one in found if isinstance(one, Fault) and one.is_fact]
        for fault in faults:
            yield from _unplayed(graph, scope, around, fault)
        if len(around.ways.nodes_of(scope.id)) > _MOST_NODES:
            continue
        explored = explore(graph, scope, around, most)
        if explored is None or (len(faults) < len(found) and not faults):
            continue
        if counts_tokens(around, scope) and "doubled" in explored.faults:
            # It is not looked further by the machine, and not told of by the checker.
            continue
        missed = set[str](explored.faults if not faults else ())
        wrong = {fault.kind for fault in faults} - explored.faults
        for kind in sorted(missed):
            yield f"the machine finds {scope.id} {kind}, and the checker finds nothing"
        for kind in sorted(wrong):
            yield f"the checker finds {scope.id} {kind}, and the machine does not"


def _unplayed(graph: Graph, scope: Scope, around: Surroundings, fault: Fault) -> Iterator[str]:
    """Whether the machine plays the run of a fault, and comes to what it says."""
    played = Rehearsal(graph, scope, around)
    try:
        played.play(fault.steps)
        is_shown = played.shows(fault.kind, (fault.node,))
    except Unplayable as error:
        yield f"the run to {fault.node}, which is {fault.kind}, is not played: {error}"
        return
    if not is_shown:
        yield f"the machine does not find {fault.node} {fault.kind} at the end of its run"
