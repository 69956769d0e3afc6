"""From an operation's id and parameters to a request, through a document that is fetched."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import (
    ActionContext,
    ActionError,
    HostMap,
    execute,
)

if TYPE_CHECKING:
    from conftest import ContextMaker, Server

OBJECT = {"type": "object", "properties": {"name": {"type": "string"}}}


def swagger(**operations: Any) -> dict[str, Any]:
    """A Swagger 2.0 document with one operation a path; each brings its `path` and `verb`."""
    return {"swagger": "2.0", "paths": _paths(operations)}


def openapi(**operations: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "paths": _paths(operations)}


def _paths(operations: dict[str, Any]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation_id, described in operations.items():
        path, verb = described.pop("path"), described.pop("verb", "get")
        paths.setdefault(path, {})[verb] = {"operationId": operation_id, **described}
    return paths


def parameter(name: str, place: str, **others: Any) -> dict[str, Any]:
    return {"name": name, "in": place, **others}


@pytest.fixture
def call(server: Server, make_context: ContextMaker):
    """Publish a document at a URL of its own and call an operation of it."""

    def call(
        document: dict[str, Any] | bytes,
        operation_id: str = "op",
        parameters: dict[str, Any] | None = None,
        context: ActionContext | None = None,
        **others: Any,
    ) -> Any:
        # Documents are cached by URL, for longer than a test lasts.
        uri = server.answers(f"/{uuid.uuid4()}/openapi.json", document)
        arguments = {
            "document": {"endpoint": {"uri": uri}},
            "operationId": operation_id,
            "parameters": parameters or {},
            **others,
        }
        return execute("openapi", arguments, context or make_context())

    return call


def failure(call: Any, *arguments: Any, **others: Any) -> ActionError:
    with pytest.raises(ActionError) as caught:
        call(*arguments, **others)
    return caught.value


# --- the pet store


def test_a_swagger_document_is_called_at_its_own_host(server: Server, make_context: ContextMaker):
    document = {
        **swagger(
            findPetsByStatus={
                "path": "/pet/findByStatus",
                "parameters": [
                    parameter(
                        "status", "query", required=True, type="array", collectionFormat="multi"
                    )
                ],
            },
            getPetById={
                "path": "/pet/{petId}",
                "parameters": [parameter("petId", "path", required=True, type="integer")],
            },
        ),
        "host": "petstore.test",
        "basePath": "/v2",
        "schemes": ["https", "http"],
    }
    path = f"/v2/{uuid.uuid4()}/swagger.json"
    server.answers(path, document)
    server.answers("/v2/pet/findByStatus", [{"id": 1}, {"id": 2}])
    server.answers("/v2/pet/7", {"id": 7})
    arguments = {"document": {"endpoint": f"https://petstore.test{path}"}}
    context = make_context(transport=HostMap.of({"petstore.test": server.url("")}))

    def call(operation_id: str, parameters: dict[str, Any], output: str) -> Any:
        named = {"operationId": operation_id, "parameters": parameters, "output": output}
        return execute("openapi", {**arguments, **named}, context)

    found = call("findPetsByStatus", {"status": ["sold", "pending"]}, "content")
    call("findPetsByStatus", {"status": "available"}, "content")
    pet = call("getPetById", {"petId": 7}, "response")

    assert found == [{"id": 1}, {"id": 2}]
    assert pet["content"] == {"id": 7}
    assert pet["request"]["uri"] == "https://petstore.test/v2/pet/7"
    # The document is fetched once and kept.
    assert [seen.path for seen in server.seen] == [
        path,
        "/v2/pet/findByStatus?status=sold&status=pending",
        "/v2/pet/findByStatus?status=available",
        "/v2/pet/7",
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"swagger": "2.0", "basePath": "/v2/"}, "/v2/it"),
        ({"swagger": "2.0"}, "/it"),
        ({"openapi": "3.0.3"}, "/it"),
        ({"openapi": "3.0.3", "servers": []}, "/it"),
        (
            {"openapi": "3.0.3", "servers": [{"url": "/v3/"}, {"url": "http://other.test"}]},
            "/v3/it",
        ),
        (
            {
                "openapi": "3.0.3",
                "servers": [{"url": "/{stage}", "variables": {"stage": {"default": "beta"}}}],
            },
            "/beta/it",
        ),
    ],
)
def test_the_server_is_the_first_one_relative_to_the_document(
    server: Server, call: Any, document: dict[str, Any], expected: str
):
    server.answers(expected, {"found": True})
    paths = {"paths": {"/it": {"get": {"operationId": "op"}}}}

    assert call({**document, **paths}) == {"found": True}


def test_a_server_of_the_operation_goes_before_that_of_the_document(server: Server, call: Any):
    server.answers("/own/it", {"found": True})
    operation = {"path": "/it", "servers": [{"url": server.url("/own")}]}
    document = {**openapi(op=operation), "servers": [{"url": "/root"}]}

    assert call(document) == {"found": True}


def test_the_calls_redirect_and_output_hold_for_the_operation(server: Server, call: Any):
    server.answers("/it", b"moved", status=302, headers={"Location": "/new"})
    document = openapi(op={"path": "/it"})

    assert failure(call, document).status == 302
    assert call(document, redirect=True, output="raw") == "bW92ZWQ="


# --- parameters


@pytest.mark.parametrize(
    ("document", "parameters", "expected"),
    [
        (
            openapi(
                op={
                    "path": "/{a}/{b}",
                    "parameters": [
                        parameter("a", "path", required=True),
                        parameter("b", "path", required=True, style="label", explode=True),
                        parameter("q", "query", style="pipeDelimited", explode=False),
                    ],
                }
            ),
            {"a": "x/y", "b": [1, 2], "q": ["m", "n"]},
            "/x%2Fy/.1.2?q=m%7Cn",
        ),
        (
            swagger(
                op={
                    "path": "/it",
                    "parameters": [
                        parameter("c", "query", type="array"),
                        parameter("s", "query", type="array", collectionFormat="ssv"),
                        parameter("t", "query", type="array", collectionFormat="tsv"),
                        parameter("p", "query", type="array", collectionFormat="pipes"),
                    ],
                }
            ),
            {"c": [1, 2], "s": [1, 2], "t": [1, 2], "p": [1, 2]},
            "/it?c=1,2&s=1%202&t=1%092&p=1%7C2",
        ),
        (
            openapi(op={"path": "/it?fixed=1", "parameters": [parameter("q", "query")]}),
            {"q": None},
            "/it?fixed=1",
        ),
    ],
)
def test_parameters_are_written_into_path_and_query(
    server: Server, call: Any, document: dict[str, Any], parameters: dict[str, Any], expected: str
):
    server.answers(expected.partition("?")[0], {})

    call(document, parameters=parameters)

    assert server.seen[-1].path == expected


def test_parameters_are_written_into_headers_and_cookies(server: Server, call: Any):
    server.answers("/it", {})
    document = openapi(
        op={
            "path": "/it",
            "parameters": [
                parameter("X-Ids", "header"),
                parameter("session", "cookie"),
                parameter("lang", "cookie"),
            ],
        }
    )

    call(document, parameters={"X-Ids": [1, 2], "session": "s 1", "lang": "de"})

    assert server.seen[-1].headers["x-ids"] == "1,2"
    assert server.seen[-1].headers["cookie"] == "session=s%201; lang=de"


def test_a_parameter_of_the_operation_replaces_its_namesake_of_the_path(server: Server, call: Any):
    server.answers("/it", {})
    document = openapi(op={"path": "/it", "parameters": [parameter("q", "query", explode=False)]})
    document["paths"]["/it"]["parameters"] = [
        parameter("q", "query", required=True),
        parameter("shared", "query"),
    ]

    call(document, parameters={"q": [1, 2], "shared": 3})

    assert server.seen[-1].path == "/it?q=1,2&shared=3"


def test_references_are_followed_inside_the_document(server: Server, call: Any):
    server.answers("/it", {})
    document = {
        **openapi(
            op={
                "path": "/it",
                "parameters": [{"$ref": "#/components/parameters/a~1b"}],
                "requestBody": {"$ref": "#/components/requestBodies/Pet"},
                "verb": "post",
            }
        ),
        "components": {
            "parameters": {
                "a/b": {"$ref": "#/components/parameters/q"},
                "q": parameter("q", "query"),
            },
            "requestBodies": {
                "Pet": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}
                    }
                }
            },
            "schemas": {"Pet": OBJECT},
        },
    }

    call(document, parameters={"q": 1, "name": "Milou"})

    assert (server.seen[-1].path, server.seen[-1].body) == ("/it?q=1", b'{"name":"Milou"}')


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("#/components/parameters/loop", "lead in a circle"),
        ("#/components/parameters/none", "leads nowhere"),
        ("other.yaml#/parameters/q", "refers to another document"),
    ],
)
def test_a_reference_that_cannot_be_followed_is_a_configuration_error(
    call: Any, reference: str, reason: str
):
    document = openapi(op={"path": "/it", "parameters": [{"$ref": reference}]})
    loop = {"$ref": "#/components/parameters/loop"}
    document["components"] = {"parameters": {"loop": loop}}

    error = failure(call, document)

    assert (error.type, error.status) == ("configuration", 400)
    assert reason in error.detail


def test_a_path_that_cannot_be_read_does_not_hide_the_others(server: Server, call: Any):
    server.answers("/it", {"found": True})
    document = openapi(op={"path": "/it"})
    document["paths"] = {"/a": {"$ref": "other.yaml"}, "/b": {"get": 1}, **document["paths"]}

    assert call(document) == {"found": True}


def test_an_api_key_of_a_security_scheme_is_given_as_a_parameter(server: Server, call: Any):
    server.answers("/it", {})
    old = swagger(op={"path": "/it"})
    old["securityDefinitions"] = {"k": parameter("X-Key", "header", type="apiKey")}
    new = openapi(op={"path": "/it"})
    new["components"] = {"securitySchemes": {"k": parameter("key", "query", type="apiKey")}}

    call(old, parameters={"X-Key": "k1"})
    assert server.seen[-1].headers["x-key"] == "k1"

    call(new, parameters={"key": "k2"})
    assert server.seen[-1].path == "/it?key=k2"


@pytest.mark.parametrize("value", [".", "..", "%2e%2E"])
def test_a_path_parameter_cannot_climb_out_of_its_path(server: Server, call: Any, value: str):
    document = openapi(
        op={
            "path": "/safe/{id}/it",
            "parameters": [parameter("id", "path", required=True, allowReserved=True)],
        }
    )

    if value.startswith("."):
        assert failure(call, document, parameters={"id": value}).type == "validation"
    else:
        failure(call, document, parameters={"id": value})
        assert server.seen[-1].path == "/safe/%252e%252E/it"


# --- bodies


def body_of(schema: dict[str, Any], media: str = "application/json", **others: Any):
    content = {media: {"schema": schema}}
    return openapi(
        op={"path": "/it", "verb": "post", "requestBody": {"content": content, **others}}
    )


def swagger_body(**others: Any) -> dict[str, Any]:
    parameters = [parameter("pet", "body", schema=OBJECT, **others)]
    return swagger(op={"path": "/it", "verb": "post", "parameters": parameters})


@pytest.mark.parametrize(
    ("document", "parameters", "content_type", "body"),
    [
        (body_of(OBJECT), {"body": {"name": "a"}}, "application/json", b'{"name":"a"}'),
        (body_of(OBJECT), {"name": "a", "age": 2}, "application/json", b'{"name":"a","age":2}'),
        (body_of({"type": "array"}), {"body": [1]}, "application/json", b"[1]"),
        (body_of({"type": "string"}), {"body": "text"}, "application/json", b'"text"'),
        (body_of({"type": "string"}, "text/plain"), {"body": "text"}, "text/plain", b"text"),
        (
            body_of({"type": "object", "properties": {"body": {}}}),
            {"body": "is a property"},
            "application/json",
            b'{"body":"is a property"}',
        ),
        (
            body_of(OBJECT, "application/x-www-form-urlencoded"),
            {"name": "a b"},
            "application/x-www-form-urlencoded",
            b"name=a+b",
        ),
        (swagger_body(), {"pet": {"name": "a"}}, "application/json", b'{"name":"a"}'),
        (swagger_body(), {"body": {"name": "a"}}, "application/json", b'{"name":"a"}'),
        (swagger_body(), {"name": "a"}, "application/json", b'{"name":"a"}'),
        ({**swagger_body(), "consumes": ["text/xml"]}, {"pet": "<a/>"}, "text/xml", b"<a/>"),
        (
            swagger(op={"path": "/it", "verb": "post", "parameters": [parameter("f", "formData")]}),
            {"f": "a b"},
            "application/x-www-form-urlencoded",
            b"f=a+b",
        ),
        (body_of(OBJECT), {}, None, b""),
    ],
)
def test_the_body_is_named_or_gathered_from_what_is_left(
    server: Server,
    call: Any,
    document: dict[str, Any],
    parameters: dict[str, Any],
    content_type: str | None,
    body: bytes,
):
    server.answers("/it", {})

    call(document, parameters=parameters)

    assert server.seen[-1].headers.get("content-type") == content_type
    assert server.seen[-1].body == body


def test_json_is_preferred_among_the_types_of_a_body(server: Server, call: Any):
    server.answers("/it", {})
    document = body_of(OBJECT, "application/xml")
    document["paths"]["/it"]["post"]["requestBody"]["content"]["application/ld+json"] = {}

    call(document, parameters={"body": {"a": 1}})

    assert server.seen[-1].headers["content-type"] == "application/ld+json"


def test_form_data_is_multipart_where_the_operation_takes_nothing_else(server: Server, call: Any):
    server.answers("/it", {})
    fields = [parameter("file", "formData", type="file")]
    document = swagger(
        op={
            "path": "/it",
            "verb": "post",
            "consumes": ["multipart/form-data"],
            "parameters": fields,
        }
    )

    call(document, parameters={"file": "content"})

    assert server.seen[-1].headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="file"\r\n\r\ncontent\r\n' in server.seen[-1].body


# --- mistakes


@pytest.mark.parametrize(
    ("document", "parameters", "named"),
    [
        (openapi(op={"path": "/{id}", "parameters": [parameter("id", "path")]}), {}, "'id'"),
        (
            openapi(op={"path": "/", "parameters": [parameter("q", "query", required=True)]}),
            {"q": None},
            "'q'",
        ),
        (body_of({"type": "array"}, required=True), {}, "'body'"),
        (swagger_body(required=True), {}, "'pet'"),
        (openapi(op={"path": "/"}), {"typo": 1}, "typo"),
        (body_of({"type": "array"}), {"body": [], "typo": 1}, "typo"),
        (
            openapi(op={"path": "/", "parameters": [parameter("q", "query")]}),
            {"q": [[1]]},
            "parameter q",
        ),
    ],
)
def test_a_missing_or_unknown_parameter_is_a_validation_error(
    server: Server, call: Any, document: dict[str, Any], parameters: dict[str, Any], named: str
):
    error = failure(call, document, parameters=parameters)

    assert (error.type, error.status) == ("validation", 400)
    assert named in error.detail
    assert len(server.seen) == 1


def test_an_unknown_operation_is_a_configuration_error(call: Any):
    error = failure(call, openapi(op={"path": "/"}), "other")

    assert (error.type, error.status, error.title) == ("configuration", 400, "Unknown Operation")


@pytest.mark.parametrize(
    ("changes", "parameters", "reason"),
    [
        ({"servers": [{"url": "http://[::1"}]}, {}, "the URL of its server cannot be read"),
        ({"servers": [{"url": "/{stage}"}]}, {}, "its server variable 'stage' has no default"),
        ({"paths": {"/{id}": {"get": {"operationId": "op"}}}}, {}, "names no parameter 'id'"),
        (
            openapi(op={"path": "/it", "parameters": [parameter("q", "nowhere")]}),
            {"q": 1},
            "a parameter stands in 'nowhere'",
        ),
    ],
)
def test_a_part_of_the_document_that_makes_no_request_is_a_configuration_error(
    call: Any, changes: dict[str, Any], parameters: dict[str, Any], reason: str
):
    error = failure(call, {**openapi(op={"path": "/it"}), **changes}, parameters=parameters)

    assert (error.type, error.status) == ("configuration", 400)
    assert reason in error.detail
