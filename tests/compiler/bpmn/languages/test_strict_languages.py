"""Methods and functions of JUEL, XPath and bare conditions, and letters of other alphabets."""

from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.bpmn.languages import Language, Refusal, Translation, translate
from diglot.compiler.bpmn.languages.definitions import prelude, text_definitions
from diglot.compiler.expressions import ExpressionError, compile_jq


def worth(text: str, language: Language, variables: dict[str, Any] | None = None) -> Any:
    found = translate(text, language)
    assert isinstance(found, Translation), found
    (result,) = compile_jq(found.text).evaluate(variables or {}, {})
    return result


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        ("s.charAt(1)", {"s": "abc"}, "b"),
        ("s.concat(t)", {"s": "a", "t": "b"}, "ab"),
        ("s.substring(1)", {"s": "abc"}, "bc"),
        ("s.substring(i, i + 1)", {"s": "abc", "i": 2}, "c"),
        ("s.indexOf(t)", {"s": "abc", "t": "z"}, -1),
        ("s.indexOf(t)", {"s": "abc", "t": ""}, 0),
        ("s.indexOf(t)", {"s": [1, 2], "t": 2}, 1),
        ("s.isBlank()", {"s": " \t"}, True),
        ("s.toString()", {"s": 5}, "5"),
        ("n.intValue()", {"n": 5.9}, 5),
        ("m.getOrDefault('k', 7)", {"m": {}}, 7),
        ("m.getOrDefault('k', d)", {"m": {"k": None}, "d": 1}, None),
        ("m.containsKey(k)", {"m": {"a": 1}, "k": "a"}, True),
        ("m.containsValue(1)", {"m": {"a": 1}}, True),
        ("m.keySet()", {"m": {"a": 1}}, ["a"]),
        ("m.values()", {"m": {"a": 1}}, [1]),
        ("b.booleanValue()", {"b": True}, True),
        ("a.compareTo(b)", {"a": 1, "b": 2}, -1),
        ("a.equalsIgnoreCase(b)", {"a": "straSSe", "b": None}, False),
        ("a.b.isC()", {"a": {"b": {"c": False}}}, False),
    ],
)
@pytest.mark.parametrize("language", ["juel", "bare"])
def test_methods_that_values_can_answer_for(
    language: Language, text: str, variables: dict[str, Any], expected: object
) -> None:
    assert worth(text, language, variables) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("substring('12345', 2)", "2345"),
        ("substring('12345', 1.5, 2.6)", "234"),
        ("substring('12345', 0, 3)", "12"),
        ("substring-before('1999/04', '/')", "1999"),
        ("substring-after('1999/04', '/')", "04"),
        ("normalize-space('  a \n b ')", "a b"),
        ("string-length('abc') = 3", True),
        ("starts-with('abc', 'ab') and ends-with('abc', 'bc')", True),
        ("number('2.5') + 1", 3.5),
        ("string(5)", "5"),
        ("boolean('')", False),
        ("boolean('false')", True),
        ("not(false()) or 1 = 2", True),
        ("round(-2.5)", -2),
        ("ceiling(1.2) - floor(1.8)", 1),
        ("upper-case('a')", "A"),
        ("-(3 - 5)", 2),
        ("'a' != 'b'", True),
    ],
)
def test_functions_of_xpath(text: str, expected: object) -> None:
    assert worth(text, "xpath") == expected


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        ("count(/a/b)", {}, 0),
        ("count(/a/b)", {"a": {"b": 5}}, 1),
        ("sum(/a/b)", {"a": {"b": [1, 2]}}, 3),
        ("exists(/a)", {}, False),
        ("empty($a)", {"a": []}, True),
        ("a != b", {"a": 1}, False),
        ("a != b", {"a": 1, "b": 2}, True),
        ("ns:order/ns:total > 5", {"order": {"total": 6}}, True),
        ("/order/name/text() = 'x'", {"order": {"name": "x"}}, True),
    ],
)
def test_paths_of_xpath(text: str, variables: dict[str, Any], expected: object) -> None:
    assert worth(text, "xpath", variables) == expected


