from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.bpmn.writing.serial import PREFIXES, to_xml, without_illegal
from diglot.compiler.bpmn.writing.tag import Tag
from diglot.compiler.diagnostics import Report

MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"
TOOL = "https://diglot.example/tool"


def _body(root: Tag) -> str:
    """The text behind the declarations of the root, without its first line."""
    return to_xml(root).split("?>\n", 1)[1]


def test_an_element_of_the_model_has_the_usual_prefix_whatever_the_file_gave_it():
    root = Tag("definitions", {"xmlns:semantic": MODEL, "id": "file"})

    text = _body(root)

    assert text == (
        f'<bpmn:definitions xmlns:bpmn="{MODEL}" xmlns:semantic="{MODEL}" id="file"/>\n'
    )


def test_a_prefix_that_the_file_gave_to_another_vocabulary_stays_with_that_one():
    root = Tag("definitions", {"xmlns:bpmn": TOOL}, [Tag(f"{{{TOOL}}}cost")])

    found = ElementTree.fromstring(to_xml(root))

    assert found.tag == f"{{{MODEL}}}definitions"
    assert [one.tag for one in found] == [f"{{{TOOL}}}cost"]
    assert f'xmlns:bpmn="{TOOL}"' in to_xml(root)
    assert f'xmlns:bpmn1="{MODEL}"' in to_xml(root)


def test_each_vocabulary_is_declared_once_and_at_the_root():
    deep = Tag(f"{{{TOOL}}}a", {f"{{{TOOL}}}b": "1"}, [Tag(f"{{{TOOL}}}c")])
    root = Tag("definitions", {"xmlns:tool": TOOL}, [Tag("process", {}, [deep])])

    text = to_xml(root)

    assert text.count(TOOL) == 1
    assert text.count(MODEL) == 1
    assert "<tool:c/>" in text


def test_a_vocabulary_that_the_file_declares_nowhere_gets_a_prefix():
    root = Tag("definitions", {}, [Tag(f"{{{TOOL}}}cost", {f"{{{TOOL}}}unit": "EUR"})])

    found = ElementTree.fromstring(to_xml(root))

    assert found[0].tag == f"{{{TOOL}}}cost"
    assert found[0].attrib == {f"{{{TOOL}}}unit": "EUR"}


def test_two_prefixes_of_one_vocabulary_are_both_declared():
    root = Tag("definitions", {"xmlns:a": TOOL, "xmlns:b": TOOL}, [Tag(f"{{{TOOL}}}x")])

    text = to_xml(root)

    assert f'xmlns:a="{TOOL}"' in text
    assert f'xmlns:b="{TOOL}"' in text
    assert "<a:x/>" in text


def test_a_prefix_that_xml_reserves_is_given_to_nobody():
    root = Tag("definitions", {}, [Tag("{xmlfoo}x"), Tag("{xml}y")])

    found = ElementTree.fromstring(to_xml(root))

    assert [one.tag for one in found] == ["{xmlfoo}x", "{xml}y"]


def test_an_element_of_no_vocabulary_is_of_none_beside_a_default_one():
    root = Tag("definitions", {"xmlns": TOOL}, [Tag("{}bare", {}, [Tag("{}inner")])])

    found = ElementTree.fromstring(to_xml(root))

    assert [one.tag for one in found.iter()] == [f"{{{MODEL}}}definitions", "bare", "inner"]


def test_attributes_of_the_model_come_before_those_of_others():
    root = Tag("definitions", {f"{{{TOOL}}}a": "1", "id": "file"})

    assert _body(root).index(' id="file"') < _body(root).index(":a=")


def test_an_element_stands_on_a_line_of_its_own():
    root = Tag("definitions", {}, [Tag("process", {}, [Tag("task")])])

    assert to_xml(root).splitlines()[2:] == [
        "  <bpmn:process>",
        "    <bpmn:task/>",
        "  </bpmn:process>",
        "</bpmn:definitions>",
    ]


def test_no_space_is_added_where_character_data_stands_beside_elements():
    script = Tag("script", {}, [Tag(f"{{{TOOL}}}b", {}, [], "c")], "a")

    assert ">a<ns1:b>c</ns1:b></bpmn:script>" in to_xml(Tag("definitions", {}, [script]))


