"""An end that is told to be done twice is one that tokens come to twice, and no other."""

from __future__ import annotations

import os
from dataclasses import dataclass

import msgspec
from hypothesis import HealthCheck, assume, given, settings

from diglot.compiler.checks.soundness.collaboration import run_together
from diglot.compiler.checks.soundness.composition import whole_of
from diglot.compiler.checks.soundness.ends import ends_met
from diglot.compiler.checks.soundness.fault import faults_of
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.graph import Constant, Emit, End, Graph
from support.scopes import scopes

EXAMPLES = 20_000 if os.environ.get("DIGLOT_SWEEP") == "all" else 300


@dataclass
class Seen:
    """How many of the graphs had an end that is done twice, and how many had none."""

    twice: int = 0
    once: int = 0


def saying(graph: Graph) -> Graph:
    """The same process, whose ends say something; those that end everything stay as they are."""
    nodes = tuple(
        Emit(id=node.id, scope=node.scope, event=Constant({"type": node.id}))
        if isinstance(node, End) and node.effect == "none"
        else node
        for node in graph.nodes
    )
    return msgspec.structs.replace(graph, nodes=nodes)


def test_what_is_told_is_what_comes_out_when_every_marking_is_looked_at() -> None:
    seen = Seen()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(graph=scopes())
    def compare(graph: Graph) -> None:
        graph = saying(graph)
        around = Surroundings(graph)
        assume(not list(faults_of(around, graph.scopes[0])))
        whole = run_together(whole_of([graph]), budget=3_000)
        assume(whole.is_whole)

        told = bool(list(ends_met(around, graph.scopes[0])))

        assert told == (not whole.ends_once)
        seen.twice += told
        seen.once += not told

    compare()
    assert min(seen.twice, seen.once) > EXAMPLES // 50
