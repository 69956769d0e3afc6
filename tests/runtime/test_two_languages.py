"""Workflows and processes call each other, from the files as their authors wrote them."""

from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import settle

SHOP = """
document: {dsl: 1.0.3, namespace: default, name: shop, version: 1.0.0}
do:
  - pay:
      try:
        - ask:
            run:
              workflow: {namespace: bpmn, name: pay-order, version: latest}
      catch:
        errors: {with: {type: refused}}
        as: problem
        do:
          - tell: {set: {paid: false, why: '${ $problem.title }'}}
"""

PAY_ORDER = """
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  targetNamespace="https://diglot.example/two">
  <error id="refused" name="card refused" errorCode="refused"/>
  <process id="pay-order" isExecutable="true">
    <startEvent id="begin"/>
    <sequenceFlow id="f1" sourceRef="begin" targetRef="enough"/>
    <exclusiveGateway id="enough" default="f3"/>
    <sequenceFlow id="f2" sourceRef="enough" targetRef="refuse">
      <conditionExpression>amount &gt; 100</conditionExpression>
    </sequenceFlow>
    <sequenceFlow id="f3" sourceRef="enough" targetRef="ship"/>
    <endEvent id="refuse"><errorEventDefinition errorRef="refused"/></endEvent>
    <callActivity id="ship" calledElement="ship-order">
      <ioSpecification>
        <dataInput id="in-amount" name="amount"/><dataOutput id="out-parcel" name="parcel"/>
        <inputSet><dataInputRefs>in-amount</dataInputRefs></inputSet>
        <outputSet><dataOutputRefs>out-parcel</dataOutputRefs></outputSet>
      </ioSpecification>
      <dataInputAssociation>
        <sourceRef>amount</sourceRef><targetRef>in-amount</targetRef>
      </dataInputAssociation>
      <dataOutputAssociation>
        <sourceRef>out-parcel</sourceRef><targetRef>parcel</targetRef>
      </dataOutputAssociation>
    </callActivity>
    <sequenceFlow id="f4" sourceRef="ship" targetRef="check"/>
    <userTask id="check"/>
    <sequenceFlow id="f5" sourceRef="check" targetRef="end"/>
    <endEvent id="end"/>
    <property id="amount" name="amount"/>
    <property id="parcel" name="parcel"/>
  </process>
</definitions>
"""

SHIP_ORDER = """
document: {dsl: 1.0.3, namespace: default, name: ship-order, version: 1.0.0}
do:
  - pack: {set: {parcel: '${ "parcel of \\(.amount)" }'}}
"""


@pytest.fixture
def engine() -> Engine:
    engine = Engine("sqlite://", clock=ManualClock(0))
    for name, text in (("ship.yaml", SHIP_ORDER), ("pay.bpmn", PAY_ORDER), ("shop.yaml", SHOP)):
        compiled = compile_source(text, name)
        assert not compiled.has_errors, compiled.diagnostics
        for graph in compiled.graphs:
            engine.deploy(graph)
    return engine


def begin(engine: Engine, amount: int) -> str:
    id = engine.start(engine.find("default", "shop"), {"amount": amount})
    settle(engine)
    return id


def complete_all(engine: Engine, output: Any) -> None:
    for row in engine.store.instances():
        for job in list(engine.state(row.id).jobs.values()):
            engine.submit(row.id, c.CompleteJob(job.id, output))
    settle(engine)


def test_a_workflow_calls_a_process_that_calls_a_workflow(engine: Engine) -> None:
    shop = begin(engine, 7)

    complete_all(engine, {"checked": True})

    assert engine.state(shop).output == {"amount": 7, "parcel": "parcel of 7", "checked": True}
    assert [row.status for row in engine.store.instances()] == ["completed"] * 3


def test_the_error_of_a_process_is_caught_by_the_workflow_that_called_it(engine: Engine) -> None:
    shop = begin(engine, 500)

    assert engine.state(shop).output == {"paid": False, "why": "card refused"}


def test_a_cancelled_workflow_stops_the_process_it_called(engine: Engine) -> None:
    shop = begin(engine, 7)

    engine.cancel(shop)
    settle(engine)

    statuses = {
        engine.plan(row.definition).graph.name: row.status for row in engine.store.instances()
    }
    assert statuses == {"shop": "cancelled", "pay-order": "cancelled", "ship-order": "completed"}
