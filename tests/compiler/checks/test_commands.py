from __future__ import annotations

import pytest

from support.findings import in_process, in_task

SHELL = "run: {{shell: {{command: '${{ {} }}'}}}}"
SCRIPT = "run: {{script: {{language: js, code: '${{ {} }}'}}}}"


@pytest.mark.parametrize(
    "expression",
    [
        ".command",
        '"ls " + .folder',
        '"ls \\(.folder)"',
        '"ls " + (.folder | @json)',
        'if .x then "ls" else .command end',
        '.folder | "ls \\(.)"',
        '"ls \\($context.folder)"',
    ],
)
def test_data_that_becomes_part_of_a_command_is_reported(expression: str) -> None:
    assert in_task(SHELL.format(expression), "DG0913") == [("DG0913", expression)]


@pytest.mark.parametrize(
    "expression",
    [
        '"ls"',
        '@sh "ls \\(.folder)"',
        '"ls " + (.folder | @sh)',
        '"sleep \\(.pause | tonumber)"',
        '"login \\($secrets.user)"',
        'if .x then "ls" else "pwd" end',
    ],
)
def test_a_command_that_data_cannot_change_is_not(expression: str) -> None:
    assert in_task(SHELL.format(expression), "DG0913") == []


def test_arguments_and_environment_are_where_data_belongs() -> None:
    task = "run: {shell: {command: ls, arguments: ['${ .a }'], environment: {X: '${ .x }'}}}"

    assert in_task(task, "DG0913") == []


def test_data_that_becomes_part_of_a_script_is_reported() -> None:
    expression = '"return " + .formula'

    assert in_task(SCRIPT.format(expression), "DG0913") == [("DG0913", expression)]
    assert in_task(SCRIPT.format('"return " + (.value | tojson)'), "DG0913") == []


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("curl -k https://a.example.com", "curl -k"),
        ("curl -sSk -o x https://a.example.com", "curl -sSk"),
        ("curl https://a.example.com --insecure", "curl https://a.example.com --insecure"),
        ("wget --no-check-certificate https://a.example.com", "--no-check-certificate"),
        ("git -c http.sslVerify=false pull", "http.sslVerify=false"),
    ],
)
def test_a_command_that_takes_any_certificate_is_reported(command: str, written: str) -> None:
    task = f"run: {{shell: {{command: '{command}'}}}}"

    assert in_task(task, "DG0911") == [("DG0911", written)]


@pytest.mark.parametrize(
    "command",
    ["curl https://a.example.com/-k", "kill -k 1; curl -o k https://a.example.com", "# curl -k x"],
)
def test_what_only_looks_like_it_is_not(command: str) -> None:
    assert in_task(f"run: {{shell: {{command: '{command}'}}}}", "DG0911") == []


def test_an_environment_can_say_so_too() -> None:
    task = "run: {shell: {command: node x.js, environment: {NODE_TLS_REJECT_UNAUTHORIZED: '0'}}}"

    assert in_task(task, "DG0911") == [("DG0911", "NODE_TLS_REJECT_UNAUTHORIZED")]


def test_a_script_of_a_process_is_looked_at() -> None:
    body = """<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/>
      <scriptTask id='t' scriptFormat='python'><script>
      get(url, verify=False)</script></scriptTask>"""

    assert in_process(body, "DG0911") == [("DG0911", "verify=False")]
