"""The twelve tasks, and what holds tasks itself.

Source: DSL reference, Task.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Discriminator, Field, RootModel, Tag, model_validator

from .authentication import Authentication
from .base import (
    UNBUILT,
    Closed,
    Items,
    Json,
    Length,
    Maybe,
    Single,
    also,
    by_key,
    by_type,
    refuse_unless_one,
)
from .calls import (
    A2AArguments,
    AsyncApiMessage,
    AsyncApiProtocol,
    AsyncApiServer,
    ConsumeAmount,
    ConsumeUntil,
    ConsumeWhile,
    GrpcArguments,
    HttpArguments,
    MCPArguments,
    OpenApiArguments,
)
from .data import Export, Input, Output
from .errors import CatchErrors, ErrorOrName, RetryOrName
from .events import Emission, EventConsumption, ReadAs
from .processes import Process
from .resources import ExternalResource
from .scalars import (
    Duration,
    Expression,
    FilledDataOrExpression,
    FlowDirective,
    RuntimeExpression,
    TimeoutOrName,
)

#: The keyword of each task, which is also its tag.
KEYWORDS: Final = (
    "call",
    "do",
    "emit",
    "for",
    "fork",
    "listen",
    "raise",
    "run",
    "set",
    "switch",
    "try",
    "wait",
)
#: The protocols of a call; every other `call` names a function.
PROTOCOLS: Final = ("asyncapi", "grpc", "http", "openapi", "a2a", "mcp")


def keywords_of(task: dict[str, Json]) -> list[str]:
    """The task keywords that are present; the `do` of a `for` is a part of it."""
    found: list[str] = [keyword for keyword in KEYWORDS if keyword in task]
    if "for" in found and "do" in found:
        found.remove("do")
    return found


def task_tag(value: Json) -> str | None:
    """The keyword of a task; None unless it has exactly one."""
    if not isinstance(value, dict):
        return None
    found = keywords_of(value)
    return found[0] if len(found) == 1 else None


def call_tag(value: Json) -> str | None:
    """The protocol of a call, or `function`."""
    called = value.get("call") if isinstance(value, dict) else None
    return called if isinstance(called, str) and called in PROTOCOLS else "function"


class TaskItem(RootModel[Any]):
    """An entry of a task list: one task under its name."""

    model_config = UNBUILT
    root: Single[Task]

    @property
    def name(self) -> str:
        """The task's name."""
        return next(iter(self.root))

    @property
    def task(self) -> Task:
        """The task itself."""
        return next(iter(self.root.values()))


#: Tasks in the order in which they run.
TaskList = Items[TaskItem]


class TaskBase(Closed):
    """What every task may have. Source: DSL reference, Task."""

    if_: Maybe[Expression] = Field(default=None, alias="if")
    input: Maybe[Input] = None
    output: Maybe[Output] = None
    export: Maybe[Export] = None
    timeout: Maybe[TimeoutOrName] = None
    then: Maybe[FlowDirective] = None
    metadata: Maybe[dict[str, Any]] = None


class SubscriptionIterator(Closed):
    """What is done with each consumed event or message, in the order of arrival."""

    item: str = "item"
    at: str = "index"
    do: Maybe[TaskList] = None
    output: Maybe[Output] = None
    export: Maybe[Export] = None


class AsyncApiSubscription(Closed):
    """Messages to receive."""

    filter: Maybe[RuntimeExpression] = None
    consume: Annotated[
        Annotated[ConsumeAmount, Tag("amount")]
        | Annotated[ConsumeWhile, Tag("while")]
        | Annotated[ConsumeUntil, Tag("until")],
        by_key("amount", "while", "until"),
    ]
    foreach: Maybe[SubscriptionIterator] = None


class AsyncApiArguments(Closed):
    """One operation of an AsyncAPI document: a channel in 2.6, an operation in 3.0."""

    model_config = also(
        allOf=[
            {"oneOf": [{"required": ["channel"]}, {"required": ["operation"]}]},
            {"oneOf": [{"required": ["message"]}, {"required": ["subscription"]}]},
        ]
    )

    document: ExternalResource
    channel: Maybe[str] = None
    operation: Maybe[str] = None
    server: Maybe[AsyncApiServer] = None
    protocol: Maybe[AsyncApiProtocol] = None
    message: Maybe[AsyncApiMessage] = None
    subscription: Maybe[AsyncApiSubscription] = None
    authentication: Maybe[Authentication] = None

    @model_validator(mode="after")
    def _is_one_operation(self) -> AsyncApiArguments:
        refuse_unless_one(self, "channel", "operation")
        refuse_unless_one(self, "message", "subscription")
        return self


class CallAsyncApi(TaskBase):
    """Publish to a channel or receive from it."""

    call: Literal["asyncapi"]
    with_: AsyncApiArguments = Field(alias="with")


class CallGrpc(TaskBase):
    """Call a method of a gRPC service."""

    call: Literal["grpc"]
    with_: GrpcArguments = Field(alias="with")


