from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.graph import (
    Action,
    Assign,
    Attribute,
    Call,
    Choice,
    Constant,
    Correlation,
    DataRules,
    Declarations,
    Duration,
    Emit,
    End,
    ErrorTemplate,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Expression,
    Flow,
    Graph,
    Guard,
    Handler,
    Join,
    Listing,
    MultiInstance,
    Raise,
    Receive,
    Record,
    RetryPolicy,
    Schema,
    Scope,
    ScopeNode,
    SecretValue,
    Start,
    Task,
    TimerTrigger,
    UnknownFormat,
    UriTemplate,
    Variable,
    Wait,
    digest,
    from_json,
    to_json,
)
from diglot.compiler.graph.errors import error_type
from diglot.compiler.graph.sites import Site, walk_expressions
from diglot.compiler.graph.text import to_text
from diglot.compiler.source import Position, Span

SPAN = Span("order.yaml", Position(1, 1), Position(1, 2))


def jq(text: str) -> Expression:
    return Expression(text=text, span=SPAN)


def task(kind: Callable[..., Any], pointer: str, **fields: Any) -> Any:
    scope, _, _ = pointer.rsplit("/", 2)
    name = pointer.rsplit("/", 1)[1]
    home = "/" if scope == "/do" else scope
    return kind(id=pointer, scope=home, pointer=pointer, name=name, **fields)


def flow(source: str, target: str, role: str = "sequence", **fields: Any) -> Flow:
    suffix = "" if role == "sequence" else f"#{role}"
    kinds = cast("Any", role)
    return Flow(
        id=f"{source}->{target}{suffix}", source=source, target=target, role=kinds, **fields
    )


LOOP = "/do/2/pay/do"
TRY = "/do/3/ship/try"
CATCH = "/do/3/ship/catch/do"

