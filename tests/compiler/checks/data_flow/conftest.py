"""Workflows and processes in short, and what the check of data flow finds in them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from diglot.compiler import compile_source
from diglot.compiler.checks.data_flow import check_data_flow
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Action,
    Assign,
    Choice,
    Constant,
    DataRules,
    End,
    Expression,
    Flow,
    Fork,
    Graph,
    Handler,
    Inclusive,
    Join,
    Node,
    Pass,
    Record,
    Scope,
    ScopeNode,
    Start,
    Task,
)

#: What the reader of BPMN lays out for a result whose members become variables.
RESULT = Expression(text='if type == "object" then . else null end')
HEAD = "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n"


def found_in(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_data_flow(graph, report, {})
    return [(found.code, found.message) for found in report]


@pytest.fixture
def workflow() -> Callable[[str], list[tuple[str, str]]]:
    """The findings of a workflow's tasks, each with its code."""

    def findings(text: str) -> list[tuple[str, str]]:
        done = compile_source(HEAD + text)
        assert done.graph is not None
        return found_in(done.graph)

    return findings


class Process:
    """Nodes and flows of a process in short; expressions see variables."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = [Scope(id="/", form="process", start="start", binds_input=True)]
        self.nodes: list[Node] = [Start(id="start", scope="/"), End(id="end", scope="/")]
        self.flows: list[Flow] = []
        self.handlers: list[Handler] = []

    def scope(self, id: str, parent: str = "/", **fields: Any) -> None:
        """A scope with a start `<id>.start` and an end `<id>.end`."""
        self.scopes.append(Scope(id=id, parent=parent, start=f"{id}.start", **fields))
        self.nodes += [Start(id=f"{id}.start", scope=id), End(id=f"{id}.end", scope=id)]

    def add(self, kind: Callable[..., Node], id: str, scope: str = "/", **fields: Any) -> None:
        """A node of any kind."""
        self.nodes.append(kind(id=id, scope=scope, pointer=id, name=id, **fields))

    def sets(self, id: str, scope: str = "/", **values: str) -> None:
        """Pure data: variables by expressions over variables."""
        value = Record(tuple((name, variables(text)) for name, text in values.items()))
        self.add(
            Assign, id, scope, value=value, data=DataRules(export=RESULT, export_mode="variables")
        )

    def asks(self, id: str, scope: str = "/", **reads: str) -> None:
        """A job for a worker that gets these values, and whose result may be anything."""
        rules = DataRules(
            read=Record(tuple((name, variables(text)) for name, text in reads.items())),
            export=RESULT,
            export_mode="variables",
        )
        self.add(Task, id, scope, action=Action(type="job", arguments=Constant({})), data=rules)

    def reads(self, id: str, *names: str, scope: str = "/") -> None:
        """A node that does nothing but needs these variables."""
        rules = DataRules(
            read=Record(tuple((f"{name}-in", variables(f".{name} * 2")) for name in names))
        )
        self.add(Pass, id, scope, data=rules)

    def splits(self, *ids: str, scope: str = "/") -> None:
        """Parallel gateways that lead to all."""
        for id in ids:
            self.add(Fork, id, scope)

    def joins(self, *ids: str, scope: str = "/") -> None:
        """Parallel gateways that wait for all."""
        for id in ids:
            self.add(Join, id, scope)

    def chooses(self, id: str, *targets: str, scope: str = "/") -> None:
        """A choice; the last target is the default."""
        flows = [f"{id}->{target}" for target in targets]
        self.add(Choice, id, scope, branches=tuple(flows[:-1]), default=flows[-1])
        for target in targets:
            self.leads(f"{id} {target}")

    def includes(self, id: str, *targets: str, default: str = "") -> None:
        """An inclusive split."""
        flows = [f"{id}->{target}" for target in targets if target != default]
        self.add(
            Inclusive, id, branches=tuple(flows), default=f"{id}->{default}" if default else None
        )
        for target in targets:
            self.leads(f"{id} {target}")

    def holds(self, id: str, body: str, scope: str = "/", **fields: Any) -> None:
        """An activity with a body."""
        self.add(ScopeNode, id, scope, body=body, **fields)

    def leads(self, *ways: str, role: Any = "sequence") -> None:
        """Flows along `a b c`."""
        for way in ways:
            for source, target in pairwise(way.split()):
                self.flows.append(
                    Flow(id=f"{source}->{target}", source=source, target=target, role=role)
                )

    def graph(self) -> Graph:
        """The process, whose output is all its variables."""
        return Graph(
            namespace="test",
            name="test",
            version="1.0.0",
            scopes=tuple(self.scopes),
            nodes=tuple(self.nodes),
            flows=tuple(self.flows),
            handlers=tuple(self.handlers),
            data=DataRules(write=Expression(text=".", of="variables")),
        )

    def findings(self) -> list[tuple[str, str]]:
        """What the check finds, each with its code."""
        return found_in(self.graph())

    def codes(self) -> list[str]:
        """The codes of what the check finds."""
        return [code for code, _ in self.findings()]


def variables(text: str) -> Expression:
    return Expression(text=text, of="variables")


@pytest.fixture
def process() -> Process:
    return Process()