def test_space_that_is_all_there_is_means_nothing():
    assert "<bpmn:task/>" in to_xml(Tag("definitions", {}, [Tag("task", {}, [], " \n ")]))


def test_space_in_a_value_is_read_as_it_was():
    value = " a\tb\nc\r\nd  "
    root = Tag("definitions", {"name": value}, [Tag("documentation", {}, [], value)])

    found = ElementTree.fromstring(to_xml(root))

    assert found.attrib["name"] == value
    assert found[0].text == value


@pytest.mark.parametrize("character", ["\0", "\x08", "\x1f", "\ufffe", "\ud800"])
def test_a_character_that_xml_has_not_is_replaced_and_told(character: str):
    task = Tag("task", {"id": "a", "name": f"x{character}y"}, [], f"{character}")
    report = Report()

    without_illegal(Tag("definitions", {}, [task]), report)

    assert task.attributes["name"] == "x\ufffdy"
    assert task.text == "\ufffd"
    assert [(one.code, one.pointer) for one in report] == [("DG1604", "a")]
    assert f"U+{ord(character):04X}" in report.diagnostics[0].message


def test_the_same_tree_has_the_same_text_whatever_order_its_declarations_have():
    one = Tag("definitions", {"xmlns:b": "urn:b", "xmlns:a": "urn:a", "id": "x"})
    other = Tag("definitions", {"xmlns:a": "urn:a", "id": "x", "xmlns:b": "urn:b"})

    assert to_xml(one) == to_xml(other)


def test_the_vocabularies_of_the_standard_are_declared_before_others():
    root = Tag(
        "definitions", {"xmlns:aa": TOOL}, [Tag(f"{{{namespace}}}x") for namespace in PREFIXES]
    )

    prefixes = [part.split("=")[0] for part in to_xml(root).split(" xmlns:")[1:]]

    assert prefixes == [*PREFIXES.values(), "aa"]


_NAMESPACES = st.sampled_from(["", TOOL, "urn:b", MODEL.replace("MODEL", "DI"), "xmlns", "a b"])
_LOCAL = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,5}", fullmatch=True)
_VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_PREFIXES = st.from_regex(r"[a-z]{1,4}", fullmatch=True).filter(lambda one: one[:3] != "xml")


@st.composite
def _tags(draw: st.DrawFn, depth: int = 3) -> Tag:
    local = draw(_LOCAL)
    name = draw(st.one_of(st.just(local), _NAMESPACES.map(lambda one: f"{{{one}}}{local}")))
    qualified = st.tuples(_NAMESPACES.filter(bool), _LOCAL).map(lambda one: f"{{{one[0]}}}{one[1]}")
    attributes = draw(st.dictionaries(st.one_of(_LOCAL, qualified), _VALUES, max_size=3))
    attributes.pop("xmlns", None)
    children = draw(st.lists(_tags(depth - 1), max_size=3)) if depth else []
    return Tag(name, attributes, children, draw(_VALUES))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_tags(), st.dictionaries(_PREFIXES, _NAMESPACES.filter(bool), max_size=3))
def test_whatever_is_written_is_read_by_others_as_the_same_tree(tag: Tag, declared: dict[str, str]):
    root = Tag("definitions", {f"xmlns:{prefix}": uri for prefix, uri in declared.items()}, [tag])
    without_illegal(root, Report())

    found = ElementTree.fromstring(to_xml(root))

    assert _facts_read(found[0]) == _facts_meant(tag)


def _facts_meant(tag: Tag) -> object:
    namespace, _, local = tag.name[1:].partition("}")
    name = tag.name if not tag.name.startswith("{") else f"{{{namespace}}}{local}"
    if not name.startswith("{"):
        name = f"{{{MODEL}}}{name}"
    text = "" if tag.text.isspace() else tag.text
    return (
        name.removeprefix("{}"),
        tag.attributes,
        text,
        [_facts_meant(one) for one in tag.children],
    )


def _facts_read(element: ElementTree.Element) -> object:
    text = element.text or ""
    has_data = text and not text.isspace()
    children = [_facts_read(one) for one in element]
    return element.tag, dict(element.attrib), text if has_data else "", children
