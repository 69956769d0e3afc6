"""What expressions can ask the machine for: `$task`, `$workflow`, `$runtime`, `$secrets` and kin.

Source: DSL, Runtime Expression Arguments.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import Choice, Task
from diglot.runtime.clock import moment
from diglot.runtime.secrets import holds_seal

if TYPE_CHECKING:
    from .frame import Frame
    from .step import Step


def _task(step: Step, frame: Frame) -> Any:
    """Source: DSL, Task Descriptor; our decision A37."""
    plan = frame.plan
    if plan is None:
        return None
    if plan.node.subject:
        frame = _subject(step, frame, plan.node.subject)
        plan = step.plan.nodes[plan.node.subject]
    node = plan.node
    definition = step.plan.definition(node.pointer)
    task: dict[str, Any] = {
        "name": node.name,
        "reference": node.pointer,
        "definition": definition,
        "input": frame.raw,
        "output": frame.raw_output,
        "startedAt": moment(frame.began_ms),
    }
    if isinstance(node, Choice) and isinstance(definition, dict):
        task = {**cast("dict[str, Any]", definition), **task}
    return task


def _subject(step: Step, frame: Frame, subject: str) -> Frame:
    """The visit of the task that an extension extends, as far as it has come."""
    state = step.state
    scope: int | None = frame.scope
    while scope is not None:
        found = state.scopes[scope]
        owner = None if found.owner is None else state.visits[found.owner]
        if owner is not None and owner.node == subject:
            return step.frame(owner)
        scope = found.parent
    return frame


def _workflow(step: Step, frame: Frame) -> Any:
    """Source: DSL, Workflow Descriptor."""
    state = step.state
    return {
        "id": state.id,
        "definition": step.plan.graph.document,
        "input": state.input,
        "startedAt": moment(state.started_ms),
    }


def _authorization(step: Step, frame: Frame) -> Any:
    """The scheme and parameter of the call's authentication; never a secret in the clear.

    Source: DSL, Authorization Descriptor.
    """
    plan = frame.plan
    if plan is None or plan.kind is not Task or step.is_authorizing:
        return None
    step.is_authorizing = True
    try:
        arguments: dict[str, Any] = plan.parts[0](step, frame, frame.input)
    finally:
        step.is_authorizing = False
    endpoint = arguments.get("endpoint")
    policy: dict[str, Any] = arguments.get("authentication") or {}
    if isinstance(endpoint, dict):
        policy = cast("dict[str, Any]", endpoint).get("authentication") or policy
    for scheme, name in (("Basic", "basic"), ("Bearer", "bearer"), ("Digest", "digest")):
        values = policy.get(name)
        if values is None:
            continue
        parameter = values.get("token")
        if scheme == "Basic":
            pair = f"{values.get('username', '')}:{values.get('password', '')}"
            parameter = "***" if holds_seal(pair) else base64.b64encode(pair.encode()).decode()
        return {"scheme": scheme, "parameter": parameter}
    return None


def _scope_input(step: Step, frame: Frame) -> Any:
    return {"input": step.state.scopes[frame.scope].input}


def _input(step: Step, frame: Frame) -> Any:
    return frame.input


def _output(step: Step, frame: Frame) -> Any:
    return frame.output


def _runtime(step: Step, frame: Frame) -> Any:
    return step.around.runtime


def _secrets(step: Step, frame: Frame) -> Any:
    declared = step.plan.graph.declarations.secrets
    return step.around.secrets.all_sealed(step.state.id, declared)


def _now(step: Step, frame: Frame) -> Any:
    return step.now_ms / 1000


#: What gives the value of a variable that no scope holds, by its name.
PROVIDERS: dict[str, Callable[[Step, Frame], Any]] = {
    "input": _input,
    "output": _output,
    "task": _task,
    "workflow": _workflow,
    "runtime": _runtime,
    "secrets": _secrets,
    "authorization": _authorization,
    "__now": _now,
    "__scope": _scope_input,
}
