from __future__ import annotations

import pytest

from support.workflows import compile_text, finding, findings

TASK = "{set: {x: 1}}"
RUNTIME = "https://open-workflow-specification.org/spec/1.0.0/errors/runtime"
DO = f"do: [{{a: {TASK}}}]"


def test_a_sound_workflow_has_no_findings():
    assert findings(DO) == []


def test_two_tasks_of_a_list_have_one_name():
    body = f"do:\n- a: {TASK}\n- b: {TASK}\n- a: {TASK}\n"

    assert findings(body) == ["DG0301@4:3"]
    assert "first in line 3" in finding(body, "DG0301").message


def test_two_branches_have_one_name():
    assert findings(f"do: [{{f: {{fork: {{branches: [{{a: {TASK}}}, {{a: {TASK}}}]}}}}}}]") == [
        "DG0301@1:50"
    ]


def test_two_lists_may_use_one_name():
    assert findings(f"do: [{{a: {{do: [{{a: {TASK}}}]}}}}]") == []


@pytest.mark.parametrize("name", ["continue", "exit", "end"])
def test_a_task_has_the_name_of_a_directive(name: str):
    assert findings(f"do:\n- {name}: {TASK}\n") == ["DG0306@2:3"]


def test_a_task_name_is_escaped_in_pointers():
    assert findings(f"do:\n- a/b: {TASK}\n") == ["DG0307@2:3"]
    assert finding(f"do:\n- a/b: {TASK}\n", "DG0307").message.count("a~1b") == 1


def test_then_names_a_task_that_is_not_there():
    body = "do: [{first: {set: {x: 1}, then: secnd}}, {second: {set: {x: 1}}}]"

    assert findings(body) == ["DG0302@1:34"]
    assert finding(body, "DG0302").hint == "Did you mean `second`?"


def test_then_names_nothing_like_a_task():
    assert findings("do: [{a: {set: {x: 1}, then: nowhere}}]") == ["DG0302@1:30"]


@pytest.mark.parametrize(
    "body",
    [
        "do:\n- a: {do: [{b: {wait: PT1S, then: other}}]}\n- other: {wait: PT1S}\n",
        "do:\n- b: {wait: PT1S, then: other}\n- a: {do: [{other: {wait: PT1S}}]}\n",
    ],
)
def test_then_names_a_task_of_another_list(body: str):
    assert [place.partition("@")[0] for place in findings(body)] == ["DG0303"]
    assert "(line 4)" in finding(body, "DG0303").message


def test_a_branch_hands_over_to_nobody():
    body = f"do: [{{f: {{fork: {{branches: [{{a: {{wait: PT1S, then: b}}}}, {{b: {TASK}}}]}}}}}}]"

    assert findings(body) == ["DG0304@1:52"]


def test_a_switch_has_two_defaults():
    body = "do: [{a: {switch: [{x: {then: exit}}, {y: {then: end}}]}}]"

    assert findings(body) == ["DG0305@1:40"]
    assert finding(body, "DG0305").parameters == {"first": "x", "second": "y"}


SWITCH = "do:\n- s: {switch: [{one: {when: .x, then: a}}, {else: {then: b}}]}\n"


def test_the_target_of_a_case_runs_on_into_the_next():
    assert findings(f"{SWITCH}- a: {TASK}\n- b: {TASK}\n") == ["DG0310@3:3"]
    assert findings(f"{SWITCH}- a: {{wait: PT1S, then: continue}}\n- b: {TASK}\n") == ["DG0310@3:3"]


@pytest.mark.parametrize(
    "tasks",
    [
        f"- a: {{wait: PT1S, then: exit}}\n- b: {TASK}\n",
        f"- a: {{wait: PT1S, then: b}}\n- b: {TASK}\n",
        f"- a: {TASK}\n- between: {TASK}\n- b: {TASK}\n",
        f"- a: {{raise: {{error: {{type: {RUNTIME}, status: 500}}}}}}\n- b: {TASK}\n",
    ],
)
def test_cases_that_do_not_run_on_are_not_told(tasks: str):
    assert findings(SWITCH + tasks) == []


