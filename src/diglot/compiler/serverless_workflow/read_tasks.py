"""Tasks that stand alone: set, wait and the processes of run.

Source: DSL reference, Set, Wait, Run, Script Process, Shell Process, Workflow Process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.specs.serverless_workflow.model import processes

from .. import codes
from ..expressions.strict import expression_text
from ..graph import (
    Action,
    Assign,
    Call,
    Constant,
    End,
    Pass,
    Record,
    ScopeNode,
    Start,
    Task,
    TimerTrigger,
    Value,
    Wait,
)
from ..pointers import join_pointer
from .lanes import open_scope
from .literals import check_named_credential, has_embedded_expression
from .read_resources import resource
from .reading import Common, Place, Reading, reads
from .support import refuse
from .values import duration, expression, is_negative, spelled, text_value, value

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import tasks as model


@reads("set")
def read_set(task: model.SetTask, at: Place, reading: Reading) -> None:
    """The value replaces the data."""
    reading.into.add(Assign(**at.common, value=value(reading, task.set, f"{at.pointer}/set")))


@reads("wait")
def read_wait(task: model.WaitTask, at: Place, reading: Reading) -> None:
    """Time passes; what is negative is over at once (our decision A35)."""
    pointer = f"{at.pointer}/wait"
    length = duration(reading, task.wait, pointer)
    if is_negative(length):
        reading.find(codes.NEGATIVE_WAIT, pointer, duration=spelled(task.wait))
    timer = TimerTrigger(form="duration", value=length)
    reading.into.add(Wait(**at.common, timer=timer))


@reads("run-script")
def read_script(task: model.RunTask, at: Place, reading: Reading) -> None:
    """A job for a worker that runs scripts."""
    run = task.run
    assert isinstance(run, processes.RunScript)
    pointer = f"{at.pointer}/run/script"
    script = run.script
    language = "js" if script.language == "javascript" else script.language
    members: list[tuple[str, Value]] = [("language", Constant(language))]
    if isinstance(script, processes.ExternalScript):
        members.append(("source", resource(reading, script.source, f"{pointer}/source")))
    else:
        # A template literal of JavaScript looks like an expression in the middle of a text.
        members.append(("code", _program(reading, script.code, f"{pointer}/code")))
    members.extend(_surroundings(reading, script, pointer))
    _add_process(reading, at, "script", run, members)


@reads("run-shell")
def read_shell(task: model.RunTask, at: Place, reading: Reading) -> None:
    """A job for a worker that runs commands."""
    run = task.run
    assert isinstance(run, processes.RunShell)
    pointer = f"{at.pointer}/run/shell"
    if expression_text(run.shell.command) is None:
        has_embedded_expression(reading, run.shell.command, f"{pointer}/command", is_shell=True)
    command = _program(reading, run.shell.command, f"{pointer}/command")
    members = [("command", command), *_surroundings(reading, run.shell, pointer)]
    _add_process(reading, at, "shell", run, members)


@reads("run-container")
def read_container(task: model.RunTask, at: Place, reading: Reading) -> None:
    """Refused; the task stays as one that does nothing, so that the others can be checked."""
    run = task.run
    assert isinstance(run, processes.RunContainer)
    refuse(reading, "run-container", "`run.container`", f"{at.pointer}/run/container")
    image = run.container.image
    if expression_text(image) is None and not _is_one_version(image):
        place = f"{at.pointer}/run/container/image"
        reading.find(codes.IMAGE_WITHOUT_TAG, place, image=image[:100])
    reading.into.add(Pass(**at.common))


def _is_one_version(image: str) -> bool:
    """Whether a reference of an image has a digest, or a tag that is not the newest of all."""
    name, _, digest = image.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2]
    return bool(digest) or tag not in ("", "latest")


@reads("run-workflow")
def read_workflow_process(task: model.RunTask, at: Place, reading: Reading) -> None:
    """A child instance; without `input` it gets the input of the task (our decision A30).

    `return: none` drops what the child gives, so the call stands in a scope that ends with null.
    """
    run = task.run
    assert isinstance(run, processes.RunWorkflow)
    if run.return_ != "none" or not run.await_:
        reading.into.add(_call(reading, run, at.common, at.pointer))
        return
    scope = at.inside("/run/workflow")
    pointer = f"{at.pointer}/run/workflow"
    start, call, nothing, end = (f"{scope}#{name}" for name in ("start", "call", "none", "end"))
    into = reading.into
    into.add(ScopeNode(**at.common, body=scope))
    open_scope(reading, scope, "sequence", at.scope, pointer, start=start)
    into.add(Start(id=start, scope=scope, pointer=at.pointer))
    into.add_flow(start, call)
    inner = Common(
        id=call,
        scope=scope,
        pointer=at.pointer,
        name=at.common["name"],
        construct=at.common["construct"],
        span=at.common["span"],
        guard=None,
        data=None,
        subject=at.common["subject"],
    )
    into.add(_call(reading, run, inner, at.pointer))
    into.add_flow(call, nothing)
    into.add(Assign(id=nothing, scope=scope, pointer=at.pointer, value=Constant(None)))
    into.add_flow(nothing, end)
    into.add(End(id=end, scope=scope, pointer=at.pointer))


def _call(reading: Reading, run: processes.RunWorkflow, common: Common, pointer: str) -> Call:
    child = run.workflow
    place = f"{pointer}/run/workflow"
    for name, text in (
        ("namespace", child.namespace),
        ("name", child.name),
        ("version", child.version),
    ):
        _check_fixed(reading, name, text, f"{place}/{name}")
    given = None if child.input is None else value(reading, child.input, f"{place}/input")
    return Call(
        **common,
        namespace=child.namespace,
        process=child.name,
        version=child.version,
        input=given,
        waits=run.await_,
    )


def _check_fixed(reading: Reading, name: str, text: str, pointer: str) -> None:
    """Report an expression where which workflow is called has to be known beforehand."""
    if expression_text(text) is None:
        has_embedded_expression(reading, text, pointer)
    else:
        expected = "a fixed text: expressions are not evaluated here"
        reading.find(
            codes.WRONG_PATTERN, pointer, property=name, found=text[:100], expected=expected
        )


def _program(reading: Reading, text: str, pointer: str) -> Value:
    """Code or a command: never guessed at in loose mode, and full of signs of its own."""
    if expression_text(text) is not None:
        return expression(reading, text, pointer)
    return Constant(text)


def _surroundings(
    reading: Reading, found: processes.Shell | processes.ScriptBase, pointer: str
) -> list[tuple[str, Value]]:
    """What a script and a command have in common."""
    members: list[tuple[str, Value]] = []
    if found.stdin is not None:
        members.append(("stdin", text_value(reading, found.stdin, f"{pointer}/stdin")))
    if found.arguments is not None:
        members.append(("arguments", value(reading, list(found.arguments), f"{pointer}/arguments")))
    if found.environment is not None:
        place = f"{pointer}/environment"
        members.append(("environment", value(reading, found.environment, place)))
        _check_environment(reading, found.environment, place)
    return members


def _check_environment(reading: Reading, environment: dict[str, Any], pointer: str) -> None:
    for name, text in environment.items():
        if isinstance(text, str):
            check_named_credential(reading, name, text, pointer + join_pointer(name))


def _add_process(
    reading: Reading,
    at: Place,
    worker: str,
    run: processes.RunBase,
    members: list[tuple[str, Value]],
) -> None:
    arguments = Record((*members, ("return", Constant(run.return_))))
    action = Action(type=worker, arguments=arguments)
    reading.into.add(Task(**at.common, action=action, waits=run.await_))
