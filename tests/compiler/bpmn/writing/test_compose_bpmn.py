"""How constructs of BPMN are drawn that no workflow in YAML has, once their drawing is lost."""

# ruff: noqa: E501
from __future__ import annotations

from support.outlines import graph_of_bpmn, lines, outline, process_of


def test_an_inclusive_gateway_stays_what_it_is() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <inclusiveGateway id="which" name="Which extras?" default="f3"/>
        <task id="a" name="Wrap"/>
        <task id="b" name="Insure"/>
        <task id="c" name="Ship plainly"/>
        <inclusiveGateway id="j"/>
        <endEvent id="e" name="Shipped"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="which"/>
        <sequenceFlow id="f1" sourceRef="which" targetRef="a">
        <conditionExpression xsi:type="tFormalExpression" language="feel">gift = true</conditionExpression>
        </sequenceFlow>
        <sequenceFlow id="f2" sourceRef="which" targetRef="b">
        <conditionExpression xsi:type="tFormalExpression" language="feel">orderValue &gt; 500</conditionExpression>
        </sequenceFlow>
        <sequenceFlow id="f3" sourceRef="which" targetRef="c"/>
        <sequenceFlow id="f4" sourceRef="a" targetRef="j"/>
        <sequenceFlow id="f5" sourceRef="b" targetRef="j"/>
        <sequenceFlow id="f6" sourceRef="c" targetRef="j"/>
        <sequenceFlow id="f7" sourceRef="j" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> which
        which: inclusiveGateway 'Which extras?' -> a (gift = true), b (order value > 500), c* (otherwise)
        a: task 'Wrap' -> j
        b: task 'Insure' -> j
        c: task 'Ship plainly' -> j
        j: inclusiveGateway -> e
        e: endEvent 'Shipped'
        """
    )


def test_conditions_at_the_flows_of_an_activity_stay_there() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <task id="check" name="Check order" default="f2"/>
        <task id="a" name="Approve"/>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="check"/>
        <sequenceFlow id="f1" sourceRef="check" targetRef="a">
        <conditionExpression xsi:type="tFormalExpression" language="feel">amount &gt; 500</conditionExpression>
        </sequenceFlow>
        <sequenceFlow id="f2" sourceRef="check" targetRef="e"/>
        <sequenceFlow id="f3" sourceRef="a" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> check
        check: task 'Check order' -> a (amount > 500), e_merge* (otherwise)
        a: task 'Approve' -> e_merge
        e_merge: exclusiveGateway -> e
        e: endEvent 'End'
        """
    )


def test_the_first_event_decides_behind_an_event_based_gateway() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <eventBasedGateway id="race"/>
        <intermediateCatchEvent id="t" name="A day later">
        <timerEventDefinition>
        <timeDuration xsi:type="tFormalExpression">P1D</timeDuration>
        </timerEventDefinition>
        </intermediateCatchEvent>
        <intermediateCatchEvent id="g">
        <signalEventDefinition/>
        </intermediateCatchEvent>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="race"/>
        <sequenceFlow id="f1" sourceRef="race" targetRef="t"/>
        <sequenceFlow id="f2" sourceRef="race" targetRef="g"/>
        <sequenceFlow id="f3" sourceRef="t" targetRef="e"/>
        <sequenceFlow id="f4" sourceRef="g" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> race
        race: eventBasedGateway -> t, g
        t: intermediateCatchEvent/timer 'A day later' -> e_merge
        g: intermediateCatchEvent/signal 'Signal received' -> e_merge
        e_merge: exclusiveGateway -> e
        e: endEvent 'End'
        """
    )


def test_a_boundary_event_that_does_not_interrupt_stays_one() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <userTask id="work" name="Fill in form"/>
        <boundaryEvent id="late" attachedToRef="work" cancelActivity="false" name="Too late">
        <timerEventDefinition>
        <timeDuration xsi:type="tFormalExpression">PT2H</timeDuration>
        </timerEventDefinition>
        </boundaryEvent>
        <sendTask id="remind" name="Remind"/>
        <endEvent id="e"/>
        <endEvent id="e2"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="work"/>
        <sequenceFlow id="f1" sourceRef="work" targetRef="e"/>
        <sequenceFlow id="f2" sourceRef="late" targetRef="remind"/>
        <sequenceFlow id="f3" sourceRef="remind" targetRef="e2"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> work
        work: userTask 'Fill in form' -> e
        late: boundaryEvent/timer~ 'Too late' at work -> remind
        remind: sendTask 'Remind' -> e2
        e: endEvent 'End'
        e2: endEvent 'End'
        """
    )


