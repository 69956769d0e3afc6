from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.graph import (
    Assign,
    Call,
    Constant,
    Duration,
    Expression,
    Graph,
    Pass,
    Record,
    ScopeNode,
    SecretValue,
    Task,
    UriTemplate,
    Value,
    Wait,
)
from support.workflows import compile_text, findings, graph_of, node, scope, ways


def arguments(graph: Graph, id: str = "/do/0/a") -> dict[str, Any]:
    """The arguments of a job as plain data; templates and expressions stand as they are."""
    found = node(graph, id, Task).action.arguments
    assert isinstance(found, Record)
    return {name: plain(member) for name, member in found.members}


def plain(value: Value) -> Any:
    match value:
        case Constant():
            return value.document
        case Record():
            return {name: plain(member) for name, member in value.members}
        case Expression():
            return "${" + value.text + "}"
        case _:
            return value


def http(endpoint: str, more: str = "", before: str = "") -> Graph:
    return graph_of(
        f"{before}\ndo: [{{a: {{call: http, with: {{method: get, endpoint: {endpoint}{more}}}}}}}]"
    )


def test_an_http_call_is_a_job_with_the_defaults_written_out():
    graph = http("'https://x/{id}'")

    assert node(graph, "/do/0/a", Task).action.type == "http"
    assert node(graph, "/do/0/a", Task).construct == "call-http"
    assert arguments(graph) == {
        "method": "get",
        "endpoint": {"uri": UriTemplate("https://x/{id}")},
        "output": "content",
        "redirect": False,
    }


def test_an_http_call_takes_headers_query_and_body():
    graph = http(
        "https://x",
        ", headers: {a: '${ .a }'}, query: {q: x}, body: null, output: response, redirect: true",
    )

    assert arguments(graph) == {
        "method": "get",
        "endpoint": {"uri": UriTemplate("https://x")},
        "headers": {"a": "${.a}"},
        "body": None,
        "query": {"q": "x"},
        "output": "response",
        "redirect": True,
    }


def test_headers_and_query_may_be_one_expression():
    graph = http("https://x", ", headers: '${ .h }', query: '${ .q }'")

    assert arguments(graph)["headers"] == "${.h}"
    assert arguments(graph)["query"] == "${.q}"


def test_a_whole_expression_is_the_endpoint_itself():
    assert arguments(http("'${ .place }'"))["endpoint"] == "${.place}"


def test_the_uri_of_an_endpoint_may_be_an_expression():
    assert arguments(http("{uri: '${ .place }'}"))["endpoint"] == {"uri": "${.place}"}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (
            "{basic: {username: u, password: '${ .p }'}}",
            {"basic": {"username": "u", "password": "${.p}"}},
        ),
        ("{basic: {use: key}}", {"basic": SecretValue("key")}),
        ("{bearer: {token: '${ .t }'}}", {"bearer": {"token": "${.t}"}}),
        ("{bearer: {use: key}}", {"bearer": SecretValue("key")}),
        ("{digest: {use: key}}", {"digest": SecretValue("key")}),
        ("{use: named}", {"bearer": {"token": "${.named}"}}),
    ],
)
def test_authentication_has_its_names_resolved(policy: str, expected: Any):
    use = "use: {secrets: [key], authentications: {named: {bearer: {token: '${ .named }'}}}}"
    graph = http(f"{{uri: https://x, authentication: {policy}}}", before=use)

    assert arguments(graph)["endpoint"]["authentication"] == expected


def test_an_openapi_call_is_a_job_with_its_document():
    graph = graph_of(
        "do: [{a: {call: openapi, with: {document: {name: pets, endpoint: https://x/api.json},\n"
        "  operationId: find, parameters: {status: '${ .s }'},\n"
        "  authentication: {bearer: {token: '${ .t }'}}}}}]"
    )

    assert node(graph, "/do/0/a", Task).action.type == "openapi"
    assert arguments(graph) == {
        "document": {"name": "pets", "endpoint": {"uri": UriTemplate("https://x/api.json")}},
        "operationId": "find",
        "parameters": {"status": "${.s}"},
        "authentication": {"bearer": {"token": "${.t}"}},
        "output": "content",
        "redirect": False,
    }


FUNCTION = "use: {functions: {f: {set: {y: '${ .x }'}, then: exit}}}\n"