@pytest.mark.parametrize(
    "branch",
    ["{set: {x: 1}, export: {as: .}}", "{do: [{c: {set: {x: 1}, export: {as: .}}}]}"],
)
def test_a_branch_exports_what_is_lost(branch: str):
    body = f"do: [{{f: {{fork: {{branches: [{{a: {branch}}}]}}, export: {{as: .}}}}}}]"

    assert [place.partition("@")[0] for place in findings(body)] == ["DG0311"]


def test_end_and_exit_inside_a_loop_are_explained():
    tasks = "[{a: {if: .y, wait: PT1S, then: exit}}, {b: {wait: PT1S, then: end}}]"
    body = f"do: [{{l: {{for: {{in: .x}}, do: {tasks}}}}}]"

    assert [place.partition("@")[0] for place in findings(body)] == ["DG0314", "DG0313"]


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        ("authentications: {n: {bearer: {token: '${ .t }'}}}", "authentication"),
        ("errors: {n: {type: https://x, status: 400}}", "error"),
        ("functions: {n: {wait: PT1S}}", "function"),
        ("retries: {n: {delay: PT1S}}", "retry policy"),
        ("secrets: [n]", "secret"),
        ("timeouts: {n: {after: PT1S}}", "timeout"),
        ("catalogs: {n: {endpoint: https://x}}", "catalog"),
    ],
)
def test_a_declaration_is_never_used(use: str, kind: str):
    found = finding(f"use: {{{use}}}\n{DO}", "DG0402")

    assert found.message == f"the {kind} `n` is never used"


@pytest.mark.parametrize(
    ("section", "task", "kind"),
    [
        ("errors: {oops: {type: https://x, status: 400}}", "raise: {error: oop}", "error"),
        ("functions: {oops: {wait: PT1S}}", "call: oop", "function"),
        ("timeouts: {oops: {after: PT1S}}", "wait: PT1S, timeout: oop", "timeout"),
        (
            "retries: {oops: {delay: PT1S}}",
            "try: [{b: {wait: PT1S}}], catch: {errors: {with: {status: 5}}, retry: oop}",
            "retry policy",
        ),
        (
            "authentications: {oops: {bearer: {token: '${ .t }'}}}",
            "call: http, with: {method: get, "
            "endpoint: {uri: https://x, authentication: {use: oop}}}",
            "authentication",
        ),
    ],
)
def test_a_name_is_declared_nowhere(section: str, task: str, kind: str):
    found = finding(f"use: {{{section}}}\ndo: [{{a: {{{task}}}}}]", "DG0401")

    assert found.message == f"no {kind} is called `oop`"
    assert found.hint == "Did you mean `oops`?"


def test_a_secret_is_not_listed():
    endpoint = "{uri: https://x, authentication: {bearer: {use: kee}}}"
    task = f"{{call: http, with: {{method: get, endpoint: {endpoint}}}}}"
    body = f"use: {{secrets: [key]}}\ndo: [{{a: {task}}}]"
    found = finding(body, "DG0901")

    assert found.message == "the secret `kee` is not listed in `use.secrets`"
    assert found.hint == "Did you mean `key`?"


@pytest.mark.parametrize(
    "written", ["$secrets.key", '$secrets["key"]', '$secrets."key"', ".x + ($secrets.key | .a)"]
)
def test_an_expression_reads_a_secret(written: str):
    body = f"do:\n- a:\n    input:\n      from: '{written}'\n    set: {{x: 1}}\n"

    assert findings(body) == [f"DG0901@4:{14 + written.index('$')}"]
    assert findings(f"use: {{secrets: [key]}}\n{body}") == []


