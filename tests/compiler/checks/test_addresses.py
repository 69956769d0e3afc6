from __future__ import annotations

import pytest

from support.findings import in_process, in_task

GET = "call: http, with: {{method: get, endpoint: {}}}"


@pytest.mark.parametrize(
    "address",
    [
        "http://api.example.com/x",
        "HTTP://api.example.com",
        "http://user@api.example.com:8080/x",
        "http://8.8.8.8/x",
        "http://[2606:4700::1111]/x",
    ],
)
def test_an_address_in_the_clear_is_reported(address: str) -> None:
    assert in_task(GET.format(f"'{address}'"), "DG0910") == [("DG0910", address)]


@pytest.mark.parametrize(
    "address",
    [
        "https://api.example.com/x",
        "http://localhost:8080/x",
        "http://127.0.0.1/x",
        "http://[::1]/x",
        "http://10.1.2.3/x",
        "http://petstore:8080/x",
        "http://petstore.shop.svc.cluster.local/x",
        "http://petstore.internal/x",
        "http://{host}/x",
        "https://api.example.com/?to=http://api.example.com",
    ],
)
def test_an_address_of_ones_own_network_or_with_encryption_is_not(address: str) -> None:
    assert in_task(GET.format(f"'{address}'"), "DG0910") == []


def test_the_document_of_a_service_is_fetched_from_an_address_too() -> None:
    document = "{endpoint: 'http://api.example.com/api.json'}"
    task = f"call: openapi, with: {{document: {document}, operationId: x}}"

    assert in_task(task, "DG0910") == [("DG0910", "http://api.example.com/api.json")]


def test_the_source_of_an_event_is_a_name_and_no_address() -> None:
    event = "emit: {event: {with: {type: a, source: 'http://api.example.com/x'}}}"

    assert in_task(event, "DG0910") == []


def test_the_address_of_a_connector_is_reported() -> None:
    body = """<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/>
      <serviceTask id='t'><extensionElements><zeebe:taskDefinition type='http-json'/>
      <zeebe:ioMapping><zeebe:input source='http://api.example.com/x' target='url'/>
      </zeebe:ioMapping></extensionElements></serviceTask>"""

    assert in_process(body, "DG0910") == [("DG0910", "http://api.example.com/x")]


@pytest.mark.parametrize(
    "expression",
    [
        ".url",
        "$input.url",
        "$context.links.self",
        '"https://\\(.host)/x"',
        '"https://api.example.com\\(.path)"',
        '"https://api.\\(.region).example.com/x"',
        '"https://" + .host',
        '.url // "https://api.example.com/"',
        'if .x then .url else "https://api.example.com/" end',
        '{uri: .url, authentication: {bearer: {token: "x"}}}',
        '.path | "\\(.)"',
    ],
)
def test_data_that_chooses_the_server_is_reported(expression: str) -> None:
    found = in_task(GET.format(f"'${{ {expression} }}'"), "DG0912")

    assert found == [("DG0912", expression)]


@pytest.mark.parametrize(
    "expression",
    [
        '"https://api.example.com/x"',
        '"https://api.example.com/\\(.path)"',
        '"https://api.example.com?q=\\(.q)"',
        '"https://api.example.com/" + .path + "?x=1"',
        'if .x then "https://a.example.com/" else "https://b.example.com/" end',
        '$secrets.base + "/" + .path',
        '"\\($secrets.base)/\\(.path)"',
        '{uri: "https://api.example.com/\\(.path)"}',
        '.id | "https://api.example.com/\\(.)"',
        '.id as $id | "https://api.example.com/\\($id)"',
    ],
)
def test_data_behind_a_whole_server_is_not(expression: str) -> None:
    assert in_task(GET.format(f"'${{ {expression} }}'"), "DG0912") == []


@pytest.mark.parametrize(
    ("template", "is_chosen"),
    [
        ("https://{host}/x", True),
        ("{url}", True),
        ("https://api.{domain}/x", True),
        ("https://api.example.com/{path}", False),
        ("https://{region}.api.example.com/x", False),
    ],
)
def test_a_template_that_is_filled_with_the_server_is_reported(
    template: str, is_chosen: bool
) -> None:
    found = in_task(GET.format(f"'{template}'"), "DG0912")

    assert found == ([("DG0912", template)] if is_chosen else [])