def test_a_function_is_laid_out_where_it_is_called():
    graph = graph_of(FUNCTION + "do: [{a: {call: f, with: {x: '${ .z }'}, output: {as: .y}}}]")
    body = "/do/0/a~/use/functions/f#scope"

    assert node(graph, "/do/0/a", ScopeNode).body == body
    assert node(graph, "/do/0/a", ScopeNode).construct == "call-function"
    assert scope(graph, body).form == "function"
    assert [flow.target for flow in graph.flows if flow.source.endswith(("#start", "#with"))] == [
        "/do/0/a",
        "/do/0/a#with",
        "/do/0/a~/use/functions/f",
    ]
    assert plain(node(graph, "/do/0/a#with", Assign).value) == {"x": "${.z}"}
    task = node(graph, "/do/0/a~/use/functions/f", Assign)
    assert (task.pointer, task.name) == ("/use/functions/f", "f")


def test_a_function_without_arguments_gets_the_input_of_the_call():
    graph = graph_of(FUNCTION + "do: [{a: {call: f}}]")

    assert ways(graph, "/do/0/a~/use/functions/f#scope") == [
        "f#scope#start -> f",
        "f -> f#scope#end",
    ]


def test_a_function_that_is_called_twice_is_laid_out_twice():
    graph = graph_of(FUNCTION + "do: [{a: {call: f}}, {b: {call: f}}]")

    assert [node.id for node in graph.nodes if node.pointer == "/use/functions/f"] == [
        "/do/0/a~/use/functions/f#scope#start",
        "/do/0/a~/use/functions/f",
        "/do/0/a~/use/functions/f#scope#end",
        "/do/1/b~/use/functions/f#scope#start",
        "/do/1/b~/use/functions/f",
        "/do/1/b~/use/functions/f#scope#end",
    ]


def test_functions_call_functions():
    graph = graph_of(
        "use: {functions: {f: {do: [{g1: {call: g}}]}, g: {set: {x: 1}}}}\ndo: [{a: {call: f}}]"
    )
    inner = "/do/0/a~/use/functions/f/do/0/g1"

    assert node(graph, inner, ScopeNode).body == f"{inner}~/use/functions/g#scope"
    assert node(graph, f"{inner}~/use/functions/g", Assign).pointer == "/use/functions/g"


def test_a_circle_of_calls_is_refused():
    body = (
        "use:\n"
        "  functions:\n"
        "    f: {do: [{b: {call: g}}]}\n"
        "    g: {do: [{c: {call: f}}]}\n"
        "do: [{a: {call: f}}]\n"
    )
    (found,) = compile_text(body)[1]

    assert findings(body) == ["DG0403@4:25"]
    assert found.message == "the function calls itself: f -> g -> f"


def test_what_functions_could_explode_into_is_cut():
    levels = "".join(
        f"    f{n}: {{do: [{{a: {{call: f{n + 1}}}}}, {{b: {{call: f{n + 1}}}}}]}}\n"
        for n in range(30)
    )
    body = f"use:\n  functions:\n{levels}    f30: {{set: {{x: 1}}}}\ndo: [{{a: {{call: f0}}}}]\n"
    graph, found = compile_text(body)

    assert graph is None
    assert [finding.code for finding in found] == ["DG0315"]


def test_a_chain_of_functions_has_an_end():
    levels = "".join(f"    f{n}: {{call: f{n + 1}}}\n" for n in range(400))
    body = f"use:\n  functions:\n{levels}    f400: {{set: {{x: 1}}}}\ndo: [{{a: {{call: f0}}}}]\n"
    graph, found = compile_text(body)

    assert graph is None
    assert [finding.code for finding in found] == ["DG0315"]


def test_a_script_is_a_job_with_its_surroundings():
    graph = graph_of(
        "do: [{a: {run: {script: {language: javascript, code: 'x = `${y}`', stdin: '${ .i }',\n"
        "  arguments: [a, '${ .b }'], environment: {c: d}}, return: all}}}]"
    )

    assert node(graph, "/do/0/a", Task).action.type == "script"
    assert node(graph, "/do/0/a", Task).waits
    assert arguments(graph)["arguments"] is not None
    assert {name: member for name, member in arguments(graph).items() if name != "arguments"} == {
        "language": "js",
        "code": "x = `${y}`",
        "stdin": "${.i}",
        "environment": {"c": "d"},
        "return": "all",
    }


