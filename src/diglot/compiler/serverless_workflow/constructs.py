"""From a task of the model to its construct, the name it has in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model import processes, tasks

if TYPE_CHECKING:
    from pydantic import BaseModel

_TASKS: Mapping[type[BaseModel], str] = {
    tasks.CallAsyncApi: "call-asyncapi",
    tasks.CallGrpc: "call-grpc",
    tasks.CallHttp: "call-http",
    tasks.CallOpenApi: "call-openapi",
    tasks.CallA2A: "call-a2a",
    tasks.CallMCP: "call-mcp",
    tasks.CallFunction: "call-function",
    tasks.DoTask: "do",
    tasks.EmitTask: "emit",
    tasks.ForTask: "for",
    tasks.ForkTask: "fork",
    tasks.ListenTask: "listen",
    tasks.RaiseTask: "raise",
    tasks.SetTask: "set",
    tasks.SwitchTask: "switch",
    tasks.TryTask: "try",
    tasks.WaitTask: "wait",
}
_PROCESSES: Mapping[type[BaseModel], str] = {
    processes.RunContainer: "run-container",
    processes.RunScript: "run-script",
    processes.RunShell: "run-shell",
    processes.RunWorkflow: "run-workflow",
}
#: Every construct that is a task.
CONSTRUCTS = frozenset((*_TASKS.values(), *_PROCESSES.values()))


def construct_of(task: tasks.Task) -> str:
    """The construct of a task; the process of a run task tells it."""
    if isinstance(task, tasks.RunTask):
        return _PROCESSES[type(task.run)]
    return _TASKS[type(task)]


def extends(target: str, construct: str) -> bool:
    """Whether an extension of `target` is meant for this construct.

    `composite` is what is made of tasks and nothing else: a sequence or branches of them.

    Source: DSL reference, Extension.
    """
    if target == "all":
        return True
    if target == "composite":
        return construct in ("do", "fork")
    return construct == target or construct.startswith(f"{target}-")
