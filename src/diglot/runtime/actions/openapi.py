"""The openapi action: an operation's id and parameters become one HTTP request.

Source: DSL reference, OpenAPI call.
"""

from __future__ import annotations

from typing import Any

from .arguments import mapping, text
from .contract import ActionContext, TimeLimit
from .http import call
from .openapi_document import fetch_document
from .openapi_request import request_for
from .registry import performs


@performs("openapi")
def call_openapi(arguments: dict[str, Any], context: ActionContext) -> Any:
    """Call an operation of an OpenAPI document and return its response as the http action does.

    Arguments: `document` {endpoint}, `operationId`, `parameters`, `authentication`, `output`,
    `redirect`. Document and call share the time limit; each is judged by the policy.
    """
    limit = TimeLimit(context)
    document = fetch_document(mapping(arguments, "document"), context, limit)
    request = request_for(
        document,
        text(arguments, "operationId"),
        mapping(arguments, "parameters"),
        mapping(arguments, "authentication"),
    )
    return call(request, arguments, context, limit)
