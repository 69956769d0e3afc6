"""What a vendor's extensions say, in words that the reader understands whoever the vendor is.

A profile is a handful of functions of an element. Each gives facts, never nodes, and each has an
empty answer: a profile that knows nothing about an element says so with the defaults. Texts come
with the place they stand at; whether one is an expression or a constant is told by its profile's
language rules and not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ...source import Span
from ..document import Element

ExpressionProfile = Literal["zeebe", "camunda", "flowable", "spiffworkflow", "drools", "standard"]


@dataclass(frozen=True, slots=True)
class Written:
    """A text of the file with its place: an element's own text, or the value of an attribute.

    `attribute` is as in `Element.attributes` or `Element.foreign`; empty for the element's text.
    `language` is what the file itself says beside the text (`language`, `scriptFormat`), else "";
    `variable` where the text is the name of a variable, `text` where it is meant as it stands.
    `worker` is an expression that whoever does the task can work out where nobody else can.
    `start` is the offset of `text` in the whole value, where something in front was taken away.
    """

    text: str
    element: Element
    attribute: str = ""
    language: str = ""
    start: int = 0

    def span_of(self, start: int = 0, end: int | None = None) -> Span:
        """Where the characters of `text` from `start` to `end` stand."""
        first = self.start + start
        last = self.start + (len(self.text) if end is None else end)
        if self.attribute:
            return self.element.attribute_span(self.attribute, first, last)
        return self.element.text_span(first, last)


@dataclass(frozen=True, slots=True)
class WrittenList:
    """A list of values, as `camunda:list`."""

    items: tuple[VendorValue, ...]


@dataclass(frozen=True, slots=True)
class WrittenMap:
    """A map of values, as `camunda:map`."""

    entries: tuple[tuple[str, VendorValue], ...]


VendorValue = Written | WrittenList | WrittenMap
#: Targets with what goes there, in document order.
Mappings = tuple[tuple[str, VendorValue], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorScript:
    """A script, and the variable its result goes to (empty: the result is dropped)."""

    code: Written
    language: str = ""
    result_variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorTask:
    """What a vendor adds to a task, or to an event or gateway that works like one.

    `job_type` is what workers ask for: a task type, a topic, the name of a class or a delegate.
    `inputs` are variables of the task alone, each made of a value in sight; where there are any,
    `hides_variables` tells whether the job sees them and nothing else. `outputs` are variables of
    the enclosing scope, each made of a value that sees the job's result; where there are any,
    nothing else of the result is kept. `result_variable` takes the result as a whole.

    `assignment` has the keys `assignee`, `candidateUsers`, `candidateGroups`, `dueDate`,
    `followUpDate` and `priority`; `form` is plain data with the keys `formKey` and `form`.
    `retries` is how often a job may fail before it is an incident, `retry_delay` an ISO 8601
    duration between.
    """

    job_type: str = ""
    #: The type where it is an expression, which is computed when the job opens.
    computed_type: Written | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    inputs: Mappings = ()
    outputs: Mappings = ()
    hides_variables: bool = False
    result_variable: str = ""
    retries: int | None = None
    retry_delay: str = ""
    assignment: Mapping[str, Written] = field(default_factory=dict[str, Written])
    form: Mapping[str, Any] = field(default_factory=dict[str, Any])
    decision: Written | None = None
    script: VendorScript | None = None
    #: Scripts that run before and after the task itself.
    before: VendorScript | None = None
    after: VendorScript | None = None
    #: A condition under which the task is not run at all.
    skip: Written | None = None
    is_external: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorLoop:
    """What a vendor adds to multi-instance characteristics.

    `output_element` is computed in each instance, the array of them becomes `output_collection`.
    `also_collected` are further collections that one instance's outputs would go to. `first` is the
    number the loop counter starts with: by the standard the n-th instance has n.

    Source: BPMN 2.0.2 10.3.8, Table 10.30.
    """

    collection: Written | None = None
    item: str = ""
    output_collection: str = ""
    output_element: VendorValue | None = None
    also_collected: tuple[Written, ...] = ()
    first: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorCall:
    """What a vendor adds to a call activity.

    `process` is the called process's id where the standard's attribute does not say it. With
    `all_in` the child gets all variables in sight, with `all_out` all variables of the child come
    back. `version` is `latest`, or an exact version (a version tag).
    """

    process: Written | None = None
    inputs: Mappings = ()
    outputs: Mappings = ()
    all_in: bool = False
    all_out: bool = False
    version: str = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorMessage:
    """What a vendor adds to a `message`, or to an event definition or a task that refers to one.

    `correlation_key` is compared with the key of what comes in, and is the key of what goes out;
    `payload` are the variables a thrown message carries.
    """

    correlation_key: Written | None = None
    payload: Mappings = ()
    #: The variable that takes a caught payload as a whole.
    variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorError:
    """Which variables a caught error's (or escalation's) code and message go to."""

    code_variable: str = ""
    message_variable: str = ""
    #: The variable that takes what a thrower handed over.
    data_variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorProcess:
    """What a vendor adds to a process."""

    version: str = ""
    #: Plain data worth keeping beside the graph (candidate starters, history, priority).
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorEvent:
    """What a vendor adds to an event; `inputs` and `outputs` as for a task."""

    inputs: Mappings = ()
    outputs: Mappings = ()
    #: A signal that does not leave its instance, asked of the `signal` too.
    is_local: bool = False
    #: A terminate end event that ends the whole instance.
    ends_instance: bool = False
    #: The variables a thrown signal or escalation carries.
    payload: Mappings = ()
    before: VendorScript | None = None
    after: VendorScript | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorAdHoc:
    """What a vendor adds to an ad-hoc sub-process."""

    #: The ids of the activities to begin with, as an array.
    active_elements: Written | None = None
    output_collection: str = ""
    output_element: Written | None = None


def _no_task(_: Element) -> VendorTask:
    return _TASK


def _no_loop(_: Element) -> VendorLoop:
    return _LOOP


def _no_call(_: Element) -> VendorCall:
    return _CALL


def _no_message(_: Element) -> VendorMessage:
    return _MESSAGE


def _no_error(_: Element) -> VendorError:
    return _ERROR


def _no_process(_: Element) -> VendorProcess:
    return _PROCESS


def _no_event(_: Element) -> VendorEvent:
    return _EVENT


def _no_ad_hoc(_: Element) -> VendorAdHoc:
    return _AD_HOC


_TASK: Final = VendorTask()
_LOOP: Final = VendorLoop()
_CALL: Final = VendorCall()
_MESSAGE: Final = VendorMessage()
_ERROR: Final = VendorError()
_PROCESS: Final = VendorProcess()
_EVENT: Final = VendorEvent()
_AD_HOC: Final = VendorAdHoc()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One vendor's extensions as functions of an element.

    `task` is asked of every task and of throw events, `loop` of `multiInstanceLoopCharacteristics`,
    `called` of a call activity, `message` of a `message`, of a message event definition and of a
    send or receive task, `error` of an error or escalation event definition, `process` of a
    process, `event` of an event, of its definitions and its `signal`, of a gateway, a flow and a
    process, `ad_hoc` of an ad-hoc sub-process.
    """

    name: str
    expression_profile: ExpressionProfile
    #: Whether a target such as `order.id` is a member of a variable.
    nests_targets: bool = False
    task: Callable[[Element], VendorTask] = _no_task
    loop: Callable[[Element], VendorLoop] = _no_loop
    called: Callable[[Element], VendorCall] = _no_call
    message: Callable[[Element], VendorMessage] = _no_message
    error: Callable[[Element], VendorError] = _no_error
    process: Callable[[Element], VendorProcess] = _no_process
    event: Callable[[Element], VendorEvent] = _no_event
    ad_hoc: Callable[[Element], VendorAdHoc] = _no_ad_hoc


#: The standard alone: it knows no extension.
STANDARD: Final = Profile(name="standard", expression_profile="standard")
