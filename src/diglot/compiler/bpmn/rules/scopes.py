"""Sub-processes: event sub-processes, ad-hoc ones, and what does not belong into any.

Source: BPMN 2.0.2 10.3.5, 10.4.1, 10.5.2.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ...diagnostics import Severity
from ..document import Element
from .facts import Facts
from .kinds import ACTIVITIES, CHOREOGRAPHY_ACTIVITIES, SUB_PROCESSES
from .rule import Findings, called, found, rule

_NOT_AD_HOC: Final = ("startEvent", "endEvent", "conversationLink", "conversation",
                      "subConversation", "callConversation")  # fmt: skip


@rule(*SUB_PROCESSES)
def an_event_starts_an_event_sub_process(scope: Element, facts: Facts) -> Findings:
    """An event sub-process has one start event and no flows."""
    if not scope.flag("triggeredByEvent"):
        return
    if facts.incoming(scope) or facts.outgoing(scope):
        yield found(codes.EVENT_SUB_PROCESS_WITH_FLOW, scope, scope=called(scope))
    count = sum(1 for _ in scope.each("startEvent"))
    if count != 1:
        # Each of several starts has its own trigger, which readers follow.
        weight = Severity.WARNING if count else None
        yield found(
            codes.EVENT_SUB_PROCESS_START, scope, weight, scope=called(scope), count=count or "no"
        )


@rule("adHocSubProcess")
def an_ad_hoc_sub_process_is_a_set_of_activities(scope: Element, facts: Facts) -> Findings:
    """An ad-hoc sub-process holds activities and neither start nor end events."""
    if next(scope.each(*ACTIVITIES), None) is None:
        yield found(codes.AD_HOC_EMPTY, scope, scope=called(scope))
    for content in scope.each(*_NOT_AD_HOC):
        yield found(
            codes.AD_HOC_CONTENT,
            scope,
            scope=called(scope),
            content=called(content),
            kind=content.name,
        )


@rule(*SUB_PROCESSES)
def a_sub_process_sees_the_data_around_it(scope: Element, facts: Facts) -> Findings:
    """A sub-process has no inputs and outputs of its own."""
    if scope.child("ioSpecification") is not None:
        yield found(codes.SUB_PROCESS_WITH_DATA_INTERFACE, scope, scope=called(scope))


@rule("process", *SUB_PROCESSES)
def a_process_holds_no_choreography(scope: Element, facts: Facts) -> Findings:
    """The activities of a choreography do not stand in a process."""
    for activity in scope.each(*CHOREOGRAPHY_ACTIVITIES):
        yield found(
            codes.CHOREOGRAPHY_IN_PROCESS,
            scope,
            activity=called(activity),
            kind=activity.name,
        )
