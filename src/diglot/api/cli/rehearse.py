"""`diglot run FILE --trace FINDING`: the run that a finding tells of, played by the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
import typer

from diglot.compiler import Compiled, codes
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.checks.soundness.telling import Teller
from diglot.compiler.graph import Graph, Race, Receive, Scope

from ..rehearsal import Fault, Rehearsal, Unplayable
from .documents import compile_file, print_findings, read_bytes
from .values import fail


class _Step(msgspec.Struct):
    """One step of a trace, as `diglot check --format json` writes it."""

    message: str
    process: str
    node: str
    flows: list[str] = []
    handler: str = ""


class _Finding(msgspec.Struct):
    """What is read of a finding."""

    code: str
    message: str
    pointer: str = ""
    trace: list[_Step] = []


@dataclass(frozen=True, slots=True)
class _Played:
    """How a run came out: whether it shows what was found (or cannot), and the words for it."""

    is_shown: bool | None
    told: str


_ENDS: Final[dict[str, Fault]] = {
    codes.MAY_GET_STUCK.id: "stuck",
    codes.MAY_RUN_TWICE.id: "doubled",
    codes.MAY_NEVER_FINISH.id: "endless",
    codes.ENDS_TWICE.id: "doubled",
}


def rehearse(file: str, trace: str) -> int:
    """Play the runs of all findings in a file; 1 if one is not as it was found.

    The scope that a finding is about is played by itself, activities as jobs that end as they did.
    A run of several processes is told and not played.
    """
    findings = [one for one in _read(trace) if one.trace]
    if not findings:
        fail(f"{trace} has no finding with a trace; diglot check --format json writes one")
    compiled = compile_file(file)
    if compiled.is_refused:
        print_findings(compiled, [one for one in compiled.diagnostics if one.is_firm])
        return 1
    failed = 0
    for number, finding in enumerate(findings):
        if number:
            typer.echo("")
        typer.echo(f"{finding.code} {finding.message}")
        for place, step in enumerate(finding.trace, 1):
            typer.echo(f"  {place}. {step.message}")
        played = _play(compiled, finding)
        typer.echo(f"  => {played.told}")
        failed += played.is_shown is False
    return int(failed > 0)


def _read(name: str) -> list[_Finding]:
    """The findings of a file: a list as it was written, or one of them."""
    data = read_bytes(name)
    try:
        found = msgspec.json.decode(data, type=list[_Finding] | _Finding)
    except msgspec.MsgspecError as error:
        fail(f"--trace {name}: {error}; diglot check --format json writes what is read here")
    return found if isinstance(found, list) else [found]


def _play(compiled: Compiled, finding: _Finding) -> _Played:
    found = _scope(compiled, finding.trace[0])
    if found is None:
        step = finding.trace[0]
        return _Played(False, f"there is no `{step.node}` in {step.process} any more")
    nodes = _places(found[0], finding)
    if _is_of_pools(found[0], nodes, finding):
        return _Played(None, "not played: this is a run of several processes")
    rehearsal = Rehearsal(*found)
    try:
        rehearsal.play(finding.trace)
        return _outcome(rehearsal, _ENDS.get(finding.code, "endless"), nodes, found[0])
    except Unplayable as error:
        return _Played(False, f"the machine does not play this: {error}")


def _scope(compiled: Compiled, step: _Step) -> tuple[Graph, Scope] | None:
    """The graph and the scope that a step is of."""
    for graph in compiled.graphs:
        if graph.key == step.process:
            node = next((node for node in graph.nodes if node.id == step.node), None)
            scope = next((s for s in graph.scopes if node is not None and s.id == node.scope), None)
            return None if scope is None else (graph, scope)
    return None


def _places(graph: Graph, finding: _Finding) -> tuple[str, ...]:
    """The nodes that a finding is about: those of its construct."""
    scopes = {node.scope for node in graph.nodes if node.id == finding.trace[0].node}
    return tuple(
        node.id for node in graph.nodes if node.pointer == finding.pointer and node.scope in scopes
    )


def _is_of_pools(graph: Graph, nodes: tuple[str, ...], finding: _Finding) -> bool:
    """Whether a run is of processes that talk to each other, one of which may not have begun."""
    by_id = {node.id: node for node in graph.nodes}
    # By itself whoever waits for a message gets one.
    waits = [by_id[node] for node in nodes if isinstance(by_id[node], Receive | Race)]
    is_stuck = finding.code == codes.MAY_GET_STUCK.id
    others = {step.process for step in finding.trace} - {graph.key}
    if others or finding.code == codes.MESSAGE_LEFT_OVER.id:
        return True
    return is_stuck and any(node.start_quantity == 1 for node in waits)


def _outcome(rehearsal: Rehearsal, end: Fault, nodes: tuple[str, ...], graph: Graph) -> _Played:
    is_shown = rehearsal.shows(end, nodes)
    match end:
        case "stuck" if is_shown:
            teller = Teller(graph, Surroundings(graph))
            told = f"the machine stands still: tokens wait at {teller.listed(rehearsal.waiting())}"
        case "stuck":
            told = "the machine can go on"
        case "doubled" if is_shown:
            told = f"the machine has {max(map(rehearsal.at, nodes))} tokens there at once"
        case "doubled":
            told = "the machine has no second token there"
        case "endless" if is_shown:
            told = "the machine goes on, and has not come to an end"
        case "endless":
            told = "the machine has come to an end"
    return _Played(is_shown, told)
