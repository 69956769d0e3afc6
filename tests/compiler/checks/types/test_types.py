"""Types of data: what is said of a document by them, and what must not be."""

from __future__ import annotations

import time

import pytest

from diglot.compiler import Diagnostic, compile_source

HEAD = "document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}\n"
CLOSED = (
    "input: {schema: {document: {type: object, additionalProperties: false, required: [order], "
    "properties: {order: {type: object, additionalProperties: false, required: [id], properties: "
    "{id: {type: string}, total: {type: number}, state: {enum: [open, closed]}, "
    "lines: {type: array, items: {type: object, properties: {price: {type: number}}, "
    "additionalProperties: false}}}}}}}}\n"
)
OPEN = (
    "input: {schema: {document: {type: object, properties: "
    "{customer: {type: string}, items: {type: array}, address1: {type: string}}}}}\n"
)


def findings(document: str) -> list[Diagnostic]:
    compiled = compile_source(document + HEAD, "it.yaml")
    return [one for one in compiled.diagnostics if one.code[:4] == "DG17" or one.code == "DG0507"]


def said(document: str) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in findings(document)]


def of_set(expression: str, before: str = "") -> list[tuple[str, str]]:
    """What is said of an expression whose input is the order."""
    return said(CLOSED + f"do: [{before}{{a: {{set: {{x: '${{ {expression} }}'}}}}}}]\n")


def of_condition(condition: str) -> list[tuple[str, str]]:
    return said(CLOSED + f"do: [{{a: {{if: '{condition}', set: {{x: 1}}}}}}]\n")


# -- names


def test_a_name_that_a_closed_schema_does_not_have_is_never_there() -> None:
    [found] = findings(CLOSED + "do: [{a: {set: {x: '${ .order.totl }'}}}]\n")

    assert found.message == (
        "`totl` is never there: what stands here has `id`, `total`, `state` and `lines`"
    )
    assert found.hint == "Did you mean `total`?"
    assert found.pointer == "/do/0/a"
    assert found.span is not None
    assert (found.span.start.line, found.span.start.column) == (2, 31)
    assert found.span.end.column == 35


@pytest.mark.parametrize(
    "expression",
    [
        ".order.total",
        ".order | .id",
        ".order.lines[0].price",
        ".order.lines | map(.price) | add",
        "[.order.lines[]? | select(.price > 3)]",
        ".order | to_entries | map(.key)",
        '.order | has("colour")',
        ".order | del(.id)",
        ".order.colour = 1",
        '.order + {colour: "red"} | .colour',
        ". as {order: {$id}} | $id",
        ".order | keys",
        "$workflow.startedAt.epoch.seconds",
        "$task.name",
    ],
)
def test_what_may_be_there_is_no_finding(expression: str) -> None:
    assert of_set(expression) == []


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("[.order.lines[].prise]", "prise"),
        (".order.lines | map(.prise)", "prise"),
        ("$input.order.colour", "colour"),
        ('.order.colour // "red"', "colour"),
        (".order | del(.id) | .id", "id"),
        ("$workflow.startedAt.epoch.hours", "hours"),
        ("$task.nme", "nme"),
        (". as $all | $all.order.colour", "colour"),
        ("{order, n: 1} | .m", "m"),
    ],
)
def test_a_name_that_is_never_there_is_found_wherever_it_is_read(
    expression: str, name: str
) -> None:
    assert [message.split("`")[1] for _, message in of_set(expression)] == [name]


def test_what_a_task_sets_is_all_that_the_next_one_gets() -> None:
    document = "do: [{a: {set: {n: 1}}}, {b: {set: {x: '${ .m }', y: '${ .n }'}}}]\n"

    assert said(document) == [("DG1704", "`m` is never there: what stands here has `n`")]


def test_what_any_way_leads_to_may_be_there() -> None:
    document = (
        "do: [{c: {switch: [{a: {when: .q, then: a}}, {b: {then: b}}]}}, "
        "{a: {set: {n: 1}, then: d}}, {b: {set: {m: 1}}}, "
        "{d: {set: {x: '${ .n }', y: '${ .m }'}}}]\n"
    )

    assert said(document) == []


def test_the_result_of_a_call_may_be_anything() -> None:
    document = (
        "do: [{a: {call: http, with: {method: get, endpoint: 'https://example.com'}}}, "
        "{b: {set: {x: '${ .a.b[0].c + 1 }'}}}]\n"
    )

    assert said(document) == []


