"""Whatever jq makes of a value is of the type that was inferred for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from diglot.compiler.checks.types.constants import holds, type_of_value

# Imported for the rules of all parts of an expression.
from diglot.compiler.checks.types.flowing import Flowing as Flowing
from diglot.compiler.checks.types.inference import Env, Inference
from diglot.compiler.checks.types.joining import coarser, finished, union_of
from diglot.compiler.checks.types.model import ANYTHING, Type
from diglot.compiler.expressions.parser import parse

jq: Any = import_module("jq")

NAMES = ("a", "b", "c")
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 4),
    st.sampled_from([0.5, -1.5]),
    st.sampled_from(["", "a", "b", "12", "true", "2026-01-01T00:00:00Z"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=6,
)
LEAVES = st.sampled_from(
    [
        ".", ".a", ".b", ".a.b", ".[0]", ".[-1]", ".[]", ".a[]", ".[1:]", ".a?", ".[]?", "..", "$v",
        "1", "0", "-2", "null", "true", "false", '"a"', '"b"', "[]", "{}", "{a: 1}", "[1, null]",
        "empty", 'error("x")', "$v.a", "$v.zz", ".zz", '"x\\(.a)y"', "@json", "{a, b: 2}", "{$v}",
        "length", "keys", "type", "not", "tostring", "tonumber", "add", "first", "last", "reverse",
        "sort", "unique", "min", "max", "any", "all", "flatten", "to_entries", "from_entries",
        "floor", "sqrt", "abs", "ascii_downcase", "explode", "implode", "tojson", "fromjson",
        "values", "nulls", "numbers", "strings", "arrays", "objects", "scalars", "iterables",
        "transpose", "trim", "toboolean", "isnan", "nan", "infinite", "now|type", "utf8bytelength",
        'has("a")', "has(0)", 'startswith("a")', 'split("a")', 'join("-")', 'test("a")',
        'ltrimstr("a")', 'index("a")', "del(.a)", "del(.[0])", "range(2)", "todate", "fromdate",
        'getpath(["a"])', 'getpath(["a", 0])', "combinations", "paths", "round", "pow(.; 0.5)",
        "input_line_number|type", "normals", "finites", "ascii_upcase", "splits(\"a\")",
        "sub(\"a\"; \"b\")", "gsub(\"a\"; \"b\")", "scan(\"a\")", "capture(\"(?<x>a)\")",
        "match(\"a\")", "bsearch(1)", "gmtime", "mktime", "log", "rindex(\"a\")", "indices(1)",
        "tostream", "env|type", "walk(.)", "limit(1; .[])", "recurse",
    ]
)  # fmt: skip
PROGRAMS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["|", ",", "//", "+", "-", "*", "/", "%"]), inner).map(
            lambda p: f"({p[0]}) {p[1]} ({p[2]})"
        ),
        st.tuples(
            inner, st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "and", "or"]), inner
        ).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        st.tuples(inner, inner, inner).map(lambda p: f"if {p[0]} then {p[1]} else {p[2]} end"),
        st.tuples(inner, inner).map(lambda p: f"if {p[0]} then {p[1]} end"),
        inner.map(lambda p: f"[{p}]"),
        inner.map(lambda p: f"[({p})[]?]"),
        inner.map(lambda p: f"({p}).a"),
        inner.map(lambda p: f"({p})?"),
        inner.map(lambda p: f"-({p})"),
        inner.map(lambda p: f"try ({p}) catch ."),
        st.tuples(inner, inner).map(lambda p: f"try ({p[0]}) catch ({p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"{{a: ({p[0]}), (({p[1]})|tostring): 1}}"),
        st.tuples(inner, inner).map(lambda p: f"{{a: ({p[0]}), c: ({p[1]})}}"),
        st.tuples(
            st.sampled_from(
                ["map", "select", "map_values", "sort_by", "group_by", "min_by", "unique_by",
                 "first", "last", "isempty", "add", "any", "all", "with_entries", "has", "del",
                 "path", "in", "inside", "contains", "nth", "join", "flatten", "error", "range"]
            ),
            inner,
        ).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(st.sampled_from(["limit", "nth", "skip"]), inner).map(
            lambda p: f"{p[0]}(1; {p[1]})"
        ),
        st.tuples(
            st.sampled_from(["=", "|=", "+=", "-=", "*=", "//="]),
            st.sampled_from([".a", ".a.b", ".[0]", ".[]", ".b[1]", "."]),
            inner,
        ).map(lambda p: f"({p[1]} {p[0]} ({p[2]}))"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}) as $x | ({p[1]}), $x"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}) as [$x, {{a: $y}}] | [$x, $y, ({p[1]})]"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}) as {{$a, b: $y}} | [$a, $y, ({p[1]})]"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}) as [$x] ?// $x | [$x, ({p[1]})]"),
        st.tuples(inner, inner, inner).map(
            lambda p: f"reduce ({p[0]}) as $x ({p[1]}; ({p[2]}) | [., $x])"
        ),
        st.tuples(inner, inner, inner).map(lambda p: f"reduce ({p[0]}) as $x ({p[1]}; ({p[2]}))"),
        st.tuples(inner, inner, inner).map(
            lambda p: f"limit(9; foreach ({p[0]}) as $x ({p[1]}; ({p[2]}); [., $x]))"
        ),
        st.tuples(inner, inner).map(lambda p: f"def f: {p[0]}; ({p[1]}) | f"),
        st.tuples(inner, inner).map(lambda p: f"def f(g; $h): [g, $h]; f({p[0]}; {p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"label $l | ({p[0]}), break $l, ({p[1]})"),
        inner.map(lambda p: f"limit(5; ({p}) | recurse)"),
    ),
    max_leaves=6,
)  # fmt: skip


def results_of(program: str, value: Any, variable: Any) -> tuple[list[Any], bool]:
    """What the real jq gives, and whether it came to its end."""
    compiled = jq.compile(f". as [$in, $v] | $in | limit(200; {program})")
    found: list[Any] = []
    try:
        found.extend(iter(compiled.input_value([value, variable])))
    except ValueError:
        return found, False
    return found, True


@settings(max_examples=1200, deadline=None)
@given(PROGRAMS, st.lists(VALUES, min_size=1, max_size=3), VALUES, st.integers(0, 3))
# From its second start on, a fold of jq 1.8 sees null in its source.
@example("reduce (.) as $x (.[]; (.a) | [., $x])", [[None, None]], None, 0)
# A condition without a result has neither branch run.
@example('if .a? then error("x") end', [[], {"a": True}], None, 0)
# An argument by value without a result has no call made.
@example("flatten(empty)", [None], None, 0)
@example("has(empty)", ["a"], None, 0)
def test_what_jq_gives_is_of_the_inferred_type(
    program: str, values: list[Any], variable: Any, how: int
) -> None:
    given_type = union_of(map(type_of_value, values))
    variable_type = type_of_value(variable)
    if how == 1:
        given_type, variable_type = coarser(given_type), coarser(variable_type)
    elif how == 2:
        variable_type = ANYTHING
    elif how == 3:
        given_type = ANYTHING
    assert all(holds(given_type, value) for value in values)

    inference = Inference(is_noting=True)
    inferred = inference.of(
        parse(program), given_type, Env(lambda name: variable_type if name == "v" else ANYTHING)
    )
    type: Type = finished(inferred.type)

    for value in values:
        found, is_done = results_of(program, value, variable)
        for result in found:
            assert holds(type, result), (program, value, result, type)
        if is_done:
            assert inferred.least <= len(found), (program, value, found)
        assert inferred.most > 1 or len(found) <= inferred.most, (program, value, found)
        if inference.has_failed:
            assert not is_done, (program, value, found)
        if any(note.kind == "fails" and note.is_certain for note in inference.notes or ()):
            assert not is_done, (program, value, found)