class CallHttp(TaskBase):
    """Make an HTTP request."""

    call: Literal["http"]
    with_: HttpArguments = Field(alias="with")


class CallOpenApi(TaskBase):
    """Call an operation of an OpenAPI document."""

    call: Literal["openapi"]
    with_: OpenApiArguments = Field(alias="with")


class CallA2A(TaskBase):
    """Call an agent."""

    call: Literal["a2a"]
    with_: A2AArguments = Field(alias="with")


class CallMCP(TaskBase):
    """Call a server of the Model Context Protocol."""

    call: Literal["mcp"]
    with_: MCPArguments = Field(alias="with")


class CallFunction(TaskBase):
    """Call a function: of `use.functions`, of a catalog as `name:version@catalog`, or by URL."""

    call: str = Field(json_schema_extra={"not": {"enum": list(PROTOCOLS)}})
    with_: Maybe[dict[str, Any]] = Field(default=None, alias="with")


CallTask = Annotated[
    Annotated[CallAsyncApi, Tag("asyncapi")]
    | Annotated[CallGrpc, Tag("grpc")]
    | Annotated[CallHttp, Tag("http")]
    | Annotated[CallOpenApi, Tag("openapi")]
    | Annotated[CallA2A, Tag("a2a")]
    | Annotated[CallMCP, Tag("mcp")]
    | Annotated[CallFunction, Tag("function")],
    Discriminator(call_tag),
]


class DoTask(TaskBase):
    """Tasks one after the other."""

    do: TaskList


class EmitSettings(Closed):
    """What is emitted."""

    event: Emission


class EmitTask(TaskBase):
    """Publish an event."""

    emit: EmitSettings


class ForSettings(Closed):
    """The collection of a loop and the names of its variables."""

    each: str = "item"
    in_: Annotated[
        Annotated[Expression, Tag("string")] | Annotated[Items[dict[str, Any]], Tag("list")],
        by_type("an expression or a list of mappings"),
    ] = Field(alias="in")
    at: str = "index"


class ForTask(TaskBase):
    """Tasks for each item, one item after the other."""

    for_: ForSettings = Field(alias="for")
    while_: Maybe[Expression] = Field(default=None, alias="while")
    do: TaskList


class ForkSettings(Closed):
    """The branches; if they compete, the first one to succeed is the only one."""

    branches: TaskList
    compete: bool = False


class ForkTask(TaskBase):
    """Tasks at the same time."""

    fork: ForkSettings


class ListenSettings(Closed):
    """Which events are awaited and what of them becomes data."""

    to: EventConsumption
    read: ReadAs = "data"


class ListenTask(TaskBase):
    """Wait for events."""

    listen: ListenSettings
    foreach: Maybe[SubscriptionIterator] = None


class RaiseSettings(Closed):
    """Which error is raised."""

    error: ErrorOrName


class RaiseTask(TaskBase):
    """Raise an error."""

    raise_: RaiseSettings = Field(alias="raise")


class RunTask(TaskBase):
    """Run a process."""

    run: Process


class SetTask(TaskBase):
    """Replace the data."""

    set: FilledDataOrExpression


class SwitchCase(Closed):
    """Where to go, and on what condition; without one it is the default."""

    when: Maybe[Expression] = None
    then: FlowDirective


class SwitchItem(RootModel[Any]):
    """An entry of a switch: one case under its name."""

    model_config = UNBUILT
    root: Single[SwitchCase]

    @property
    def name(self) -> str:
        """The case's name."""
        return next(iter(self.root))

    @property
    def case(self) -> SwitchCase:
        """The case itself."""
        return next(iter(self.root.values()))


class SwitchTask(TaskBase):
    """Go where the first matching case says."""

    switch: Annotated[Items[SwitchItem], Length(1)]


class Catch(Closed):
    """Which errors are caught and what is done about them."""

    errors: Maybe[CatchErrors] = None
    as_: str = Field(default="error", alias="as")
    when: Maybe[Expression] = None
    exceptWhen: Maybe[Expression] = None
    retry: Maybe[RetryOrName] = None
    do: Maybe[TaskList] = None
    then: Maybe[FlowDirective] = None


class TryTask(TaskBase):
    """Tasks whose errors are caught."""

    try_: TaskList = Field(alias="try")
    catch: Catch


class WaitTask(TaskBase):
    """Let time pass."""

    wait: Duration


Task = Annotated[
    Annotated[CallTask, Tag("call")]
    | Annotated[DoTask, Tag("do")]
    | Annotated[EmitTask, Tag("emit")]
    | Annotated[ForTask, Tag("for")]
    | Annotated[ForkTask, Tag("fork")]
    | Annotated[ListenTask, Tag("listen")]
    | Annotated[RaiseTask, Tag("raise")]
    | Annotated[RunTask, Tag("run")]
    | Annotated[SetTask, Tag("set")]
    | Annotated[SwitchTask, Tag("switch")]
    | Annotated[TryTask, Tag("try")]
    | Annotated[WaitTask, Tag("wait")],
    Discriminator(task_tag),
]
