"""Which language an expression is written in: its own word, its signs, its surroundings."""

from __future__ import annotations

import pytest

from diglot.compiler.bpmn.languages import Refusal, Spoken, spoken

XPATH = "http://www.w3.org/1999/XPath"
FEEL = "https://www.omg.org/spec/DMN/20191111/FEEL/"
JAVA = "http://www.java.com/java"
MVEL = "http://www.mvel.org/2.0"
JQ = "https://jqlang.org/jq"


@pytest.mark.parametrize(
    ("text", "declared", "document", "profile", "expected"),
    [
        # the expression's own language
        (".a > 1", "jq", XPATH, "camunda", Spoken("jq", ".a > 1", 0)),
        (".a > 1", JQ, "", "", Spoken("jq", ".a > 1", 0)),
        ("a > 1", FEEL, XPATH, "camunda", Spoken("feel", "a > 1", 0)),
        ("= a > 1", "feel", "", "", Spoken("feel", "a > 1", 2)),
        ("getDataObject('a')", XPATH, "", "camunda", Spoken("xpath", "getDataObject('a')", 0)),
        ("return a > 1;", JAVA, XPATH, "", Spoken("bare", "return a > 1;", 0)),
        ("a > 1", "text/javascript", "", "zeebe", Spoken("bare", "a > 1", 0)),
        ("a > 1", MVEL, "", "", Spoken("bare", "a > 1", 0)),
        ("a == b", "groovy", "", "", Spoken("bare", "a == b", 0)),
        ("a", "juel", "", "", Spoken("juel", "a", 0)),
        # the signs of the text
        ("  =  a > 1", "", XPATH, "camunda", Spoken("feel", "a > 1", 5)),
        ("${a > 1}", "", XPATH, "zeebe", Spoken("juel", "a > 1", 2)),
        (" #{a} ", "", "", "", Spoken("juel", "a", 3)),
        ("${a}", XPATH, "", "", Spoken("juel", "a", 2)),
        ("${a} and ${b}", "", "", "", Spoken("juel", "${a} and ${b}", 0)),
        ("Hello ${a}", "", "", "flowable", Spoken("juel", "Hello ${a}", 0)),
        ("${a == '}'}", "", "", "", Spoken("juel", "a == '}'", 2)),
        ("return a;", "", XPATH, "zeebe", Spoken("bare", "return a;", 0)),
        ("== a", "", "", "", Spoken("bare", "== a", 0)),
        # the vendor's engine
        ("order", "", "", "zeebe", Spoken("text", "order", 0)),
        ("PT5M", "", FEEL, "camunda", Spoken("text", "PT5M", 0)),
        ("PT5M", "", "", "flowable", Spoken("text", "PT5M", 0)),
        ("getDataObject('a')", "", XPATH, "camunda", Spoken("xpath", "getDataObject('a')", 0)),
        ("a == 1", "", "urn:example:simple-boolean", "camunda", Spoken("bare", "a == 1", 0)),
        ("a is None", "", XPATH, "spiffworkflow", Spoken("bare", "a is None", 0)),
        # the document's language, and what is left
        ("a > 1", "", FEEL, "", Spoken("feel", "a > 1", 0)),
        ("a > 1", "", XPATH, "", Spoken("xpath", "a > 1", 0)),
        (".a > 1", "", JQ, "", Spoken("jq", ".a > 1", 0)),
        ('a.contains("b")', "", XPATH, "", Spoken("bare", 'a.contains("b")', 0)),
        ("a > 1", "", MVEL, "", Spoken("bare", "a > 1", 0)),
        ("a > 1", "", "", "", Spoken("bare", "a > 1", 0)),
        ("bpmn:getDataObject('a')", "", "", "", Spoken("xpath", "bpmn:getDataObject('a')", 0)),
        ('Order State = "open"', "", "", "", Spoken("feel", 'Order State = "open"', 0)),
        ("a > 1", "urn:example:own", "", "", Spoken("bare", "a > 1", 0)),
    ],
)
def test_the_language_is_told_by_the_nearest_sign(
    text: str, declared: str, document: str, profile: str, expected: Spoken
) -> None:
    found = spoken(text, declared=declared, document_language=document, profile=profile)

    assert found == expected
    assert isinstance(found, Spoken)
    assert text[found.offset :].startswith(found.text)


@pytest.mark.parametrize(
    ("text", "declared", "part", "reason"),
    [
        ("a == 1; b = 2;", "java", "b = 2;", "of Java only"),
        ("  new Date()", JAVA, "new", "of Java only"),
        ("{ it > 3 }", "groovy", "{", "of Groovy only"),
        ("Person(age > 3)", "http://www.jboss.org/drools/rule", "Person(age > 3)", "Drools rules"),
        ("say so", "urn:example:own", "say so", "`urn:example:own` is not read here"),
    ],
)
def test_a_language_that_is_not_read_is_refused_by_name(
    text: str, declared: str, part: str, reason: str
) -> None:
    found = spoken(text, declared=declared)

    assert isinstance(found, Refusal)
    assert (found.kind, found.part) == ("language", part)
    assert reason in found.reason
    assert text[found.start : found.end] == part


@pytest.mark.parametrize("text", ["", "  ", "${}", "#{ }"])
def test_nothing_is_no_expression(text: str) -> None:
    found = spoken(text)

    assert isinstance(found, Refusal)
    assert found.kind == "syntax"


def test_a_name_with_spaces_may_be_compared_as_programmers_do() -> None:
    found = spoken("Service Level == 'Premium'", document_language="http://www.w3.org/1999/XPath")

    assert isinstance(found, Spoken)
    assert (found.language, found.text) == ("feel", 'Service Level  = "Premium"')
