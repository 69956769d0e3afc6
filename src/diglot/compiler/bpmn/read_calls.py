"""Call activities: another process as a child instance, or a global task in place.

Source: BPMN 2.0.2 10.3.4, 13.3.4.
"""

from __future__ import annotations

from typing import Final

from .. import codes
from ..graph import Call, Constant, DataRules, Expression, Pass, Record, Value
from .document import Element
from .profiles.contract import VendorCall
from .read_data import activity_rules
from .read_flows import leave
from .read_tasks import add_business_rule, add_job, add_script_task, add_user
from .reading import ALL_VARIABLES, RESULT, Place, Reading, reads
from .rules.kinds import GLOBAL_TASKS

NAMESPACE: Final = "bpmn"


@reads("call-activity")
def read_call(at: Place, reading: Reading) -> None:
    """A process is called by its id; a global task of the same file is done in place."""
    vendor = reading.profile.called(at.element)
    written = at.element.get("calledElement").strip()
    found = reading.document.find(written) if written else None
    if found is not None and found.name in GLOBAL_TASKS:
        _add_global_task(reading, at, found)
        return
    process = _process(reading, at, vendor, written, found)
    if not process:
        reading.find(codes.CALL_OF_NOTHING, at.element, activity=at.pointer)
        reading.into.add(Pass(**reading.common(at)))
        leave(reading, at)
        return
    rules, input = _data(reading, at, vendor)
    reading.into.add(
        Call(
            **reading.common(at),
            data=rules,
            namespace=NAMESPACE,
            process=process,
            version=vendor.version or "latest",
            input=input,
        )
    )
    leave(reading, at)


def _process(
    reading: Reading, at: Place, vendor: VendorCall, written: str, found: Element | None
) -> str:
    """The id of the called process; empty where there is none that is known beforehand."""
    if vendor.process is not None and vendor.process.text.strip():
        value = reading.value(vendor.process)
        if isinstance(value, Constant) and isinstance(value.document, str):
            return value.document
        if value is not None:
            reading.find(codes.CALL_COMPUTED, at.element, called=vendor.process.text.strip())
            return vendor.process.text.strip()
    if found is not None and found.name == "process":
        return found.id
    if any(mark in written for mark in ("${", "#{")) or written.startswith("="):
        reading.find(codes.CALL_COMPUTED, at.element, called=written)
        return written
    prefix, colon, local = written.partition(":")
    # A prefix that is declared names the namespace of another file.
    return local if colon and prefix in at.element.namespaces else written


def _data(reading: Reading, at: Place, vendor: VendorCall) -> tuple[DataRules | None, Value]:
    """What the child gets, and what comes back."""
    gives = RESULT if vendor.all_out else None
    rules = activity_rules(
        reading, at.element, inputs=vendor.inputs, outputs=vendor.outputs, gives=gives
    )
    has_own = rules is not None and rules.read is not None
    if vendor.all_in:
        return rules, ALL_VARIABLES
    return rules, Expression(text=".") if has_own else Record(())


def _add_global_task(reading: Reading, at: Place, task: Element) -> None:
    """The called task with the data and the flows of the call activity."""
    match task.name:
        case "globalUserTask":
            add_user(reading, at, task)
        case "globalScriptTask":
            add_script_task(reading, at, task)
        case "globalBusinessRuleTask":
            add_business_rule(reading, at, task)
        case "globalManualTask":
            add_job(reading, at, reading.profile.task(task), "manual-task")
        case _:
            reading.into.add(Pass(**reading.common(at)))
            leave(reading, at)