def test_text_about_secrets_reads_none():
    assert findings("do: [{a: {set: {x: '${ \"$secrets.key\" }'}}}]") == []


def test_all_secrets_count_as_used_where_the_name_is_computed():
    body = "use: {secrets: [key]}\ndo: [{a: {input: {from: '$secrets[.n]'}, set: {x: 1}}}]"

    assert findings(body) == []


def test_a_secret_is_read_outside_input():
    task = "{call: http, with: {method: get, endpoint: '${ $secrets.key }'}}"
    body = f"use: {{secrets: [key]}}\ndo: [{{a: {task}}}]"

    assert findings(body) == ["DG0902@2:57"]
    assert findings("use: {secrets: [key]}\ninput: {from: $secrets.key}\n" + DO) == []


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        ("{basic: {username: u, password: pw}}", ["DG0904"]),
        ("{digest: {username: u, password: pw}}", ["DG0904"]),
        ("{bearer: {token: abc}}", ["DG0904"]),
        ("{bearer: {token: '${ .t }'}}", []),
        ("{basic: {username: u, password: '******'}}", []),
    ],
)
def test_a_credential_stands_in_the_document(policy: str, found: list[str]):
    endpoint = f"{{uri: https://x, authentication: {policy}}}"
    body = f"do: [{{a: {{call: http, with: {{method: get, endpoint: {endpoint}}}}}}}]"

    assert [place.partition("@")[0] for place in findings(body)] == found


@pytest.mark.parametrize(
    "task",
    [
        "call: http, with: {method: get, endpoint: https://x, headers: {Authorization: Bearer x}}",
        "run: {shell: {command: ls, environment: {API_TOKEN: abc}}}",
    ],
)
def test_text_looks_like_a_credential(task: str):
    assert [place.partition("@")[0] for place in findings(f"do: [{{a: {{{task}}}}}]")] == ["DG0904"]


@pytest.mark.parametrize(
    ("task", "place"),
    [
        ("set: {x: 'Hello ${ .name }!'}", "DG0505@1:27"),
        ("run: {shell: {command: 'echo ${ .name }'}}", "DG0505@1:40"),
        ("run: {shell: {command: 'echo ${.name}'}}", "DG0505@1:40"),
        ("call: http, with: {method: get, endpoint: 'https://x/${ .id }'}", "DG0505@1:64"),
    ],
)
def test_an_expression_stands_inside_longer_text(task: str, place: str):
    assert findings(f"do: [{{a: {{{task}}}}}]") == [place]


@pytest.mark.parametrize(
    "task",
    [
        "run: {shell: {command: 'echo ${HOME} ${1:-x} $$'}}",
        "run: {script: {language: js, code: 'return `${ x }`'}}",
        "metadata: {note: 'Hello ${ .name }'}, wait: PT1S",
    ],
)
def test_the_signs_of_other_languages_are_no_expressions(task: str):
    assert findings(f"do: [{{a: {{{task}}}}}]") == []


@pytest.mark.parametrize("text", [".user", ".user.names[0]", "$context.x", '.a["b"]'])
def test_text_looks_like_an_expression(text: str):
    assert findings(f"do: [{{a: {{set: {{x: '{text}'}}}}}}]") == ["DG0506@1:20"]


@pytest.mark.parametrize("text", ["...", ".5", "$5", "$PATH", ". a", "a.b", ".a and b"])
def test_text_that_is_only_text_is_not_told(text: str):
    assert findings(f"do: [{{a: {{set: {{x: '{text}'}}}}}}]") == []


@pytest.mark.parametrize(
    ("cron", "problem"),
    [
        ("* * * *", "it has 4 fields"),
        ("61 * * * *", "out of range"),
        ("0 0 30 2 *", "no date ever matches it"),
        ("R * * * *", "drawn by chance"),
        ("@daily", "it has 1 fields"),
    ],
)
def test_a_cron_expression_is_none(cron: str, problem: str):
    found = finding(f"schedule: {{cron: '{cron}'}}\n{DO}", "DG0603")

    assert problem in found.message
    assert found.pointer == "/schedule/cron"


