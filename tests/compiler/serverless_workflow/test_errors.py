from __future__ import annotations

import pytest

from diglot.compiler.graph import (
    Constant,
    Duration,
    ErrorTemplate,
    ErrorTrigger,
    Expression,
    Graph,
    Raise,
    RetryPolicy,
    ScopeNode,
    TimerTrigger,
    UriTemplate,
)
from diglot.compiler.graph.errors import (
    STANDARD_ERRORS,
    canonical_error_type,
    error_type,
    standard_family_name,
)
from diglot.specs import constructs
from support.workflows import graph_of, handler, node, scope, ways

CANONICAL = "https://open-workflow-specification.org/spec/1.0.0/errors/"


def tried(catch: str, more: str = "", use: str = "") -> Graph:
    return graph_of(f"{use}do: [{{t: {{try: [{{a: {{set: {{x: 1}}}}}}], catch: {catch}{more}}}}}]")


def trigger(catch: str) -> ErrorTrigger:
    found = handler(tried(catch), "/do/0/t#catch").trigger
    assert isinstance(found, ErrorTrigger)
    return found


def retry(policy: str, use: str = "") -> RetryPolicy:
    found = handler(
        tried(f"{{errors: {{with: {{status: 5}}}}, retry: {policy}}}", use=use), "/do/0/t#catch"
    )
    assert found.retry is not None
    return found.retry


def test_a_try_is_a_scope_with_a_handler():
    graph = tried("{errors: {with: {status: 503}}, as: e, do: [{b: {set: {x: '${ $e }'}}}]}")
    found = handler(graph, "/do/0/t#catch")

    assert node(graph, "/do/0/t", ScopeNode).body == "/do/0/t/try"
    assert scope(graph, "/do/0/t/try").form == "try"
    assert (found.scope, found.node, found.run) == ("/do/0/t/try", None, "/do/0/t/catch/do")
    assert found.trigger == ErrorTrigger(match=(("status", Constant(503)),), variable="e")
    assert found.pointer == "/do/0/t/catch"
    assert (found.retry, found.leave_by, found.flow, found.raises) == (None, None, None, None)


def test_what_a_catch_does_stands_inside_the_scope_that_failed():
    graph = tried("{errors: {with: {status: 503}}, do: [{b: {set: {x: 1}}}]}")

    assert scope(graph, "/do/0/t/catch/do").form == "handler"
    assert scope(graph, "/do/0/t/catch/do").parent == "/do/0/t/try"


def test_a_catch_may_lead_elsewhere_than_the_try():
    graph = tried("{errors: {with: {status: 503}}, then: end}", ", then: exit")

    assert ways(graph) == ["#start -> t", "t -> #end", "handler t -> #stop"]
    assert handler(graph, "/do/0/t#catch").leave_by == "/do/0/t->/#stop#handler"
    assert handler(graph, "/do/0/t#catch").run is None


def test_a_catch_asks_its_conditions():
    found = trigger("{when: $error.status > 500, exceptWhen: '${ $error.status == 503 }'}")

    assert found.when is not None
    assert found.when.text == "$error.status > 500"
    assert found.except_when is not None
    assert found.except_when.text == "$error.status == 503"
    assert found.variable == "error"


@pytest.mark.parametrize(
    "uri",
    [
        "https://open-workflow-specification.org/spec/1.0.0/errors/communication",
        "https://serverlessworkflow.io/spec/1.0.0/errors/communication",
        "https://open-workflow-specification.org/dsl/errors/types/communication",
        "https://serverlessworkflow.io/dsl/errors/types/communication",
    ],
)
def test_every_address_of_a_standard_error_is_one_type(uri: str):
    graph = graph_of(f"do: [{{a: {{raise: {{error: {{type: '{uri}', status: 500}}}}}}}}]")
    caught = trigger(f"{{errors: {{with: {{type: '{uri}'}}}}}}")
    raised = node(graph, "/do/0/a", Raise).error

    assert caught.match == (("type", Constant(CANONICAL + "communication")),)
    assert raised == ErrorTemplate(type=Constant(CANONICAL + "communication"), status=Constant(500))


def test_other_addresses_stay_as_they_are():
    assert canonical_error_type("https://x/communication") == "https://x/communication"
    assert canonical_error_type(CANONICAL + "mine") == CANONICAL + "mine"
    assert standard_family_name(CANONICAL + "mine") == "mine"
    assert standard_family_name("https://x/communication") is None


