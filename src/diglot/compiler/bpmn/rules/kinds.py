"""The names of elements by what they are: which of them are tasks, events, gateways, data.

Source: BPMN 2.0.2 10.3 to 10.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TASKS: Final = frozenset({
    "task", "serviceTask", "sendTask", "receiveTask", "userTask", "manualTask", "scriptTask",
    "businessRuleTask",
})  # fmt: skip
SUB_PROCESSES: Final = frozenset({"subProcess", "transaction", "adHocSubProcess"})
ACTIVITIES: Final = TASKS | SUB_PROCESSES | {"callActivity"}
GATEWAYS: Final = frozenset({
    "exclusiveGateway", "inclusiveGateway", "parallelGateway", "complexGateway",
    "eventBasedGateway",
})  # fmt: skip
CATCH_EVENTS: Final = frozenset({"startEvent", "intermediateCatchEvent", "boundaryEvent"})
THROW_EVENTS: Final = frozenset({"endEvent", "intermediateThrowEvent", "implicitThrowEvent"})
EVENTS: Final = CATCH_EVENTS | THROW_EVENTS
CHOREOGRAPHY_ACTIVITIES: Final = frozenset(
    {"choreographyTask", "subChoreography", "callChoreography"}
)
#: What a sequence flow may lead from and to.
FLOW_NODES: Final = ACTIVITIES | GATEWAYS | EVENTS | CHOREOGRAPHY_ACTIVITIES
GLOBAL_TASKS: Final = frozenset(
    {"globalTask", "globalUserTask", "globalManualTask", "globalScriptTask",
     "globalBusinessRuleTask"}
)  # fmt: skip
COLLABORATIONS: Final = frozenset(
    {"collaboration", "choreography", "globalChoreographyTask", "globalConversation"}
)
DATA: Final = frozenset({
    "dataObject", "dataObjectReference", "dataStore", "dataStoreReference", "dataInput",
    "dataOutput", "property",
})  # fmt: skip

#: The event definitions by what the rules and messages call them.
TRIGGERS: Final[Mapping[str, str]] = {
    f"{name}EventDefinition": name
    for name in (
        "message", "timer", "escalation", "conditional", "link", "error", "cancel", "compensate",
        "signal", "terminate",
    )
}  # fmt: skip
EVENT_DEFINITIONS: Final = frozenset(TRIGGERS)