def test_branches_give_an_array_in_their_order() -> None:
    document = (
        "do: [{f: {fork: {branches: [{a: {set: {n: 1}}}, {b: {set: {m: 2}}}]}}}, "
        "{c: {set: {x: '${ .[0].n }', y: '${ .[1].n }', z: '${ .n }'}}}]\n"
    )

    assert said(document) == [
        ("DG1704", "`n` is never there: what stands here has `m`"),
        (
            "DG1701",
            "this part of the expression always fails: an array has no members such as `n`",
        ),
    ]


def test_a_loop_sees_its_items_and_hands_its_output_round() -> None:
    document = (
        "input: {from: '{}'}\n"
        "do: [{l: {for: {each: i, in: '[1, 2]'}, do: [{a: {set: {s: '${ (.s // 0) + $i }'}}}]}}, "
        "{b: {set: {x: '${ .s | ascii_upcase }', y: '${ .t }'}}}]\n"
    )

    assert said(document) == [
        (
            "DG1701",
            "this part of the expression always fails: `ascii_upcase` needs a text, and this is "
            "null or a number",
        ),
        ("DG1704", "`t` is never there: what stands here has `s`"),
    ]


def test_an_error_that_is_caught_may_have_whatever_came_with_it() -> None:
    document = (
        "do: [{t: {try: [{a: {call: http, with: {method: get, endpoint: 'https://e.com'}}}], "
        "catch: {as: e, do: [{b: {set: {x: '${ $e.detail.code }', y: '${ $e.own }'}}}]}}}]\n"
    )

    assert said(document) == []


def test_a_function_is_told_of_only_where_it_is_wrong_for_all_who_call_it() -> None:
    function = "use: {functions: {f: {set: {x: '${ .n }'}}}}\n"
    one = "do: [{a: {call: f, with: {n: 1}}}, {b: {call: f, with: {m: 1}}}]\n"
    both = "do: [{a: {call: f, with: {k: 1}}}, {b: {call: f, with: {m: 1}}}]\n"

    assert said(function + one) == []
    assert [code for code, _ in said(function + both)] == ["DG1704"]


def test_the_context_is_told_of_by_who_follows_variables() -> None:
    document = "do: [{a: {set: {n: 1}, export: {as: .}}}, {b: {set: {x: '${ $context.m }'}}}]\n"

    assert said(document) == []


def test_what_the_context_holds_has_names_of_its_own() -> None:
    document = (
        "do: [{a: {set: {n: {k: 1}}, export: {as: .}}}, {b: {set: {x: '${ $context.n.m }'}}}]\n"
    )

    assert [code for code, _ in said(document)] == ["DG1704"]


@pytest.mark.parametrize("name", ["custmer", "customr", "cusotmer", "Customer", "custommer"])
def test_a_slip_of_the_pen_in_an_open_schema_is_found(name: str) -> None:
    found = said(OPEN + f"do: [{{a: {{set: {{x: '${{ .{name} }}'}}}}}}]\n")

    assert found == [("DG1705", f"the schema has no `{name}`, it has `customer`")]


@pytest.mark.parametrize("name", ["item", "address2", "costs", "customers", "customerId", "id"])
def test_another_name_in_an_open_schema_is_no_finding(name: str) -> None:
    assert said(OPEN + f"do: [{{a: {{set: {{x: '${{ .{name} }}'}}}}}}]\n") == []


def test_a_name_that_an_output_leaves_out_is_told_with_the_task() -> None:
    document = (
        "do: [{a: {call: http, with: {method: get, endpoint: 'https://e.com'}, "
        "output: {as: '{id: .id}'}}}, {b: {wait: {seconds: 1}}}, {c: {set: {x: '${ .total }'}}}]\n"
    )
    [found] = findings(document)

    assert found.message == "`total` is read here, and the output of `a` leaves it out"
    assert [one.pointer for one in found.related] == ["/do/0/a"]


# -- kinds


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (".order.id + 1", "a text and a number (1) cannot be added"),
        (".order - 1", "an object and a number (1) cannot be subtracted"),
        (".order.id.x", "a text has no members such as `x`"),
        (".order.id[]", "a text has no items to go through"),
        (".order | ascii_upcase", "`ascii_upcase` needs a text, and this is an object"),
        (".order.id | keys", "`keys` needs an array or an object, and this is a text"),
        (
            ".order.id | startswith(3)",
            "`startswith` needs a text here, and this is a number (3)",
        ),
        ("-.order.id", "a text has no negative"),
        ("{(.order.lines | length): 1}", "a name is a text, not a number"),
        (".order.id += 1", "`+=` has nothing to work on"),
    ],
)
def test_what_always_fails_is_told_with_its_reason(expression: str, reason: str) -> None:
    if ".lines" in expression or expression.startswith("-"):
        expression = expression.replace(".order.lines", '"abc"')
    found = of_set(expression)

    assert found == [("DG1701", f"this part of the expression always fails: {reason}")]


