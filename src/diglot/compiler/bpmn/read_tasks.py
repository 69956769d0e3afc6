"""Tasks: jobs for workers, messages sent, and scripts of our own language.

Source: BPMN 2.0.2 10.3.3, 13.3.3.
"""

from __future__ import annotations

from typing import Final

from .. import codes
from ..diagnostics import Report
from ..graph import (
    Action,
    Assign,
    Constant,
    DataRules,
    Expression,
    Pass,
    Record,
    Task,
    Value,
)
from .document import Element
from .profiles.contract import VendorScript, VendorTask, Written
from .read_data import mapped_value
from .read_flows import leave
from .read_jobs import action_of, assignment_of, service_type, vendor_rules
from .read_throws import add_message
from .reading import ALL_VARIABLES, RESULT, Common, Place, Reading, reads, written_in

#: What the formats of scripts that run here are called.
_LANGUAGES: Final = {
    "python": "python", "text/python": "python", "python3": "python",
    "application/x-python": "python", "text/x-python": "python",
    "javascript": "javascript", "js": "javascript", "ecmascript": "javascript",
    "text/javascript": "javascript", "application/javascript": "javascript",
    "text/ecmascript": "javascript", "application/ecmascript": "javascript",
    "http://www.javascript.com/javascript": "javascript",
    "feel": "feel", "text/feel": "feel", "jq": "jq", "application/jq": "jq",
    "http://www.omg.org/spec/feel/20140401": "feel",
    "https://www.omg.org/spec/dmn/20191111/feel/": "feel",
}  # fmt: skip
#: The value of the last line of a script, or of an expression, as a variable.
_VALUE: Final = Expression(text='if type == "object" and has("result") then .result else null end')
_SET: Final = Expression(
    text='if type == "object" and (.variables | type) == "object" then .variables else null end'
)


@reads("task")
def read_task(at: Place, reading: Reading) -> None:
    """A task of no kind does nothing; a vendor or a message flow may say what it does."""
    vendor = reading.profile.task(at.element)
    if vendor.job_type:
        add_job(reading, at, vendor, "task")
    elif reading.messages.sends_to_node(at.element):
        add_message(reading, at, reading.common(at), at.element)
        leave(reading, at)
    else:
        rules = vendor_rules(reading, at.element, vendor)
        is_plain = rules is None or (rules.export is RESULT and rules.read is None)
        if rules is not None and is_plain:
            rules = None if rules.needs is None else DataRules(needs=rules.needs)
        reading.into.add(Pass(**reading.common(at), data=rules))
        leave(reading, at)


@reads("service-task")
def read_service(at: Place, reading: Reading) -> None:
    """A job of the vendor's type, else of the operation's or implementation's name."""
    add_service(reading, at, at.element)


@reads("user-task")
def read_user(at: Place, reading: Reading) -> None:
    """A job for people."""
    add_user(reading, at, at.element)


@reads("manual-task")
def read_manual(at: Place, reading: Reading) -> None:
    """Somebody does it, and somebody says that it is done."""
    add_job(reading, at, reading.profile.task(at.element), "manual-task")


@reads("business-rule-task")
def read_business_rule(at: Place, reading: Reading) -> None:
    """A job that names a decision."""
    add_business_rule(reading, at, at.element)


@reads("script-task")
def read_script(at: Place, reading: Reading) -> None:
    """A script runs here where its language does, else a worker runs it."""
    add_script_task(reading, at, at.element)


@reads("send-task")
def read_send(at: Place, reading: Reading) -> None:
    """A message is sent; a worker does it where the task names none, or a vendor's type."""
    vendor = reading.profile.task(at.element)
    name, _ = reading.messages.flowing(at.element, at.element, sends=True)
    has_message = bool(at.element.get("messageRef").strip()) or (
        reading.messages.message_of(at.element, sends=True) is not None
    )
    if (
        vendor.job_type
        or not name
        or not (has_message or reading.messages.sends_to_node(at.element))
    ):
        _, members = service_type(reading, at.element)
        add_job(reading, at, vendor, "send-task", members)
    else:
        add_message(reading, at, reading.common(at), at.element)
        leave(reading, at)


def add_job(
    reading: Reading,
    at: Place,
    vendor: VendorTask,
    type: str,
    members: tuple[tuple[str, Value], ...] = (),
) -> None:
    """A task that a worker does, and its flows."""
    rules = vendor_rules(reading, at.element, vendor)
    action = action_of(reading, at, vendor, type, members)
    reading.into.add(Task(**reading.common(at), data=rules, action=action))
    leave(reading, at)


