"""Offline doubles of the services that kits and examples call.

Source: the public interfaces of petstore.swagger.io and httpbin.org.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from conformance.harness.doubles import Answer, Reply, Request

_PETSTORE = "petstore.swagger.io"
_PET = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "format": "int64"},
        "name": {"type": "string"},
        "status": {"type": "string"},
    },
}
#: What the shop says of itself: an OpenAPI 2.0 document with the operations that are answered.
_SWAGGER: Mapping[str, Any] = {
    "swagger": "2.0",
    "info": {"title": "Pets", "version": "1.0.0"},
    "host": _PETSTORE,
    "basePath": "/v2",
    "schemes": ["https", "http"],
    "paths": {
        "/pet/findByStatus": {
            "get": {
                "operationId": "findPetsByStatus",
                "produces": ["application/json"],
                "parameters": [
                    {
                        "name": "status",
                        "in": "query",
                        "required": True,
                        "type": "array",
                        "items": {"type": "string"},
                        "collectionFormat": "multi",
                    }
                ],
                "responses": {
                    "200": {"description": "", "schema": {"type": "array", "items": _PET}}
                },
            }
        },
        "/pet/{petId}": {
            "get": {
                "operationId": "getPetById",
                "produces": ["application/json"],
                "parameters": [
                    {
                        "name": "petId",
                        "in": "path",
                        "required": True,
                        "type": "integer",
                        "format": "int64",
                    }
                ],
                "responses": {"200": {"description": "", "schema": _PET}},
            }
        },
    },
}


def petstore(request: Request) -> Reply:
    """A shop with a pet for every positive number."""
    parts = urlsplit(request.uri)
    if request.method != "GET":
        return Reply.of({"message": "not allowed"}, 405)
    if parts.path == "/v2/swagger.json":
        return Reply.of(_SWAGGER)
    if parts.path == "/v2/pet/findByStatus":
        wanted = parse_qs(parts.query).get("status", ["available"])
        return Reply.of([_pet(number, status) for number, status in enumerate(wanted, 1)])
    found = re.fullmatch(r"/v2/pet/(\d{1,18})", parts.path)
    if found is not None:
        return Reply.of(_pet(int(found[1]), "available"))
    return Reply.of({"code": 1, "type": "error", "message": "Pet not found"}, 404)


def _pet(number: int, status: str) -> dict[str, Any]:
    return {"id": number, "name": f"Pet {number}", "status": status}


def httpbin(request: Request) -> Reply:
    """The part that asks for a name and a password and takes those of its address."""
    found = re.fullmatch(r"/basic-auth/([^/]+)/([^/]+)", urlsplit(request.uri).path)
    if found is None:
        return Reply.of({"message": "not found"}, 404)
    expected = base64.b64encode(f"{found[1]}:{found[2]}".encode()).decode()
    if request.headers.get("authorization") != f"Basic {expected}":
        return Reply(401, b"", {"WWW-Authenticate": 'Basic realm="double"'})
    return Reply.of({"authenticated": True, "user": found[1]})


#: The services by host.
SERVICES: Mapping[str, Answer] = {_PETSTORE: petstore, "httpbin.org": httpbin}


def known_services(request: Request) -> Reply:
    """Whatever the host's service answers; hosts without one are not there."""
    service = SERVICES.get(urlsplit(request.uri).hostname or "")
    return Reply.of({"message": "no such service"}, 502) if service is None else service(request)
