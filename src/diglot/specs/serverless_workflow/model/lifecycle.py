"""The data of the CloudEvents that tell what becomes of a workflow and its tasks.

A workflow's `name` is qualified (`<name>-<id>.<namespace>`), a `task` is a JSON pointer into its
definition, times are RFC 3339 in UTC.
Source: DSL reference, Lifecycle Events.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from .base import Closed, Maybe

Phase = Literal["pending", "running", "waiting", "suspended", "cancelled", "faulted", "completed"]
TaskPointer = Annotated[str, Field(pattern=r"^(/[^/]*)*$")]


class DefinitionReference(Closed):
    """Which workflow definition. Source: DSL reference, Workflow Definition Reference."""

    name: str
    namespace: str
    version: str


class RaisedError(Closed):
    """An error as the engine reports it: type, status and instance are always there."""

    type: str
    status: int
    instance: str
    title: Maybe[str] = None
    detail: Maybe[str] = None


class WorkflowEvent(Closed):
    """What all events of a workflow carry."""

    name: str


class WorkflowStarted(WorkflowEvent):
    """The workflow has started."""

    definition: DefinitionReference
    startedAt: str


class WorkflowSuspended(WorkflowEvent):
    """The workflow has been suspended."""

    suspendedAt: str


class WorkflowResumed(WorkflowEvent):
    """The workflow goes on."""

    resumedAt: str


class WorkflowCorrelationStarted(WorkflowEvent):
    """The workflow waits for events that belong to it."""

    startedAt: str


class WorkflowCorrelationCompleted(WorkflowEvent):
    """The events have come."""

    completedAt: str
    correlationKeys: Maybe[dict[str, Any]] = None


class WorkflowCancelled(WorkflowEvent):
    """The workflow has been cancelled."""

    cancelledAt: str


class WorkflowFaulted(WorkflowEvent):
    """An error that nobody caught has ended the workflow."""

    faultedAt: str
    error: RaisedError


class WorkflowCompleted(WorkflowEvent):
    """The workflow has ended; 1.0.3 carries `output`, later versions where it lies."""

    completedAt: str
    outputUri: Maybe[str] = None
    output: Any = None


class WorkflowStatusChanged(WorkflowEvent):
    """The workflow is in another phase."""

    updatedAt: str
    status: Phase


class TaskEvent(Closed):
    """What all events of a task carry."""

    workflow: str
    task: TaskPointer


class TaskCreated(TaskEvent):
    """The task is about to start."""

    createdAt: str


class TaskStarted(TaskEvent):
    """The task has started."""

    startedAt: str


class TaskSuspended(TaskEvent):
    """The task has been suspended."""

    suspendedAt: str


class TaskResumed(TaskEvent):
    """The task goes on."""

    resumedAt: str


class TaskRetried(TaskEvent):
    """The task is tried again."""

    retriedAt: str


class TaskCancelled(TaskEvent):
    """The task has been cancelled."""

    cancelledAt: str


class TaskFaulted(TaskEvent):
    """The task has failed."""

    faultedAt: str
    error: RaisedError


class TaskCompleted(TaskEvent):
    """The task has ended; 1.0.3 carries `output`, later versions where it lies."""

    completedAt: str
    outputUri: Maybe[str] = None
    output: Any = None


class TaskStatusChanged(TaskEvent):
    """The task is in another phase."""

    updatedAt: str
    status: Phase


#: The model of each event's data by the CloudEvent's type.
EVENTS: Final[dict[str, type[BaseModel]]] = {
    "io.serverlessworkflow.workflow.started.v1": WorkflowStarted,
    "io.serverlessworkflow.workflow.suspended.v1": WorkflowSuspended,
    "io.serverlessworkflow.workflow.resumed.v1": WorkflowResumed,
    "io.serverlessworkflow.workflow.correlation-started.v1": WorkflowCorrelationStarted,
    "io.serverlessworkflow.workflow.correlation-completed.v1": WorkflowCorrelationCompleted,
    "io.serverlessworkflow.workflow.cancelled.v1": WorkflowCancelled,
    "io.serverlessworkflow.workflow.faulted.v1": WorkflowFaulted,
    "io.serverlessworkflow.workflow.completed.v1": WorkflowCompleted,
    "io.serverlessworkflow.workflow.status-changed.v1": WorkflowStatusChanged,
    "io.serverlessworkflow.task.created.v1": TaskCreated,
    "io.serverlessworkflow.task.started.v1": TaskStarted,
    "io.serverlessworkflow.task.suspended.v1": TaskSuspended,
    "io.serverlessworkflow.task.resumed.v1": TaskResumed,
    "io.serverlessworkflow.task.retried.v1": TaskRetried,
    "io.serverlessworkflow.task.cancelled.v1": TaskCancelled,
    "io.serverlessworkflow.task.faulted.v1": TaskFaulted,
    "io.serverlessworkflow.task.completed.v1": TaskCompleted,
    "io.serverlessworkflow.task.status-changed.v1": TaskStatusChanged,
}