def add_service(reading: Reading, at: Place, source: Element) -> None:
    """A service task; `source` has what is its own where a global task is called."""
    name, members = service_type(reading, source)
    add_job(reading, at, reading.profile.task(source), name or "service-task", members)


def add_user(reading: Reading, at: Place, source: Element) -> None:
    """A user task, likewise."""
    vendor = reading.profile.task(source)
    add_job(reading, at, vendor, "user-task", assignment_of(reading, at, source, vendor))


def add_business_rule(reading: Reading, at: Place, source: Element) -> None:
    """A business rule task, likewise."""
    vendor = reading.profile.task(source)
    _, members = service_type(reading, source)
    if vendor.decision is not None:
        decision = mapped_value(reading, vendor.decision)
        members = (*members, *((("decision", decision),) if decision is not None else ()))
    add_job(reading, at, vendor, "business-rule-task", members)


def add_script_task(reading: Reading, at: Place, source: Element) -> None:
    """A script task, likewise."""
    vendor = reading.profile.task(source)
    script = vendor.script
    if script is None and vendor.job_type:
        add_job(reading, at, vendor, "script-task")
        return
    if script is None:
        found = source.child("script")
        if found is None or not found.text.strip():
            reading.find(codes.SCRIPT_MISSING, at.element, task=at.pointer)
            reading.into.add(Pass(**reading.common(at)))
            leave(reading, at)
            return
        code = written_in(found)
        script = VendorScript(
            code=Written(found.text, found),
            language=_language_of(source) or code.language,
            result_variable=vendor.result_variable,
        )
    add_script(reading, at, reading.common(at), script, vendor)
    leave(reading, at)


def _language_of(source: Element) -> str:
    """The format of a script; a global script task calls it otherwise than a script task."""
    return (source.get("scriptFormat") or source.get("scriptLanguage")).strip()


def add_script(
    reading: Reading, at: Place, common: Common, script: VendorScript, vendor: VendorTask
) -> None:
    """One script as a node: pure data, a script that runs here, or a job."""
    language = _LANGUAGES.get(script.language.strip().lower(), "")
    if not language and reading.profile.expression_profile == "spiffworkflow":
        language = "python"
    if language in ("feel", "jq"):
        value = _translated(reading, script, language)
        if value is not None:
            rules = _rules(
                reading, at, vendor, script.result_variable, Expression(text="."), RESULT
            )
            reading.into.add(Assign(**common, data=rules, value=value))
            return
    members: tuple[tuple[str, Value], ...] = (
        ("language", Constant(language or script.language.strip())),
        ("code", Constant(script.code.text)),
    )
    action = action_of(reading, at, VendorTask(), "script-task", members)
    rules = _rules(reading, at, vendor, script.result_variable, Expression(text="."), RESULT)
    if language in ("python", "javascript"):
        arguments: list[tuple[str, Value]] = [
            ("language", Constant(language)),
            ("code", Constant(script.code.text)),
            ("variables", ALL_VARIABLES),
        ]
        rules = _rules(reading, at, vendor, script.result_variable, _VALUE, _SET)
        is_mapped = rules is not None and rules.export not in (None, _SET)
        if is_mapped and not script.result_variable:
            # Mappings and data outputs see what the script has set.
            arguments.append(("return", Constant("variables")))
        action = Action(type="script", arguments=Record(tuple(arguments)))
    reading.into.add(Task(**common, data=rules, action=action))


def _rules(
    reading: Reading,
    at: Place,
    vendor: VendorTask,
    result_variable: str,
    value: Expression,
    variables: Expression,
) -> DataRules | None:
    """What becomes of a script's result: its value a variable, else what it set."""
    if result_variable and not vendor.outputs:
        export = Record(((result_variable, value),))
        return DataRules(export=export, export_mode="variables")
    rules = vendor_rules(
        reading,
        at.element,
        VendorTask(inputs=vendor.inputs, outputs=vendor.outputs, result_variable=result_variable),
    )
    if rules is None or rules.export is not RESULT:
        return rules
    return DataRules(needs=rules.needs, read=rules.read, export=variables, export_mode="variables")


def _translated(reading: Reading, script: VendorScript, language: str) -> Value | None:
    """A script that is an expression; None where a worker has to evaluate it."""
    code = script.code
    found = Report()
    report, reading.report = reading.report, found
    try:
        text = code.text.strip()
        start = code.start + code.text.find(text)
        value = reading.value(Written(text, code.element, code.attribute, language, start))
    finally:
        reading.report = report
    if found.has_errors:
        reading.find(codes.SCRIPT_FOR_WORKER, code.element, language=language)
        return None
    reading.report.diagnostics.extend(found)
    return value
