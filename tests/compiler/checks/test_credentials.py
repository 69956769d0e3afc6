from __future__ import annotations

import pytest

from support.findings import in_file, in_process, in_task, in_workflow

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
TASK = """<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/>
  <serviceTask id='t'><extensionElements><zeebe:taskDefinition type='x'/>{}</extensionElements>
  </serviceTask>"""


@pytest.mark.parametrize(
    "key",
    [
        KEY,
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012-abcdefghijkl",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmno",
        "-----BEGIN RSA PRIVATE KEY-----",
        f"github_pat_{'a1' * 20}",
        "glpat-abcdefghij0123456789",
        "ASIAIOSFODNN7EXAMPLE",
        f"AIza{'a1b2c' * 7}",
        f"sk-{'a1' * 20}",
        f"rk_live_{'a1' * 12}",
        f"npm_{'a1' * 18}",
        f"SG.{'a1' * 12}.{'b2' * 16}",
    ],
)
def test_a_key_of_a_known_service_is_found_by_its_form(key: str) -> None:
    assert in_task(f"set: {{x: '{key}'}}", "DG0904") == [("DG0904", key)]


@pytest.mark.parametrize(
    "task",
    [
        f"set: {{x: '${{ \"Bearer {KEY}\" }}'}}",
        f"run: {{script: {{language: js, code: 'const key = \"{KEY}\"'}}}}",
        f"set: {{x: 1}}, metadata: {{note: {KEY}}}",
    ],
)
def test_a_key_is_found_wherever_it_stands(task: str) -> None:
    assert in_task(task, "DG0904") == [("DG0904", KEY)]


def test_a_key_in_a_comment_is_stored_with_the_document() -> None:
    assert in_workflow(f"# {KEY}\ndo: [{{a: {{set: {{x: 1}}}}}}]\n", "DG0904") == [("DG0904", KEY)]
    assert in_file(f"<process id='p'><startEvent id='s'/></process><!-- {KEY} -->", "DG0904") == [
        ("DG0904", KEY)
    ]


@pytest.mark.parametrize(
    "text",
    [f"x{KEY}", "ghp_short", "AKIAIOSFODNN7EXAMPLES", "d41d8cd98f00b204e9800998ecf8427e"],
)
def test_a_text_that_is_no_key_is_not_taken_for_one(text: str) -> None:
    assert in_task(f"set: {{x: '{text}'}}", "DG0904") == []


@pytest.mark.parametrize(
    "member",
    [
        "password: hunter2!",
        "dbPassword: hunter2!",
        "client_secret: 8Q~xyz.abc",
        "api-key: a1b2c3d4",
        "authorization: Basic dXNlcjpwYXNz",
    ],
)
def test_a_password_is_found_by_the_name_it_stands_under(member: str) -> None:
    text = member.partition(": ")[2]

    assert in_task(f"set: {{{member}}}", "DG0904") == [("DG0904", text)]


@pytest.mark.parametrize(
    "member",
    [
        "password: required",
        "password: changeme1",
        "password: '{{secrets.DB_PASSWORD}}'",
        "password: '<your password 1>'",
        "password: '********'",
        "password: secrets.DB1",
        "token: my-token-1",
        "token: ''",
        "nextPageToken: abc123def",
        "passwordPolicy: min8chars",
        "tokens: abc123def",
        "secret: '${ .password1 }'",
        "password: the word of the day 1",
    ],
)
def test_a_stand_in_or_another_name_is_not(member: str) -> None:
    assert in_task(f"set: {{{member}}}", "DG0904") == []


def test_a_password_in_an_address_is_found() -> None:
    address = "https://kim:s3cr3t@api.example.com/x"
    task = f"call: http, with: {{method: get, endpoint: '{address}'}}"

    assert in_task(task, "DG0904") == [("DG0904", address)]
    assert in_task(task.replace("s3cr3t", "{password}"), "DG0904") == []


def test_what_the_reader_has_told_is_not_told_again() -> None:
    policy = "{basic: {username: u, password: hunter2!}}"
    task = (
        f"call: http, with: {{method: get, endpoint: {{uri: https://x, authentication: {policy}}}}}"
    )

    assert in_task(task, "DG0904") == [("DG0904", "hunter2!")]


@pytest.mark.parametrize(
    "extension",
    [
        "<zeebe:ioMapping><zeebe:input source='hunter2!' target='password'/></zeebe:ioMapping>",
        "<zeebe:ioMapping><zeebe:input source='hunter2!' target='a.password'/></zeebe:ioMapping>",
        '<zeebe:ioMapping><zeebe:input source=\'="hunter2!"\' target="password"/>'
        "</zeebe:ioMapping>",
        "<zeebe:taskHeaders><zeebe:header key='password' value='hunter2!'/></zeebe:taskHeaders>",
    ],
)
def test_a_password_of_a_vendors_extension_is_found(extension: str) -> None:
    assert in_process(TASK.format(extension), "DG0904") == [("DG0904", "hunter2!")]


@pytest.mark.parametrize(
    "value", ["{{secrets.DB_PASSWORD}}", "=secretOfOrder1", "secrets.DB1", "bearer"]
)
def test_what_a_vendor_fills_in_later_is_not(value: str) -> None:
    extension = (
        f"<zeebe:ioMapping><zeebe:input source='{value}' target='password'/></zeebe:ioMapping>"
    )

    assert in_process(TASK.format(extension), "DG0904") == []


def test_a_form_of_camunda_is_looked_at_as_well() -> None:
    body = """<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/>
      <serviceTask id='t' camunda:type='external' camunda:topic='mail'><extensionElements>
      <camunda:inputOutput><camunda:inputParameter name='smtpPassword'>hunter2!
      </camunda:inputParameter></camunda:inputOutput></extensionElements></serviceTask>"""

    assert [code for code, _ in in_process(body, "DG0904")] == ["DG0904"]


def test_a_document_full_of_keys_is_told_of_a_few() -> None:
    keys = " ".join(f"ghp_{number:036}" for number in range(5_000))

    assert len(in_workflow(f"# {keys}\ndo: [{{a: {{set: {{x: 1}}}}}}]\n", "DG0904")) == 50