@pytest.mark.parametrize(
    "expression",
    [
        ".order.total + 1",
        '(.order.total | tostring) + "x"',
        '.order.total? // "x"',
        'try (.order.id + 1) catch "no"',
        "(.order.id + 1)?",
        'if (.order.id | type) == "number" then .order.id + 1 else 0 end',
        'error("no order")',
        ".order.id | tonumber",
        ".order.lines[:2] | length",
        "def f: . + 1; .order.total | f",
        "reduce (.order.lines // [])[] as $l (0; . + ($l.price // 0))",
        '.order.id | test("a")',
        "[limit(3; range(9))] | add",
    ],
)
def test_what_can_go_well_is_no_finding(expression: str) -> None:
    assert of_set(expression) == []


def test_what_fails_hands_nothing_on() -> None:
    document = "do: [{a: {set: {x: '${ 1 + \"a\" }'}}}, {b: {set: {y: '${ .z }'}}}]\n"

    assert [code for code, _ in said(document)] == ["DG1701"]


def test_a_collection_is_a_list() -> None:
    document = CLOSED + "do: [{l: {for: {in: .order}, do: [{a: {set: {x: 1}}}]}}]\n"

    assert said(document) == [("DG1702", "what is gone through is an object, expected an array")]


def test_several_results_are_a_collection() -> None:
    document = CLOSED + "do: [{l: {for: {in: '.order.lines[]'}, do: [{a: {set: {x: 1}}}]}}]\n"

    assert said(document) == []


def test_a_duration_is_a_text_or_an_object() -> None:
    wrong = CLOSED + "do: [{w: {wait: '${ .order.lines }'}}]\n"
    number = "input: {from: '{n: 5}'}\ndo: [{w: {wait: '${ .n }'}}]\n"
    right = CLOSED + "do: [{w: {wait: '${ .order.id }'}}]\n"

    assert said(wrong) == [
        ("DG1702", "the duration is null or an array, expected a text or an object")
    ]
    assert said(number) == [
        ("DG1702", "the duration is a number (5), expected a text or an object")
    ]
    assert said(right) == []


def test_attributes_of_events_and_types_of_errors_are_texts() -> None:
    event = (
        "do: [{a: {set: {n: 1}}}, "
        "{b: {emit: {event: {with: {type: '${ .n }', source: 'https://e.com', "
        "data: '${ .n }'}}}}}]\n"
    )
    error = (
        "do: [{a: {set: {n: 1}}}, "
        "{b: {raise: {error: {type: '${ .n }', status: 400, title: '${ .n }'}}}}]\n"
    )

    assert said(event) == [("DG1702", "the `type` of the event is a number (1), expected a text")]
    assert said(error) == [("DG1702", "the type of the error is a number (1), expected a text")]


# -- conditions


def test_a_condition_that_is_a_number_by_its_schema_is_always_true() -> None:
    document = (
        "input: {schema: {document: {type: object, required: [n], properties: "
        "{n: {type: number}}}}}\ndo: [{a: {if: .n, set: {x: 1}}}]\n"
    )

    assert said(document) == [("DG0507", "the condition is a number, so it is always true")]


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ('.order.state == "opened"', "false"),
        (".order.id != 3", "true"),
        (".order.id > .order", "false"),
        ("true", "true"),
        ("1 == 1", "true"),
        ('(.order.id | type) == "string"', "true"),
        (".order.id == null", "false"),
    ],
)
def test_a_condition_that_never_changes_is_found(condition: str, outcome: str) -> None:
    assert of_condition(condition) == [("DG1708", f"the condition is always {outcome}")]


@pytest.mark.parametrize(
    "condition",
    [
        '.order.state == "open"',
        ".order.total == null",
        ".order.total > 5",
        '.order.id == "x"',
        "$context.done != true",
        ".order.lines",
        '.order.id | test("x")',
    ],
)
def test_a_condition_that_may_change_is_no_finding(condition: str) -> None:
    assert of_condition(condition) == []


