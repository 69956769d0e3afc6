"""Ends that send or throw something, and are come to by tokens that parted and were never joined.

That is no fault of the flow, whose tokens end one by one. An end that only ends may well be shared
by them: the process ends with the last. What an end does besides is done for each of them.

Source: BPMN 2.0.2 10.5.3, 13.5.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from diglot.compiler.graph import Choice, End, Fork, Inclusive, Node, Race, Scope

from .fault import Fault, faults_of
from .surroundings import Surroundings, ends_scope


def ends_met(around: Surroundings, scope: Scope) -> Iterator[Fault]:
    """The ends that two tokens come to in one run, each with such a run, of a scope without faults.

    As if tokens waited at an end: then two of them are there at once.
    """
    nodes = around.ways.nodes_of(scope.id)
    shared = frozenset(node.id for node in nodes if _is_shared(around, node))
    if not shared or not any(_may_part(around, node) for node in nodes):
        return
    meeting = copy(around)
    meeting.meeting = shared
    for fault in faults_of(meeting, scope):
        if isinstance(fault, Fault) and fault.node in shared and fault.is_fact:
            yield fault


def _is_shared(around: Surroundings, node: Node) -> bool:
    """Whether several flows lead to an end that does something."""
    if isinstance(node, End) or not around.is_end(node) or ends_scope(node):
        return False
    return len(around.ways.arriving(node.id)) > 1


def _may_part(around: Surroundings, node: Node) -> bool:
    """Whether a node may give more tokens than it takes."""
    if isinstance(node, Fork | Inclusive):
        return True
    onward = [flow for flow in around.ways.leaving(node.id) if flow.role == "sequence"]
    beside = any(not handler.is_interrupting for handler in around.handlers(node.id))
    return beside or (len(onward) > 1 and not isinstance(node, Choice | Race))