ORDER = Graph(
    namespace="shop",
    name="order",
    version="1.2.0",
    title="An order",
    tags={"team": "sales"},
    data=DataRules(read=jq(".order"), write=jq(".receipt")),
    declarations=Declarations(secrets=("token",)),
    scopes=(
        Scope(
            id="/",
            form="process",
            pointer="/do",
            start="/#start",
            variables=(Variable(name="context", value=Constant({})),),
        ),
        Scope(id=LOOP, parent="/", form="loop", start=f"{LOOP}#start", pointer=LOOP),
        Scope(id=TRY, parent="/", form="try", start=f"{TRY}#start", pointer=TRY),
        Scope(id=CATCH, parent=TRY, form="handler", start=f"{CATCH}#start", pointer=CATCH),
    ),
    nodes=(
        Start(
            id="/#start",
            scope="/",
            pointer="/do",
            triggers=(
                EventTrigger(
                    strategy=EventStrategy(
                        mode="one",
                        filters=(
                            EventFilter(
                                attributes=(
                                    Attribute(name="type", value=Constant("x"), is_pattern=True),
                                    Attribute(name="source", value=jq('startswith("a")')),
                                ),
                                correlations=(Correlation(name="id", read=jq(".data.id")),),
                            ),
                        ),
                    )
                ),
            ),
        ),
        task(
            Assign,
            "/do/0/prepare",
            construct="set",
            guard=Guard(condition=jq(".items"), skip="/do/0/prepare->/do/1/route#skip"),
            data=DataRules(
                input_schema=Schema(document={"type": "object"}),
                read=jq(". + {a: 1}"),
                write=jq(".x"),
                export=jq("$context + ."),
            ),
            value=Record(
                (("items", jq("[.items[] | {id: .}]")), ("a b", Listing((Constant(1), jq(".b")))))
            ),
        ),
        task(
            Choice,
            "/do/1/route",
            construct="switch",
            branches=("/do/1/route->/do/2/pay",),
            default="/do/1/route->/do/3/ship",
        ),
        task(
            ScopeNode,
            "/do/2/pay",
            construct="for",
            body=LOOP,
            multi=MultiInstance(
                collection=jq(".entries"), item="entry", is_chained=True, condition=jq("$index < 9")
            ),
        ),
        Start(id=f"{LOOP}#start", scope=LOOP, pointer=LOOP),
        task(
            Task,
            f"{LOOP}/0/charge",
            construct="call-http",
            action=Action(
                type="http",
                arguments=Record(
                    (
                        ("method", Constant("post")),
                        ("uri", UriTemplate("https://x/{id}")),
                        ("token", SecretValue("token")),
                        ("body", jq("$entry")),
                    )
                ),
            ),
        ),
        End(id=f"{LOOP}#end", scope=LOOP, pointer=LOOP),
        task(ScopeNode, "/do/3/ship", construct="try", body=TRY),
        Start(id=f"{TRY}#start", scope=TRY, pointer=TRY),
        task(
            Receive,
            f"{TRY}/0/await",
            construct="listen",
            strategy=EventStrategy(mode="any", until=jq("length > 2")),
            item="parcel",
            index="n",
            each=DataRules(write=jq("$parcel"), export=jq("$output")),
        ),
        task(
            Wait,
            f"{TRY}/1/rest",
            construct="wait",
            timer=TimerTrigger(form="duration", value=jq(".t")),
        ),
        task(Emit, f"{TRY}/2/tell", construct="emit", event=Record((("type", Constant("done")),))),
        End(id=f"{TRY}#end", scope=TRY, pointer=TRY),
        Start(id=f"{CATCH}#start", scope=CATCH, pointer=CATCH),
        task(
            Raise,
            f"{CATCH}/0/again",
            construct="raise",
            error=ErrorTemplate(
                type=Constant("x"), status=Constant(500), detail=jq("$failure.title")
            ),
        ),
        task(Call, "/do/4/bill", construct="run-workflow", namespace="shop", process="bill"),
        Join(id="/do/4/bill#join", scope="/", pointer="/do/4/bill", need=2, collects=True),
        End(id="/#stop", scope="/", pointer="/do", effect="instance"),
        End(id="/#end", scope="/", pointer="/do"),
    ),
    flows=(
        flow("/#start", "/do/0/prepare"),
        flow("/do/0/prepare", "/do/1/route"),
        flow("/do/0/prepare", "/do/1/route", "skip"),
        flow("/do/1/route", "/do/2/pay", condition=jq(".total > 1")),
        flow("/do/1/route", "/do/3/ship"),
        flow("/do/2/pay", "/do/3/ship"),
        flow(f"{LOOP}#start", f"{LOOP}/0/charge"),
        flow(f"{LOOP}/0/charge", f"{LOOP}#end"),
        flow("/do/3/ship", "/do/4/bill"),
        flow("/do/3/ship", "/#stop", "handler"),
        flow(f"{TRY}#start", f"{TRY}/0/await"),
        flow(f"{TRY}/0/await", f"{TRY}/1/rest"),
        flow(f"{TRY}/1/rest", f"{TRY}/2/tell"),
        flow(f"{TRY}/2/tell", f"{TRY}#end"),
        flow(f"{CATCH}#start", f"{CATCH}/0/again"),
        flow("/do/4/bill", "/do/4/bill#join"),
        flow("/do/4/bill#join", "/#end"),
    ),
    handlers=(
        Handler(
            id="/do/3/ship#catch",
            scope=TRY,
            pointer="/do/3/ship/catch",
            trigger=ErrorTrigger(
                match=(("status", Constant(503)),), when=jq("$failure.status"), variable="failure"
            ),
            retry=RetryPolicy(
                when=jq("$failure"),
                delay=Duration(milliseconds=1_000),
                backoff="exponential",
                count=3,
                total_limit=jq('"PT1H"'),
            ),
            run=CATCH,
            leave_by="/do/3/ship->/#stop#handler",
        ),
        Handler(
            id="/do/4/bill#timeout",
            node="/do/4/bill",
            pointer="/do/4/bill/timeout",
            trigger=TimerTrigger(form="duration", value=Duration(milliseconds=5_000)),
            raises=ErrorTemplate(type=Constant(error_type("timeout")), status=Constant(408)),
        ),
    ),
)

TEXT = (Path(__file__).parent / "golden" / "order.txt").read_text(encoding="utf-8")


def test_the_text_of_a_graph_reads_from_top_to_bottom() -> None:
    assert to_text(ORDER) == TEXT