def test_a_condition_on_what_a_task_lays_down_is_only_noted() -> None:
    [found] = findings("do: [{a: {set: {n: 1}}}, {b: {if: .n > 3, set: {x: 1}}}]\n")

    assert (found.code, found.severity) == ("DG1708", "info")


def test_a_loop_that_a_plain_true_holds_open_is_meant_so() -> None:
    document = "do: [{l: {for: {in: .x}, while: true, do: [{a: {set: {x: 1}}}]}}]\n"

    assert said(document) == []


def cases(*conditions: str, default: bool = False) -> list[str]:
    """The codes of what is said of a switch."""
    listed = [f"{{c{i}: {{when: '{one}', then: t}}}}" for i, one in enumerate(conditions)]
    if default:
        listed.append("{other: {then: t}}")
    return [
        code
        for code, _ in said(
            f"do: [{{s: {{switch: [{', '.join(listed)}]}}}}, {{t: {{set: {{x: 1}}}}}}]\n"
        )
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".n > 3", ".n>3"),
        (".n > 3", "(.n > 3)"),
        ('.a == "x"', '.a   == "x"'),
        (".a and .b", ".a and .b"),
    ],
)
def test_the_same_condition_twice_is_found(first: str, second: str) -> None:
    assert cases(first, second) == ["DG1709"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".n > 3", ".n > 10"),
        (".n > 3", ".n >= 4"),
        (".n >= 3", ".n == 3"),
        (".n < 3", "3 > .n and .m == 1"),
        (".n != 3", ".n > 3"),
        ('.a >= "a"', '.a == "b"'),
        (".a or .b", ".a"),
        (".a", ".a and .b"),
        (".n > -2", ".n > -1"),
    ],
)
def test_a_case_behind_a_wider_one_is_found(first: str, second: str) -> None:
    assert cases(first, second) == ["DG1710"]
    assert cases(second, first) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (".n > 3", ".n > 2"),
        (".n > 3", ".m > 10"),
        (".n > 3", '.n > "3"'),
        (".n >= 3", ".n <= 3"),
        (".n != 3", ".n == 3"),
        (".a and .b", ".a"),
        (".n == 1", ".n == true"),
        (".n > 3", ".n >= 3"),
    ],
)
def test_a_case_that_can_be_taken_is_no_finding(first: str, second: str) -> None:
    assert cases(first, second) == []


def test_opposite_conditions_leave_nothing_to_the_default() -> None:
    assert cases(".n > 3", ".n <= 3", default=True) == ["DG1711"]
    assert cases(".n > 3", ".n <= 3") == []
    assert cases(".n > 3", ".n < 3", default=True) == []


# -- schemas


def test_data_that_never_fits_is_told_by_the_first_part_that_does_not() -> None:
    schema = (
        "{schema: {document: {type: object, required: [a, b], properties: {a: {type: string}}}}}"
    )

    def of(data: str) -> list[str]:
        document = f"do: [{{a: {{set: {data}}}}}, {{b: {{input: {schema}, set: {{x: 1}}}}}}]\n"
        return [message for _, message in said(document)]

    assert of("{a: x}") == [
        "the input of `b` never fits its schema: `b` is required and never there"
    ]
    assert of("{a: 1, b: 1}") == [
        "the input of `b` never fits its schema: `a` is a number (1), and a text is expected"
    ]
    assert of("{a: x, b: 1}") == []
    assert of("'${ . }'") == []


def test_data_behind_a_schema_is_of_its_type() -> None:
    schema = (
        "{schema: {document: {type: object, additionalProperties: false, properties: {a: {}}}}}"
    )
    document = (
        "do: [{a: {call: http, with: {method: get, endpoint: 'https://e.com'}, "
        f"output: {schema}}}}}, {{b: {{set: {{x: '${{ .b }}'}}}}}}]\n"
    )

    assert [code for code, _ in said(document)] == ["DG1704"]


# -- BPMN

BPMN = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="t">'
    '<process id="p" isExecutable="true"><startEvent id="s"/><exclusiveGateway id="g" default="d"/>'
    '<userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
    '<sequenceFlow id="f" sourceRef="s" targetRef="g"/>'
    '<sequenceFlow id="c" name="yes" sourceRef="g" targetRef="a">'
    '<conditionExpression xsi:type="tFormalExpression"{}>{}</conditionExpression></sequenceFlow>'
    '<sequenceFlow id="d" sourceRef="g" targetRef="b"/>'
    '<sequenceFlow id="x" sourceRef="a" targetRef="e"/>'
    '<sequenceFlow id="y" sourceRef="b" targetRef="e"/></process></definitions>'
)


