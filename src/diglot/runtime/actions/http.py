"""The http action, and the output forms that it shares with openapi.

Source: DSL reference, HTTP call, HTTP response.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .arguments import as_list, choice, endpoint, flag, mapping, scalar_text, text
from .content import JSON, decode, encode
from .contract import ActionContext, ActionError, TimeLimit
from .exchange import SUCCESS, SUCCESS_OR_REDIRECT, Request, Response, send
from .registry import performs

_OUTPUTS = ("content", "raw", "response")


@performs("http")
def call_http(arguments: dict[str, Any], context: ActionContext) -> Any:
    """Send one HTTP request and return its response in the form that `output` names.

    Arguments: `method`, `endpoint` {uri, authentication?} or a URI, `headers`, `query`, `body`,
    `output` content|raw|response, `redirect`; `template` holds the values of a URI template when
    `endpoint.uri` is one still, rather than a final URI.

    Redirections are not followed. The reference says of `redirect` only which statuses are errors:
    200-299 pass when it is false, 200-399 when it is true. A 3xx status can pass only where it is
    seen, so that with `redirect: true` the redirection itself is the result; its Location header is
    in the `response` form.

    A body is sent as JSON, unless the author's own Content-Type says otherwise. With one, a string
    is sent as it stands and an object becomes a form where the type is a form.
    """
    limit = TimeLimit(context)
    uri, authentication = endpoint(arguments.get("endpoint"), "endpoint")
    if arguments.get("template") is not None:
        uri = _expanded(uri, mapping(arguments, "template"))
    headers = _headers(mapping(arguments, "headers"))
    body: bytes | None = None
    if arguments.get("body") is not None:
        body, headers = _body(arguments["body"], headers)
    request = Request(
        method=text(arguments, "method"),
        uri=with_query(uri, _query(mapping(arguments, "query"))),
        headers=tuple(headers),
        body=body,
        authentication=authentication,
    )
    return call(request, arguments, context, limit)


def call(
    request: Request, arguments: Mapping[str, Any], context: ActionContext, limit: TimeLimit
) -> Any:
    """Send the request; the action's `output` and `redirect` say what comes of the response."""
    form = choice(arguments, "output", _OUTPUTS)
    accepted = SUCCESS_OR_REDIRECT if flag(arguments, "redirect") else SUCCESS
    response = send(request, context, limit, accepted=accepted)
    return _output(form, request, response)


def with_query(uri: str, query: str) -> str:
    """The URI with further query parameters, without its fragment."""
    uri = uri.partition("#")[0]
    if not query:
        return uri
    if "?" not in uri:
        return f"{uri}?{query}"
    return uri + query if uri.endswith(("?", "&")) else f"{uri}&{query}"


def _output(form: str, request: Request, response: Response) -> Any:
    if form == "raw":
        return base64.b64encode(response.body).decode()
    content = decode(response.body, response.content_type)
    if form == "content":
        return content
    return {
        "request": {
            "method": request.method,
            "uri": response.uri,
            "headers": response.request_headers,
        },
        "statusCode": response.status,
        "headers": response.headers,
        "content": content,
    }


def _expanded(uri: str, values: Mapping[str, Any]) -> str:
    from diglot.compiler.expressions.uri_template import UriTemplateError, expand

    try:
        return expand(uri, values)
    except UriTemplateError as error:
        raise ActionError("expression", 400, "Unusable URI Template", str(error)) from None


def _headers(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, scalar_text(value, f"the header {name}"))
        for name, value in values.items()
        if value is not None
    ]


def _body(value: Any, headers: list[tuple[str, str]]) -> tuple[bytes, list[tuple[str, str]]]:
    """The encoded body, and the headers with the Content-Type that it has got."""
    chosen = [header for name, header in headers if name.lower() == "content-type"]
    if not chosen:
        body, content_type = encode(value, JSON)
    elif isinstance(value, str):
        # Whoever names the type of a text has written the text in it already.
        return value.encode("utf-8", "replace"), headers
    else:
        body, content_type = encode(value, chosen[-1])
    # The last one of a name is sent.
    return body, [*headers, ("Content-Type", content_type)]


def _query(values: Mapping[str, Any]) -> str:
    """Query parameters in order: a list repeats its name, null leaves its parameter out."""
    pairs: list[str] = []
    for name, value in values.items():
        where = f"the query parameter {name}"
        pairs.extend(
            f"{quote(name, safe='')}={quote(scalar_text(item, where), safe='')}"
            for item in as_list(value)
            if item is not None
        )
    return "&".join(pairs)