@pytest.mark.parametrize("cron", ["0 6 * * mon-fri", "*/5 * * * *", "0 0 l * *", "0 0 6 1 jan *"])
def test_a_cron_expression_has_five_or_six_fields(cron: str):
    assert findings(f"schedule: {{cron: '{cron}'}}\n{DO}") == []


@pytest.mark.parametrize("every", ["PT0S", "{seconds: -1}"])
def test_an_interval_is_longer_than_zero(every: str):
    assert findings(f"schedule: {{every: {every}}}\n{DO}") == ["DG0604@1:19"]


def test_durations_that_are_rarely_meant():
    assert findings("do: [{a: {wait: {seconds: -1}}}]") == ["DG0605@1:17"]
    assert findings("do: [{a: {wait: {seconds: 0}}}]") == []
    assert findings("do: [{a: {wait: P1M}}]") == ["DG0606@1:17"]


def policy(written: str) -> list[str]:
    body = f"do: [{{a: {{try: [{{b: {{wait: PT1S}}}}], catch: {{when: .x, retry: {written}}}}}}}]"
    return [place.partition("@")[0] for place in findings(body)]


def test_a_retry_policy_that_would_run_wild():
    assert policy("{delay: PT1S, backoff: {linear: {}}}") == []
    assert policy("{limit: {attempt: {count: 1}}}") == []
    assert policy("{}") == ["DG0609"]
    assert policy("{when: .y}") == ["DG0609"]
    assert policy("{limit: {attempt: {count: 1}}, backoff: {linear: {}}}") == ["DG0607"]
    assert policy("{delay: PT1S, backoff: {exponential: {factor: 3}}}") == ["DG0608"]


def caught(catch: str) -> list[str]:
    body = f"do: [{{a: {{try: [{{b: {{wait: PT1S}}}}], catch: {catch}}}}}]"
    return [place.partition("@")[0] for place in findings(body)]


def test_a_catch_takes_everything():
    assert caught("{then: exit}") == ["DG0701"]
    assert caught("{do: [{c: {set: {d: 1}}}]}") == ["DG0701"]
    assert caught("{when: .x}") == []


def test_a_catch_takes_everything_and_does_nothing():
    assert caught("{}") == ["DG0714"]
    assert caught("{as: e}") == ["DG0714"]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("timeout", "Write `https://open-workflow-specification.org/spec/1.0.0/errors/timeout`."),
        ("https://serverlessworkflow.io/spec/1.0.0/errors/timeot", "Did you mean `timeout`?"),
    ],
)
def test_a_catch_never_matches(written: str, hint: str):
    catch = f"{{errors: {{with: {{type: '{written}'}}}}}}"
    body = f"do: [{{a: {{try: [{{b: {{wait: PT1S}}}}], catch: {catch}}}}}]"

    assert findings(body) == ["DG0702@1:67"]
    assert finding(body, "DG0702").hint == hint


def test_a_catch_of_an_own_type_may_match():
    assert caught("{errors: {with: {type: 'https://x/timeot'}}}") == []


def test_the_instance_of_an_error_is_ignored():
    error = f"{{type: '{RUNTIME}', status: 500, instance: /x}}"

    assert findings(f"do: [{{a: {{raise: {{error: {error}}}}}}}]") == ["DG0704@1:115"]


def test_an_own_type_of_error_is_mentioned():
    assert findings("do: [{a: {raise: {error: {type: 'https://x', status: 500}}}}]") == [
        "DG0705@1:33"
    ]


def test_all_of_nothing_is_no_wait():
    assert findings("do: [{a: {listen: {to: {all: []}}}}]") == ["DG0801@1:30"]


EVENTS = (
    "schedule: {on: {one: {with: {type: t}}}%s}\n"
    "do: [{a: {set: {x: '${ $workflow.input[0].%s }'}}}]"
)