def test_a_script_may_be_fetched():
    graph = graph_of(
        "do: [{a: {run: {script: {language: python, source: {endpoint: https://x/s.py}}}}}]"
    )

    assert arguments(graph)["source"] == {"endpoint": {"uri": UriTemplate("https://x/s.py")}}


def test_a_command_that_is_not_awaited_does_not_hold_the_token():
    graph = graph_of("do: [{a: {run: {shell: {command: 'echo ${HOME}'}, await: false}}}]")

    assert not node(graph, "/do/0/a", Task).waits
    assert arguments(graph) == {"command": "echo ${HOME}", "return": "stdout"}


def test_another_workflow_is_a_call():
    graph = graph_of(
        "do: [{a: {run: {workflow: {namespace: n, name: m, version: 1.0.0,\n"
        "  input: {x: '${ .y }'}}, await: false}}}]"
    )
    call = node(graph, "/do/0/a", Call)

    assert (call.namespace, call.process, call.version, call.waits) == ("n", "m", "1.0.0", False)
    assert call.input is not None
    assert plain(call.input) == {"x": "${.y}"}


def test_a_workflow_that_returns_none_gives_null():
    graph = graph_of(
        "do: [{a: {run: {workflow: {namespace: n, name: m, version: latest}, return: none},\n"
        "  export: {as: .}}}]"
    )
    body = "/do/0/a/run/workflow"

    assert node(graph, "/do/0/a", ScopeNode).data is not None
    assert ways(graph, body) == [
        "workflow#start -> workflow#call",
        "workflow#call -> workflow#none",
        "workflow#none -> workflow#end",
    ]
    assert node(graph, f"{body}#call", Call).data is None
    assert node(graph, f"{body}#none", Assign).value == Constant(None)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("PT1M30S", Duration(milliseconds=90_000)),
        ("{minutes: 1, milliseconds: 5}", Duration(milliseconds=60_005)),
        ("P1Y1M", Duration(months=13)),
    ],
)
def test_a_wait_has_its_duration(written: str, expected: Duration):
    timer = node(graph_of(f"do: [{{a: {{wait: {written}}}}}]"), "/do/0/a", Wait).timer

    assert timer is not None
    assert (timer.form, timer.value) == ("duration", expected)


def test_a_wait_may_be_computed():
    timer = node(graph_of("do: [{a: {wait: '${ .pause }'}}]"), "/do/0/a", Wait).timer

    assert timer is not None
    assert plain(timer.value) == "${.pause}"


@pytest.mark.parametrize(
    ("task", "place", "words"),
    [
        (
            "call: grpc, with: {proto: {endpoint: file://x}, service: {name: s, host: h}, "
            "method: m}",
            "/do/0/a/call",
            "`call: grpc`",
        ),
        ("call: a2a, with: {method: tasks/get, server: https://x}", "/do/0/a/call", "`call: a2a`"),
        (
            "call: mcp, with: {method: tools/list, transport: {stdio: {command: x}}}",
            "/do/0/a/call",
            "`call: mcp`",
        ),
        (
            "call: asyncapi, with: {document: {endpoint: https://x}, operation: o, message: {}}",
            "/do/0/a/call",
            "`call: asyncapi`",
        ),
        ("run: {container: {image: x}}", "/do/0/a/run/container", "`run.container`"),
        ("call: 'log:1.0.0@default'", "/do/0/a/call", "the cataloged function `log:1.0.0@default`"),
        ("call: https://x/f.yaml", "/do/0/a/call", "the cataloged function `https://x/f.yaml`"),
        (
            "call: http, with: {method: get, endpoint: {uri: https://x, authentication: "
            "{oidc: {use: key}}}}",
            "/do/0/a/with/endpoint/authentication/oidc",
            "`oidc` authentication",
        ),
    ],
)
def test_what_is_not_supported_is_refused_by_its_name(task: str, place: str, words: str):
    graph, found = compile_text(f"use: {{secrets: [key]}}\ndo: [{{a: {{{task}}}}}]")
    refused = [finding for finding in found if finding.code == "DG1001"]

    assert [finding.pointer for finding in refused] == [place]
    assert refused[0].message.startswith(f"{words} is not supported: ")
    assert graph is not None
    assert isinstance(node(graph, "/do/0/a", type(graph.nodes[1])), Pass | Task)
