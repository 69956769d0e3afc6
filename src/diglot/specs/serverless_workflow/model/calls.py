"""The arguments of the calls to other services; of AsyncAPI's, those that hold no tasks.

Source: DSL reference, AsyncAPI Call, HTTP Call, OpenAPI Call, gRPC Call, A2A Call, MCP Call.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Tag, model_validator

from .authentication import Authentication
from .base import Closed, Items, Loose, Maybe, Pattern, also, by_key, needs
from .resources import Endpoint, ExternalResource
from .scalars import (
    DataOrExpression,
    Duration,
    FilledDataOrExpression,
    Integer,
    RuntimeExpression,
    Texts,
)

#: Which part of a response becomes the output.
HttpOutput = Literal["raw", "content", "response"]
A2AMethod = Literal[
    "message/send",
    "message/stream",
    "tasks/get",
    "tasks/list",
    "tasks/cancel",
    "tasks/resubscribe",
    "tasks/pushNotificationConfig/set",
    "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list",
    "tasks/pushNotificationConfig/delete",
    "agent/getAuthenticatedExtendedCard",
]
MCPMethod = Literal[
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/read",
    "resources/templates/list",
]
AsyncApiProtocol = Literal[
    "amqp",
    "amqp1",
    "anypointmq",
    "googlepubsub",
    "http",
    "ibmmq",
    "jms",
    "kafka",
    "mercure",
    "mqtt",
    "mqtt5",
    "nats",
    "pulsar",
    "redis",
    "sns",
    "solace",
    "sqs",
    "stomp",
    "ws",
]
HostName = Annotated[
    str,
    Pattern(
        r"[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?",
        "a host name of up to 63 letters, digits, dots and hyphens",
    ),
]


class HttpArguments(Closed):
    """One HTTP request. `body` may be null: `model_fields_set` tells whether it is there."""

    method: str
    endpoint: Endpoint
    headers: Maybe[Texts] = None
    body: Any = None
    query: Maybe[Texts] = None
    output: HttpOutput = "content"
    redirect: bool = False


class OpenApiArguments(Closed):
    """One operation of an OpenAPI document."""

    document: ExternalResource
    operationId: str
    parameters: Maybe[dict[str, Any]] = None
    authentication: Maybe[Authentication] = None
    output: HttpOutput = "content"
    redirect: bool = False


class AsyncApiServer(Closed):
    """The server of an AsyncAPI operation."""

    name: str
    variables: Maybe[dict[str, Any]] = None


class AsyncApiMessage(Closed):
    """A message to publish."""

    payload: Maybe[dict[str, Any]] = None
    headers: Maybe[dict[str, Any]] = None


class ConsumeAmount(Closed):
    """So many messages, within `for`."""

    amount: Integer
    for_: Maybe[Duration] = Field(default=None, alias="for")


class ConsumeWhile(Closed):
    """Messages as long as the condition holds, within `for`."""

    while_: RuntimeExpression = Field(alias="while")
    for_: Maybe[Duration] = Field(default=None, alias="for")


class ConsumeUntil(Closed):
    """Messages until the condition holds, within `for`."""

    until: RuntimeExpression
    for_: Maybe[Duration] = Field(default=None, alias="for")


class GrpcService(Closed):
    """Where a gRPC service is found."""

    name: str
    host: HostName
    port: Maybe[Annotated[Integer, Field(ge=0, le=65535)]] = None
    authentication: Maybe[Authentication] = None


class GrpcArguments(Closed):
    """One method of a gRPC service."""

    proto: ExternalResource
    service: GrpcService
    method: str
    arguments: Maybe[dict[str, Any]] = None


class A2AArguments(Closed):
    """One message to an agent, which its card or its server names; the card comes first."""

    model_config = also(anyOf=[{"required": ["agentCard"]}, {"required": ["server"]}])

    method: A2AMethod
    agentCard: Maybe[ExternalResource] = None
    server: Maybe[Endpoint] = None
    parameters: Maybe[FilledDataOrExpression] = None

    @model_validator(mode="after")
    def _finds_an_agent(self) -> A2AArguments:
        if self.agentCard is None and self.server is None:
            raise needs("agentCard")
        return self


class MCPHttp(Loose):
    """A server of the Model Context Protocol over HTTP."""

    endpoint: Endpoint
    headers: Maybe[dict[str, str]] = None


class MCPStdio(Loose):
    """A server of the Model Context Protocol that is started as a process."""

    command: str
    arguments: Maybe[Items[str]] = None
    environment: Maybe[dict[str, str]] = None


class MCPHttpTransport(Loose):
    """The transport over HTTP."""

    http: MCPHttp
    options: Maybe[dict[str, str]] = None


class MCPStdioTransport(Loose):
    """The transport over standard input and output."""

    stdio: MCPStdio
    options: Maybe[dict[str, str]] = None


class MCPClient(Loose):
    """As whom the engine introduces itself."""

    name: str
    version: str


class MCPArguments(Loose):
    """One method of a server of the Model Context Protocol."""

    method: MCPMethod
    transport: Annotated[
        Annotated[MCPHttpTransport, Tag("http")] | Annotated[MCPStdioTransport, Tag("stdio")],
        by_key("http", "stdio"),
    ]
    protocolVersion: str = "2025-06-18"
    parameters: Maybe[DataOrExpression] = None
    timeout: Maybe[Duration] = None
    client: Maybe[MCPClient] = None