def test_a_scheduled_workflow_reads_the_envelope_it_does_not_get():
    assert findings(EVENTS % ("", "data.x")) == ["DG0803@2:24"]
    assert findings(EVENTS % ("", "x")) == []
    assert findings(EVENTS % (", read: envelope", "data.x")) == []


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("{type: objekt}", "'objekt' is not valid"),
        ("{$schema: 7}", "`$schema` is not a string"),
        ("{$schema: 'http://['}", "`$schema` is not a URI"),
        ("{pattern: '('}", "'(' is not a 'regex'"),
        ("text", "a schema is an object or a boolean"),
        ("{properties: {a: {minimum: x}}}", "'x' is not of type 'number'"),
    ],
)
def test_a_schema_is_none(schema: str, problem: str):
    found = finding(f"input: {{schema: {{document: {schema}}}}}\n{DO}", "DG0223")

    assert problem in found.message


def test_a_schema_may_be_as_deep_as_the_document():
    deep = "{items: " * 90 + "{}" + "}" * 90

    assert findings(f"input: {{schema: {{document: {deep}}}}}\n{DO}") == []


@pytest.mark.parametrize("uri", ["https://x/{a", "https://x/{+a}", "https://x/{}"])
def test_an_address_is_no_template(uri: str):
    assert findings(f"do: [{{a: {{call: http, with: {{method: get, endpoint: '{uri}'}}}}}}]") == [
        "DG0225@1:53"
    ]


def test_a_function_is_named_like_a_protocol():
    assert findings(f"use: {{functions: {{http: {{wait: PT1S}}}}}}\n{DO}") == ["DG0404@1:19"]


def test_an_extension_of_raise_has_tasks_after():
    body = "use: {extensions: [{e: {extend: raise, after: [{b: {wait: PT1S}}]}}]}\n" + DO

    assert findings(body) == ["DG0402@1:21", "DG0312@1:47"]


def test_what_stands_nowhere_is_checked_like_what_is_laid_out():
    functions = "functions: {f: {set: '${ 1 + + }'}}"
    extensions = "extensions: [{e: {extend: wait, before: [{b: {set: '${ $no }'}}]}}]"
    body = f"use: {{{functions}, {extensions}}}\ndo: [{{a: {{set: {{n: 1}}}}}}]"

    assert [place.partition("@")[0] for place in findings(body)] == [
        "DG0402",
        "DG0501",
        "DG0402",
        "DG0502",
    ]


def test_what_is_never_called_is_read_all_the_same():
    body = "use: {functions: {f: {do: [{a: {wait: PT1S, then: b}}]}}}\n" + DO

    assert [place.partition("@")[0] for place in findings(body)] == ["DG0402", "DG0302"]


@pytest.mark.parametrize(
    "body",
    [
        "do: []",
        "do: [{a: {do: []}}]",
        "do: [{a: {for: {in: .x}, do: []}}]",
        "do: [{a: {fork: {branches: []}}}]",
        "do: [{a: {try: [], catch: {when: .x}}}]",
    ],
)
def test_a_list_has_no_tasks(body: str):
    assert [place.partition("@")[0] for place in findings(body)] == ["DG0211"]


def test_another_language_of_expressions_is_not_read():
    graph, found = compile_text(f"evaluate: {{language: cel}}\n{DO}")

    assert graph is None
    assert [finding.code for finding in found] == ["DG0508"]


def test_a_graph_comes_with_its_errors():
    graph, found = compile_text("do: [{a: {call: nobody}}, {b: {set: {x: 1}, then: nowhere}}]")

    assert [finding.code for finding in found] == ["DG0401", "DG0302"]
    assert graph is not None
    assert [flow.id for flow in graph.flows] == [
        "/#start->/do/0/a",
        "/do/0/a->/do/1/b",
        "/do/1/b->/#end",
    ]