@pytest.mark.parametrize(
    ("text", "variables", "expected"),
    [
        ("len(s)", {"s": "abc"}, 3),
        ("str(n)", {"n": 5}, "5"),
        ("str(n)", {"n": True}, "True"),
        ("Boolean.parseBoolean(s)", {"s": "TRUE"}, True),
        ("int('5') + 1", {}, 6),
        ("float('5.5')", {}, 5.5),
        ("max(a, 3)", {"a": 5}, 5),
        ("sum([1, 2, 3])", {}, 6),
        ("abs(n)", {"n": -1}, 1),
        ("x['k'][-1]", {"x": {"k": [1, 2]}}, 2),
        ("all([a, b])", {"a": True, "b": True}, True),
        ("String.valueOf(n)", {"n": 5}, "5"),
        ("Math.round(2.5)", {}, 3),
        ("Double.parseDouble('1e2')", {}, 100),
        ("StringUtils.isNotEmpty(s)", {"s": ""}, False),
        ("list contains 3", {"list": [3]}, True),
        ("a ? b : c ? d : e", {"a": False, "c": True, "d": 4}, 4),
        ("'it\\'s'", {}, "it's"),
        ('"\\u00e4\\n"', {}, "ä\n"),
    ],
)
def test_functions_of_bare_conditions(
    text: str, variables: dict[str, Any], expected: object
) -> None:
    assert worth(text, "bare", variables) == expected


@pytest.mark.parametrize(
    ("text", "variables", "error"),
    [
        ("a.b.c > 1", {"a": {"b": {"c": "x"}}}, "a.b.c is string, not a number"),
        ("any([a, true])", {"a": 1}, "[a, true] has an item that is no boolean"),
        ("int(s)", {"s": "x"}, "s is no whole number: x"),
        ("x % 2 == 1", {"x": 0.5}, "x is 0.5, not a whole number"),
        ('m["a"].b == "x"', {"m": {"a": {"b": 5}}}, 'm["a"].b is number, not a string'),
        ("s.substring(2, 1)", {"s": "abc"}, "s has 3 characters, not 2 to 1"),
    ],
)
def test_an_error_has_the_author_s_words(text: str, variables: dict[str, Any], error: str) -> None:
    with pytest.raises(ExpressionError) as failed:
        worth(text, "bare", variables)

    assert error in str(failed.value)


@pytest.mark.parametrize("case", ["lower", "upper"])
def test_cases_are_those_of_unicode_as_far_as_they_are_known(case: str) -> None:
    # Latin with its supplement and extension, and Cyrillic.
    letters = "".join(chr(code) for code in (*range(32, 384), *range(0x400, 0x460), 0x20AC, 0x4E2D))

    program = compile_jq(prelude([case], text_definitions()) + f"map({case})")

    assert program.plain
    (result,) = program.evaluate(list(letters), {})
    assert result == [getattr(letter, case)() for letter in letters]


def test_letters_whose_case_is_not_known_are_an_error() -> None:
    with pytest.raises(ExpressionError, match="are not known"):
        worth("s.toLowerCase()", "juel", {"s": "Ωδή"})


@pytest.mark.parametrize(
    ("text", "language", "part"),
    [
        ("a.b.c.add(1)", "juel", "add"),
        ("a ++ b", "bare", "++"),
        ("x => x", "bare", "=>"),
        ("0x1F > a", "bare", "0x1F"),
        ("007 > a", "bare", "007"),
        ("f'x'", "bare", "f'x'"),
        ("a | b", "xpath", "|"),
        ("a/b[c = 1]", "xpath", "c = 1"),
        ("a/../b", "xpath", ".."),
        ("matches(a, 'x')", "xpath", "matches"),
        ("fn:call(a)", "juel", "fn:call"),
        ("variables:get(1)", "juel", "variables:get(1)"),
        ("execution.getVariable(name)", "juel", "execution.getVariable(name)"),
        ("a.getClass()", "juel", "getClass"),
        ("execution.id == a", "juel", "execution.id"),
    ],
)
def test_refusals_of_single_parts(text: str, language: Language, part: str) -> None:
    found = translate(text, language)

    assert isinstance(found, Refusal), found
    assert found.part == part
