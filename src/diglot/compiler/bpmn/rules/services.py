"""Tasks and interfaces that exchange messages: their data is what the messages carry.

Source: BPMN 2.0.2 10.3.3, 10.4.1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ... import codes
from ..document import Element
from .facts import Facts
from .rule import Findings, called, found, rule


class _Side(NamedTuple):
    """One side of a task: what it takes in and sends, or what it receives and gives out."""

    word: str
    data: str
    sets: str
    set_words: str
    message: str
    message_word: str
    binding: str


_INPUT: Final = _Side(
    "input", "dataInput", "inputSet", "input sets", "inMessageRef", "incoming", "inputDataRef"
)
_OUTPUT: Final = _Side(
    "output", "dataOutput", "outputSet", "output sets", "outMessageRef", "outgoing",
    "outputDataRef",
)  # fmt: skip


def interface(element: Element, *names: str) -> list[Element]:
    """The children of an element's `ioSpecification` with these names."""
    return [child for holder in element.each("ioSpecification") for child in holder.each(*names)]


@rule("serviceTask")
def a_service_task_has_the_sets_of_an_operation(task: Element, facts: Facts) -> Findings:
    """An operation takes one set of inputs and gives at most one of outputs."""
    if not task.get("operationRef"):
        return
    inputs, outputs = len(interface(task, "inputSet")), len(interface(task, "outputSet"))
    if inputs != 1:
        yield found(
            codes.SERVICE_SETS, task, task=called(task), count=inputs or "no", sets="input set(s)"
        )
    if outputs > 1:
        yield found(codes.SERVICE_SETS, task, task=called(task), count=outputs, sets="output sets")


@rule("serviceTask")
def a_service_task_has_the_data_of_its_operation(task: Element, facts: Facts) -> Findings:
    """The data of the task is what the messages of the operation carry."""
    operation = facts.attribute(task, "operationRef")
    if operation is None or operation.name != "operation":
        return
    for side in (_INPUT, _OUTPUT):
        data = interface(task, side.data)
        reference = operation.child(side.message)
        if reference is None or (side is _INPUT and not data):
            continue
        message = facts.find(reference.text, reference)
        carried = facts.item_of(message, "itemRef")
        if carried not in {facts.item_of(one) for one in data} or not carried:
            yield found(
                codes.OPERATION_ITEM,
                task,
                side=side.word,
                task=called(task),
                message=side.message_word,
                operation=called(operation),
            )


@rule("sendTask", "receiveTask")
def a_message_task_has_the_data_of_its_message(task: Element, facts: Facts) -> Findings:
    """A message carries one thing, and the data of the task is this thing."""
    if not task.get("messageRef"):
        return
    side = _INPUT if task.name == "sendTask" else _OUTPUT
    data, sets = interface(task, side.data), interface(task, side.sets)
    for several, words in ((sets, side.set_words), (data, f"data {side.word}s")):
        if len(several) > 1:
            yield found(
                codes.MESSAGE_TASK_SETS,
                task,
                kind=task.name,
                task=called(task),
                count=len(several),
                sets=words,
            )
    message = facts.attribute(task, "messageRef")
    carried = facts.item_of(message, "itemRef")
    if data and message is not None and carried not in {facts.item_of(one) for one in data}:
        yield found(codes.MESSAGE_TASK_ITEM, task, task=called(task), message=called(message))


@rule("process", "globalTask", "globalUserTask", "globalManualTask", "globalScriptTask",
      "globalBusinessRuleTask")  # fmt: skip
def a_service_binds_its_operations(element: Element, facts: Facts) -> Findings:
    """What is offered as a service says which data an operation becomes."""
    if element.child("supportedInterfaceRef") is None:
        return
    bindings = list(element.each("ioBinding"))
    if not bindings:
        yield found(codes.SERVICE_WITHOUT_BINDING, element, element=called(element))
    for binding in bindings:
        operation = facts.attribute(binding, "operationRef")
        if operation is None or operation.name != "operation":
            continue
        for side in (_INPUT, _OUTPUT):
            data = facts.attribute(binding, side.binding)
            reference = operation.child(side.message)
            if data is None or data.name != side.data or reference is None:
                continue
            message = facts.find(reference.text, reference)
            if facts.item_of(data) != facts.item_of(message, "itemRef"):
                yield found(
                    codes.BINDING_ITEM,
                    element,
                    side=side.word,
                    data=called(data),
                    message=side.message_word,
                    operation=called(operation),
                )