def test_what_undoes_an_activity_is_beside_it_without_flows() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <task id="book" name="Book flight"/>
        <boundaryEvent id="undo" attachedToRef="book">
        <compensateEventDefinition/>
        </boundaryEvent>
        <task id="cancel" name="Cancel flight" isForCompensation="true"/>
        <intermediateThrowEvent id="back" name="Undo all">
        <compensateEventDefinition/>
        </intermediateThrowEvent>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="book"/>
        <sequenceFlow id="f1" sourceRef="book" targetRef="back"/>
        <sequenceFlow id="f2" sourceRef="back" targetRef="e"/>
        <association id="a" associationDirection="One" sourceRef="undo" targetRef="cancel"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> book
        book: task 'Book flight' -> back
        cancel: task^ 'Cancel flight'
        back: intermediateThrowEvent/compensate 'Undo all' -> e
        e: endEvent 'End'
        undo: boundaryEvent/compensate 'Undo' at book
        """
    )


def test_a_transaction_and_its_cancelling_stay_what_they_are() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <transaction id="deal" name="Deal">
        <startEvent id="s2"/>
        <task id="offer" name="Offer"/>
        <endEvent id="no" name="Refused">
        <cancelEventDefinition/>
        </endEvent>
        <sequenceFlow id="g0" sourceRef="s2" targetRef="offer"/>
        <sequenceFlow id="g1" sourceRef="offer" targetRef="no"/>
        </transaction>
        <boundaryEvent id="off" name="Called off" attachedToRef="deal">
        <cancelEventDefinition/>
        </boundaryEvent>
        <endEvent id="e"/>
        <endEvent id="e2"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="deal"/>
        <sequenceFlow id="f1" sourceRef="deal" targetRef="e"/>
        <sequenceFlow id="f2" sourceRef="off" targetRef="e2"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> deal
        deal: transaction 'Deal' -> e
          s2: startEvent 'Start' -> offer
          offer: task 'Offer' -> no
          no: endEvent/cancel 'Refused'
        off: boundaryEvent/cancel 'Called off' at deal -> e2
        e: endEvent 'End'
        e2: endEvent 'End'
        """
    )


def test_an_ad_hoc_sub_process_has_no_start_and_no_end() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <adHocSubProcess id="tidy" name="Tidy up">
        <task id="a" name="Sweep"/>
        <task id="b" name="Dust"/>
        <completionCondition xsi:type="tFormalExpression" language="feel">clean = true</completionCondition>
        </adHocSubProcess>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="tidy"/>
        <sequenceFlow id="f1" sourceRef="tidy" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> tidy
        tidy: adHocSubProcess 'Tidy up' -> e
          a: task 'Sweep'
          b: task 'Dust'
        e: endEvent 'End'
        """
    )


def test_an_activity_that_runs_several_times_has_its_sign() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <userTask id="ask" name="Ask">
        <multiInstanceLoopCharacteristics isSequential="false">
        <loopCardinality xsi:type="tFormalExpression" language="feel">3</loopCardinality>
        </multiInstanceLoopCharacteristics>
        </userTask>
        <task id="try" name="Try">
        <standardLoopCharacteristics testBefore="true">
        <loopCondition xsi:type="tFormalExpression" language="feel">tries &lt; 3</loopCondition>
        </standardLoopCharacteristics>
        </task>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="ask"/>
        <sequenceFlow id="f1" sourceRef="ask" targetRef="try"/>
        <sequenceFlow id="f2" sourceRef="try" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> ask_each
        ask_each: userTask+multi 'Ask' -> each
        each: task+loop 'Try' -> e
        e: endEvent 'End'
        """
    )


def test_an_event_sub_process_stays_inside_of_what_it_belongs_to() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <task id="work" name="Work"/>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="work"/>
        <sequenceFlow id="f1" sourceRef="work" targetRef="e"/>
        <subProcess id="help" name="Help" triggeredByEvent="true">
        <startEvent id="asked" name="Help needed" isInterrupting="false">
        <escalationEventDefinition/>
        </startEvent>
        <task id="come" name="Come"/>
        <endEvent id="e2"/>
        <sequenceFlow id="g0" sourceRef="asked" targetRef="come"/>
        <sequenceFlow id="g1" sourceRef="come" targetRef="e2"/>
        </subProcess>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> work
        work: task 'Work' -> e
        e: endEvent 'End'
        asked_handling: subProcess 'Help needed'
          asked: startEvent/escalation~ 'Help needed' -> come
          come: task 'Come' -> e2
          e2: endEvent 'End'
        """
    )


def test_an_end_of_everything_keeps_its_sign() -> None:
    graph = graph_of_bpmn(
        """
        <startEvent id="s"/>
        <parallelGateway id="both"/>
        <task id="a" name="Work"/>
        <endEvent id="stop" name="Stopped">
        <terminateEventDefinition/>
        </endEvent>
        <endEvent id="e"/>
        <sequenceFlow id="f0" sourceRef="s" targetRef="both"/>
        <sequenceFlow id="f1" sourceRef="both" targetRef="a"/>
        <sequenceFlow id="f2" sourceRef="both" targetRef="stop"/>
        <sequenceFlow id="f3" sourceRef="a" targetRef="e"/>
        """
    )

    assert outline(process_of(graph)) == lines(
        """
        s: startEvent 'Start' -> both
        both: parallelGateway -> a, stop
        a: task 'Work' -> e
        stop: endEvent/terminate 'Stopped'
        e: endEvent 'End'
        """
    )