def test_the_standard_errors_are_those_of_the_catalogue():
    rows = constructs("serverless_workflow").values()

    assert set(STANDARD_ERRORS) == {
        row.name for row in rows if row.key.startswith("standard-error/")
    }


def test_a_standard_error_has_the_status_and_the_address_of_the_standard():
    assert dict(STANDARD_ERRORS) == {
        "configuration": 400,
        "validation": 400,
        "expression": 400,
        "authentication": 401,
        "authorization": 403,
        "timeout": 408,
        "communication": 500,
        "runtime": 500,
    }
    assert error_type("timeout") == CANONICAL + "timeout"


def test_only_a_standard_error_has_a_canonical_type():
    with pytest.raises(ValueError, match="nothing"):
        error_type("nothing")


def test_the_old_name_of_detail_is_understood():
    assert trigger("{errors: {with: {details: x}}}").match == (("detail", Constant("x")),)


def test_a_raised_error_may_be_named_or_computed():
    graph = graph_of(
        "use: {errors: {oops: {type: 'https://x/{kind}', status: 418, title: T,\n"
        "  detail: '${ .d }'}}}\n"
        "do: [{a: {raise: {error: oops}}}]"
    )
    error = node(graph, "/do/0/a", Raise).error

    assert error is not None
    assert error.type == UriTemplate("https://x/{kind}")
    assert (error.status, error.title) == (Constant(418), Constant("T"))
    assert isinstance(error.detail, Expression)


def test_a_retry_policy_has_its_measures():
    found = retry(
        "{when: .a, exceptWhen: .b, delay: PT3S, backoff: {exponential: {}},\n"
        "  jitter: {from: PT1S, to: {seconds: 2}},\n"
        "  limit: {attempt: {count: 5, duration: PT10S}, duration: PT1M}}"
    )

    assert found.when is not None
    assert found.except_when is not None
    assert (found.when.text, found.except_when.text) == (".a", ".b")
    assert (found.delay, found.backoff) == (Duration(milliseconds=3_000), "exponential")
    assert (found.jitter_from, found.jitter_to) == (
        Duration(milliseconds=1_000),
        Duration(milliseconds=2_000),
    )
    assert (found.count, found.attempt_limit, found.total_limit) == (
        5,
        Duration(milliseconds=10_000),
        Duration(milliseconds=60_000),
    )


def test_a_retry_policy_may_be_named():
    calm = "{delay: '${ .d }', backoff: {linear: {}}, limit: {attempt: {count: 1}}}"
    found = retry("calm", f"use: {{retries: {{calm: {calm}}}}}\n")

    assert (found.backoff, found.count) == ("linear", 1)
    assert isinstance(found.delay, Expression)


def test_without_a_backoff_the_delay_stays_the_same():
    assert retry("{delay: PT1S}").backoff == "constant"
    assert retry("{delay: PT1S, backoff: {constant: {}}}").backoff == "constant"


EXPIRED = ErrorTemplate(
    type=Constant(CANONICAL + "timeout"), status=Constant(408), title=Constant("Timeout")
)


def test_a_time_out_raises_an_error_at_its_task():
    graph = graph_of("do: [{a: {wait: PT1H, timeout: {after: PT1S}}}]")
    found = handler(graph, "/do/0/a#timeout")

    assert (found.node, found.scope, found.pointer) == ("/do/0/a", None, "/do/0/a/timeout")
    assert found.trigger == TimerTrigger(form="duration", value=Duration(milliseconds=1_000))
    assert found.raises == EXPIRED


def test_the_time_out_of_the_workflow_guards_all_of_it():
    graph = graph_of(
        "use: {timeouts: {short: {after: '${ .limit }'}}}\n"
        "timeout: short\n"
        "do: [{a: {wait: PT1H, timeout: short}}]"
    )
    found = handler(graph, "/#timeout")

    assert (found.node, found.scope, found.pointer) == (None, "/", "/timeout")
    assert isinstance(found.trigger, TimerTrigger)
    assert isinstance(found.trigger.value, Expression)
    assert handler(graph, "/do/0/a#timeout").pointer == "/do/0/a/timeout"
