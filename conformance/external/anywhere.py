"""Services that nobody knows: every host answers, plausibly, whatever it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from conformance.harness.difference import is_object
from conformance.harness.doubles import Answer, Reply, Request
from diglot.compiler.graph import Constant, Graph, Record, Task, UriTemplate, Value

from .plausible import ADDRESS
from .services import SERVICES


def anybody(graph: Graph, data: Mapping[str, Any]) -> Answer:
    """Answers for every host that the definition may call: a known service, else `data`.

    Where an OpenAPI document is asked for, it describes the operations that the definition calls.
    """
    documents = {
        address: _openapi(urlsplit(address).netloc, operations)
        for address, operations in _operations(graph).items()
    }

    def answer(request: Request) -> Reply:
        document = documents.get(request.uri)
        service = SERVICES.get(urlsplit(request.uri).hostname or "")
        if service is not None:
            reply = service(request)
            if reply.status < 400:
                return reply
        return Reply.of(data if document is None else document)

    return answer


def _operations(graph: Graph) -> dict[str, dict[str, list[str]]]:
    """Addresses of OpenAPI documents with the operations called there and their parameters."""
    found: dict[str, dict[str, list[str]]] = {}
    for node in graph.nodes:
        if isinstance(node, Task) and node.action.type == "openapi":
            arguments = _members(node.action.arguments)
            document = _members(arguments.get("document"))
            # An address that is computed is that of the plausible data.
            address = _text(_members(document.get("endpoint")).get("uri")) or ADDRESS
            operation = _text(arguments.get("operationId"))
            names = list(_members(arguments.get("parameters")))
            found.setdefault(address, {})[operation] = names
    return found


def _openapi(host: str, operations: Mapping[str, list[str]]) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": host, "version": "1.0.0"},
        "servers": [{"url": f"https://{host}"}],
        "paths": {
            f"/{operation}": {
                "get": {
                    "operationId": operation,
                    "parameters": [
                        {"name": name, "in": "query", "schema": {"type": "string"}}
                        for name in names
                    ],
                    "responses": {"200": {"description": ""}},
                }
            }
            for operation, names in operations.items()
        },
    }


def _members(value: Value | None) -> dict[str, Value]:
    if isinstance(value, Record):
        return dict(value.members)
    if isinstance(value, Constant) and is_object(value.document):
        return {name: Constant(member) for name, member in value.document.items()}
    return {}


def _text(value: Value | None) -> str:
    match value:
        case Constant(document=str(text)) | UriTemplate(text=text):
            return text
        case _:
            return ""
