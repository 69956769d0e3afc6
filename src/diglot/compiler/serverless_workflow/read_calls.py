"""Calls of other services.

Source: DSL reference, HTTP Call, OpenAPI Call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph import Action, Constant, Pass, Record, Task, Value
from ..pointers import join_pointer
from .literals import check_named_credential
from .read_resources import authentication, endpoint, resource
from .reading import Place, Reading, reads
from .support import refuse
from .values import expression, text_value, value

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import tasks as model


@reads("call-http")
def read_http(task: model.CallHttp, at: Place, reading: Reading) -> None:
    """A job for a worker that speaks HTTP."""
    pointer = f"{at.pointer}/with"
    found = task.with_
    members: list[tuple[str, Value]] = [
        ("method", text_value(reading, found.method, f"{pointer}/method")),
        ("endpoint", endpoint(reading, found.endpoint, f"{pointer}/endpoint")),
    ]
    if found.headers is not None:
        members.append(("headers", _texts(reading, found.headers, f"{pointer}/headers")))
    if "body" in found.model_fields_set:
        members.append(("body", value(reading, found.body, f"{pointer}/body")))
    if found.query is not None:
        members.append(("query", _texts(reading, found.query, f"{pointer}/query")))
    members.append(("output", Constant(found.output)))
    members.append(("redirect", Constant(found.redirect)))
    reading.into.add(
        Task(**at.common, action=Action(type="http", arguments=Record(tuple(members))))
    )


@reads("call-openapi")
def read_openapi(task: model.CallOpenApi, at: Place, reading: Reading) -> None:
    """A job for a worker that reads the document and speaks HTTP."""
    pointer = f"{at.pointer}/with"
    found = task.with_
    members: list[tuple[str, Value]] = [
        ("document", resource(reading, found.document, f"{pointer}/document")),
        ("operationId", text_value(reading, found.operationId, f"{pointer}/operationId")),
    ]
    if found.parameters is not None:
        members.append(("parameters", value(reading, found.parameters, f"{pointer}/parameters")))
    if found.authentication is not None:
        policy = authentication(reading, found.authentication, f"{pointer}/authentication")
        if policy is not None:
            members.append(("authentication", policy))
    members.append(("output", Constant(found.output)))
    members.append(("redirect", Constant(found.redirect)))
    action = Action(type="openapi", arguments=Record(tuple(members)))
    reading.into.add(Task(**at.common, action=action))


@reads("call-asyncapi", "call-grpc", "call-a2a", "call-mcp")
def refuse_call(
    task: model.CallAsyncApi | model.CallGrpc | model.CallA2A | model.CallMCP,
    at: Place,
    reading: Reading,
) -> None:
    """Refused; the task stays as one that does nothing, so that the others can be checked."""
    refuse(reading, at.common["construct"], f"`call: {task.call}`", f"{at.pointer}/call")
    reading.into.add(Pass(**at.common))


def _texts(reading: Reading, found: dict[str, str] | str, pointer: str) -> Value:
    """Headers or query parameters: texts by name, or an expression that gives them."""
    if isinstance(found, str):
        return expression(reading, found, pointer)
    for name, text in found.items():
        check_named_credential(reading, name, text, pointer + join_pointer(name))
    return value(reading, {**found}, pointer)