def places(value: Any, into: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (container, key) of JSON data that means something."""
    container: Any = value
    keys: list[Any] = []
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        keys = [key for key in entries if key not in ("span", "declarations")]
    elif isinstance(value, list):
        keys = list(range(len(cast("list[Any]", value))))
    for key in keys:
        into.append((container, key))
        places(container[key], into)
    return into


TEXTS = [
    "",
    "a",
    "set",
    "/#end",
    "/do/0/prepare",
    ".a }, b: ${ .c",
    "x y",
    '"',
    "a\nb",
    "}",
    "#end",
]


OTHERS: list[Any] = [None, {}, [], 1, "a", True, 1.0]


@st.composite
def changed_orders(draw: st.DrawFn) -> Graph | None:
    """ORDER with up to three changes in its JSON, where it still is a graph."""
    plain = json.loads(to_json(ORDER))
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(places(plain, [])))
        old = container[key]
        change = draw(st.sampled_from(["remove", "replace", "copy", "move"]))
        if change == "remove":
            del container[key]
        elif change == "replace" and isinstance(old, str):
            container[key] = draw(st.sampled_from(TEXTS))
        elif change == "replace" and isinstance(old, int):
            container[key] = old + 1 if not isinstance(old, bool) else not old
        elif change == "replace":
            container[key] = draw(st.sampled_from(OTHERS))
        elif isinstance(key, int):
            at = draw(st.integers(0, len(container) - 1))
            container.insert(at, old if change == "copy" else container.pop(key))
    try:
        return from_json(json.dumps(plain))
    except UnknownFormat:
        return None


@given(changed_orders(), changed_orders())
@settings(max_examples=200, deadline=None)
def test_graphs_with_different_meaning_have_different_texts(
    one: Graph | None, other: Graph | None
) -> None:
    for graph in (one, other):
        if graph is not None:
            same_text = to_text(graph) == to_text(ORDER)
            assert same_text == (digest(graph) == digest(ORDER))
    if one is not None and other is not None:
        assert (to_text(one) == to_text(other)) == (digest(one) == digest(other))


def test_json_and_graph_are_each_others_inverse() -> None:
    assert from_json(to_json(ORDER)) == ORDER


def test_a_graph_that_declares_nothing_has_one_digest_whoever_made_it() -> None:
    silent = msgspec.structs.replace(ORDER, declarations=Declarations())
    again = from_json(to_json(silent))

    assert again == silent
    assert digest(again) == digest(silent)
    assert b"declarations" not in to_json(silent)


def test_json_of_another_format_is_refused() -> None:
    other = to_json(msgspec.structs.replace(ORDER, format="0"))

    with pytest.raises(UnknownFormat, match="graph format '0' is not '1'"):
        from_json(other)


def sites_of(graph: Graph) -> dict[str, Site]:
    """Each site by its text, which ORDER uses once each."""
    return {site.expression.text: site for site in walk_expressions(graph)}


def count_expressions(value: Any) -> int:
    """How many expressions the graph's JSON has."""
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        parts = [count_expressions(part) for part in entries.values()]
        return sum(parts) + ("text" in entries and entries.get("type") != "uri-template")
    if isinstance(value, list):
        return sum(count_expressions(part) for part in cast("list[Any]", value))
    return 0


@given(changed_orders())
@settings(max_examples=100, deadline=None)
def test_the_walk_meets_every_expression_exactly_once(graph: Graph | None) -> None:
    if graph is not None:
        # What is data, and a name, only looks like an expression.
        plain: Any = {**json.loads(to_json(graph)), "tags": {}, "metadata": {}, "document": None}
        assert len(list(walk_expressions(graph))) == count_expressions(plain)


INSTANCE = {"secrets", "runtime", "workflow"}
ACTIVITY = INSTANCE | {"task", "context"}
BODY = ACTIVITY | {"input", "authorization"}


@pytest.mark.parametrize(
    ("text", "place", "variables"),
    [
        (".order", "workflow-input", INSTANCE),
        (".receipt", "workflow-output", INSTANCE | {"context"}),
        ('startswith("a")', "schedule", {"secrets", "runtime"}),
        (".items", "guard", ACTIVITY),
        (". + {a: 1}", "read", ACTIVITY),
        ("[.items[] | {id: .}]", "body", BODY),
        (".x", "write", BODY),
        ("$context + .", "export", BODY | {"output"}),
        (".entries", "collection", BODY),
        (".total > 1", "condition", BODY),
        ("$index < 9", "while", BODY | {"entry", "index"}),
        ("$entry", "arguments", BODY | {"entry", "index"}),
        ("length > 2", "until", BODY),
        ("$parcel", "each-write", BODY | {"parcel", "n"}),
        ("$output", "each-export", BODY | {"parcel", "n", "output"}),
        (".t", "timer", BODY),
        ("$failure.status", "when", BODY | {"failure"}),
        ("$failure", "when", BODY | {"failure"}),
        ('"PT1H"', "retry", BODY),
        ("$failure.title", "error", BODY | {"failure"}),
    ],
)
def test_each_place_has_its_own_variables(text: str, place: str, variables: set[str]) -> None:
    site = sites_of(ORDER)[text]

    assert site.place == place
    assert site.variables == variables | {"__now"}