def of_gateway(condition: str, language: str = ' language="jq"') -> list[str]:
    compiled = compile_source(BPMN.format(language, condition), "it.bpmn")
    return [one.code for one in compiled.diagnostics if one.code[:4] == "DG17"]


def test_a_condition_of_bpmn_gives_true_or_false() -> None:
    assert of_gateway("reduce .x[] as $x (0; . + $x)") == ["DG1703"]
    assert of_gateway("reduce .x[] as $x (0; . + $x) | . > 3") == []
    assert of_gateway(".done") == []


def test_variables_of_bpmn_may_hold_anything() -> None:
    assert of_gateway(".a.b[0].c + 1 | . > 3") == []
    assert of_gateway("${amount > 5 &amp;&amp; done}", "") == []


# -- what is hostile


def test_data_that_grows_with_each_round_comes_to_rest() -> None:
    document = (
        "do: [{a: {set: {x: '${ {old: ., twice: [., .]} }'}}}, "
        "{b: {switch: [{again: {when: $context.stop, then: a}}]}}, {c: {wait: {seconds: 1}}}]\n"
    )

    assert [code for code, _ in said(document)] == []


def test_a_schema_that_refers_to_itself_comes_to_an_end() -> None:
    parts = ", ".join(f"p{i}: {{$ref: '#'}}" for i in range(40))
    document = (
        f"input: {{schema: {{document: {{type: object, properties: {{{parts}}}, "
        "additionalProperties: false}}}}\ndo: [{a: {set: {x: '${ .p1.p2.p3 }'}}}]\n"
    )
    start = time.process_time()

    assert said(document) == []
    assert time.process_time() - start < 5


def test_functions_that_call_themselves_come_to_an_end() -> None:
    deep = "def f: f; f"
    wide = "def f: [f, f, f]; f"

    assert of_set(deep) == []
    assert of_set(wide) == []


def test_functions_that_are_deep_inside_each_other_are_given_up() -> None:
    defs = " ".join(f"def f{i}: {'[' * 40}f{i - 1}{']' * 40};" for i in range(1, 30))

    assert of_set(f"def f0: .; {defs} f29") == []


def test_many_large_objects_take_no_time_without_end() -> None:
    members = ", ".join(f"p{i}: {{type: string}}" for i in range(100))
    stages = " | ".join(
        f"if .p1 then . + {{z{i}: 1}} else . + {{y{i}: .p2}} end" for i in range(40)
    )
    tasks = ", ".join(
        f"{{a{i}: {{set: {{x: '${{ {stages} | .q{i} }}'}}, output: {{as: $input}}}}}}"
        for i in range(60)
    )
    schema = f"input: {{schema: {{document: {{type: object, properties: {{{members}}}}}}}}}\n"
    start = time.process_time()

    assert [code for code, _ in said(schema + f"do: [{tasks}]\n") if code != "DG1705"] == []
    assert time.process_time() - start < 20


def test_data_that_doubles_with_each_task_stays_small() -> None:
    tasks = ", ".join(f"{{a{i}: {{set: {{l: '${{ . }}', r: '${{ . }}'}}}}}}" for i in range(60))
    start = time.process_time()

    assert said(f"do: [{tasks}]\n") == []
    assert time.process_time() - start < 5


# -- text that looks like an expression


def literals(text: str) -> list[str]:
    compiled = compile_source(f"do: [{{a: {{set: {{x: '{text}'}}}}}}]\n" + HEAD, "it.yaml")
    return [one.code for one in compiled.diagnostics if one.code == "DG0506"]


@pytest.mark.parametrize(
    "text",
    [
        ".items | length",
        ".a + 1",
        "$context.n > 3",
        '.a // "x"',
        '"Hello " + .name',
        ".a and .b",
        "$.order.id",
    ],
)
def test_text_that_calculates_with_a_path_looks_like_an_expression(text: str) -> None:
    assert literals(text) == ["DG0506"]


@pytest.mark.parametrize(
    "text",
    [
        ".jpg,.png",
        ".jpg | .png",
        ".NET and more",
        "see .x / .y",
        "3 < 4",
        "costs $x - y",
        "ls *.txt | grep .py",
        "length > 3",
    ],
)
def test_text_that_no_jq_reads_is_text(text: str) -> None:
    assert literals(text) == []
