"""From an OpenAPI document, an operation's id and values to the request that they mean."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from .arguments import invalid, is_list
from .content import FORM, JSON, MULTIPART, encode, is_json, media_type
from .contract import ActionError
from .exchange import Request
from .http import with_query
from .openapi_document import Document, unusable
from .openapi_styles import (
    Parameter,
    cookie_text,
    header_text,
    path_text,
    query_pairs,
    read_parameter,
)

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_VARIABLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class _Body:
    """What an operation takes as its body."""

    name: str
    is_required: bool
    schema: Mapping[str, Any]
    properties: Mapping[str, Any]
    media: str


@dataclass(frozen=True, slots=True)
class _Operation:
    document: Document
    id: str
    method: str
    path: str
    item: Mapping[str, Any]
    described: Mapping[str, Any]

    def parameters(self) -> list[Parameter]:
        """Its parameters; one of the operation replaces its namesake of the path."""
        is_swagger = self.document.is_swagger
        found: dict[tuple[str, str], Parameter] = {}
        for described in (*self._listed(self.item), *self._listed(self.described)):
            if described.get("in") != "body":
                parameter = read_parameter(described, is_swagger=is_swagger)
                found[parameter.name, parameter.place] = parameter
        return list(found.values())

    def body(self) -> _Body | None:
        """Its body, if it takes one: a parameter in Swagger 2.0, later a part of its own."""
        follow = self.document.follow
        if self.document.is_swagger:
            for described in (*self._listed(self.described), *self._listed(self.item)):
                if described.get("in") == "body":
                    name = str(described.get("name", "body"))
                    media = _preferred(self.consumed())
                    return self._read_body(name, described, described.get("schema"), media)
            return None
        described = follow(self.described.get("requestBody"))
        contents = follow(described.get("content"))
        media = _preferred(contents)
        schema = follow(contents.get(media)).get("schema")
        return self._read_body("body", described, schema, media) if described else None

    def consumed(self) -> list[Any]:
        """The media types that Swagger 2.0 says it takes."""
        return _items(self.described.get("consumes", self.document.root.get("consumes")))

    def _read_body(self, name: str, described: Mapping[str, Any], schema: Any, media: str) -> _Body:
        followed = self.document.follow(schema)
        properties = self.document.follow(followed.get("properties"))
        return _Body(name, bool(described.get("required", False)), followed, properties, media)

    def _listed(self, owner: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        return map(self.document.follow, _items(owner.get("parameters")))


@dataclass(slots=True)
class _Draft:
    """A request in the making: what the parameters have become so far."""

    path: dict[str, str] = field(default_factory=dict[str, str])
    query: list[str] = field(default_factory=list[str])
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    cookies: list[str] = field(default_factory=list[str])
    form: dict[str, Any] = field(default_factory=dict[str, Any])

    def place(self, parameter: Parameter, value: Any) -> None:
        match parameter.place:
            case "path":
                self.path[parameter.name] = path_text(parameter, value)
            case "query":
                self.query += query_pairs(parameter, value)
            case "header":
                self.headers.append((parameter.name, header_text(parameter, value)))
            case "cookie":
                self.cookies.append(cookie_text(parameter, value))
            case "formData":
                self.form[parameter.name] = value
            case other:
                raise unusable(f"a parameter stands in {other!r}")


def request_for(
    document: Document,
    operation_id: str,
    values: Mapping[str, Any],
    authentication: Mapping[str, Any],
) -> Request:
    """The request for an operation with these parameter values; a null value counts as absent.

    The body is the value named `body` (in Swagger 2.0 also by its parameter's own name). Where its
    schema is an object, the values that no parameter takes are its properties.

    Raises:
        ActionError: configuration when the document has no such operation or is broken; validation
            when a required parameter is missing or one is unknown.
    """
    operation = _find(document, operation_id)
    left = {name: value for name, value in values.items() if value is not None}
    draft = _Draft()
    taken: set[str] = set()
    for parameter in operation.parameters():
        if parameter.name in left:
            draft.place(parameter, left[parameter.name])
            taken.add(parameter.name)
        elif parameter.is_required:
            raise _missing(operation, parameter.name)
    for parameter in _keys(document):
        if parameter.name in left and parameter.name not in taken:
            draft.place(parameter, left[parameter.name])
            taken.add(parameter.name)
    left = {name: value for name, value in left.items() if name not in taken}

    body = _body(operation, draft.form, left)
    headers = [("Accept", "application/json, */*;q=0.8"), *draft.headers]
    if draft.cookies:
        headers.append(("Cookie", "; ".join(draft.cookies)))
    if body is not None:
        headers.append(("Content-Type", body[1]))
    uri = _base(operation).rstrip("/") + _path(operation, draft.path)
    return Request(
        method=operation.method,
        uri=with_query(uri, "&".join(draft.query)),
        headers=tuple(headers),
        body=body[0] if body else None,
        authentication=authentication,
    )


def _find(document: Document, operation_id: str) -> _Operation:
    for path, described in document.follow(document.root.get("paths")).items():
        # A path that cannot be read does not hide the others.
        with contextlib.suppress(ActionError):
            item = document.follow(described)
            for method in _METHODS:
                operation = document.follow(item.get(method))
                if operation.get("operationId") == operation_id:
                    return _Operation(document, operation_id, method, str(path), item, operation)
    raise ActionError(
        "configuration",
        400,
        "Unknown Operation",
        f"the OpenAPI document has no operation with the id {operation_id!r}",
    )


def _keys(document: Document) -> Iterator[Parameter]:
    """The API keys of the document's security schemes, which a call may give as parameters."""
    schemes = document.root.get("securityDefinitions")
    if not document.is_swagger:
        schemes = document.follow(document.root.get("components")).get("securitySchemes")
    for one in document.follow(schemes).values():
        scheme = document.follow(one)
        if scheme.get("type") == "apiKey" and scheme.get("in") in ("query", "header", "cookie"):
            yield read_parameter(scheme, is_swagger=document.is_swagger)


def _body(
    operation: _Operation, form: Mapping[str, Any], left: dict[str, Any]
) -> tuple[bytes, str] | None:
    """The encoded body and its Content-Type; every value that is left has to find its way in."""
    value: Any = None
    media = JSON
    if form:
        value, media = form, _form_type(operation)
    elif (body := operation.body()) is not None:
        value, media = _body_value(operation, body, left), body.media
    if left:
        names = ", ".join(sorted(left))
        raise invalid(f"the operation {operation.id!r} has no parameter for: {names}")
    return None if value is None else encode(value, media)


def _body_value(operation: _Operation, body: _Body, left: dict[str, Any]) -> Any:
    """The value of the body, taken out of `left`; None for no body."""
    for name in (body.name, "body"):
        if name in left and name not in body.properties:
            return left.pop(name)
    if left and _is_object(body.schema):
        value = dict(left)
        left.clear()
        return value
    if body.is_required:
        raise _missing(operation, body.name)
    return None


def _is_object(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if kind is None:
        # Without a type it may be an object, unless it speaks of something else.
        return not {"items", "enum", "const"} & schema.keys()
    return kind == "object" or (is_list(kind) and "object" in kind)


def _form_type(operation: _Operation) -> str:
    consumed = operation.consumed()
    return MULTIPART if MULTIPART in consumed and FORM not in consumed else FORM


def _preferred(media_types: Iterable[Any]) -> str:
    """JSON where the operation takes it or names nothing, else the first type that it names."""
    named = [str(media) for media in media_types]
    json_first = sorted(named, key=lambda media: not is_json(media_type(media)))
    return next(iter(json_first), JSON)


def _base(operation: _Operation) -> str:
    """The URI that the path is appended to."""
    try:
        if operation.document.is_swagger:
            return _swagger_base(operation.document)
        return urljoin(operation.document.uri, _server_url(operation))
    except ValueError:
        raise unusable("the URL of its server cannot be read") from None


def _swagger_base(document: Document) -> str:
    own = urlsplit(document.uri)
    schemes = [str(scheme) for scheme in _items(document.root.get("schemes"))] or [own.scheme]
    preferred = [scheme for scheme in (own.scheme, "https") if scheme in schemes]
    host = str(document.root.get("host") or own.netloc)
    base_path = str(document.root.get("basePath") or "").strip("/")
    return f"{(preferred or schemes)[0]}://{host}/{base_path}"


def _server_url(operation: _Operation) -> str:
    """The first server of the operation, else of its path, else of the document; may be relative.

    Variables have their defaults.
    """
    follow = operation.document.follow
    owners = (operation.described, operation.item, operation.document.root)
    servers = [server for owner in owners for server in _items(owner.get("servers"))]
    server = follow(servers[0]) if servers else {}
    variables = follow(server.get("variables"))

    def default(match: re.Match[str]) -> str:
        value = follow(variables.get(match[1])).get("default")
        if value is None:
            raise unusable(f"its server variable {match[1]!r} has no default")
        return str(value)

    return _VARIABLE.sub(default, str(server.get("url", "/")))


def _path(operation: _Operation, values: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise unusable(f"its path {operation.path!r} names no parameter {match[1]!r}")
        return values[match[1]]

    path = _VARIABLE.sub(value, operation.path)
    if any(unquote(segment) in (".", "..") for segment in path.split("/")):
        # It would climb out of the operation's path.
        raise invalid("a path parameter may be neither `.` nor `..`")
    return path if path.startswith("/") else f"/{path}"


def _items(value: Any) -> list[Any]:
    return value if is_list(value) else []


def _missing(operation: _Operation, name: str) -> ActionError:
    return ActionError(
        "validation",
        400,
        "Missing Parameter",
        f"the operation {operation.id!r} requires the parameter {name!r}",
    )
