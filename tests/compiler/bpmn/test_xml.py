"""The front door of BPMN: attacks, encodings, namespaces, places."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest
from lxml import etree

from diglot.compiler.bpmn.document import BPMN, BPMNDI, DC, DI, XSI, Document, Element
from diglot.compiler.bpmn.names import canonical
from diglot.compiler.bpmn.xml import XmlLimits, read_xml
from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.source import Span

HEAD = f'<definitions xmlns="{BPMN}" targetNamespace="https://diglot.example/t">'
TAIL = "</definitions>"
NO_LIMITS = XmlLimits(size_bytes=1 << 30, elements=1 << 30, depth=1 << 30, attributes=1 << 30)


def read(data: bytes | str, limits: XmlLimits | None = None) -> tuple[Document | None, Report]:
    report = Report()
    document = read_xml(data, "order.bpmn", report, limits or XmlLimits())
    return document, report


def accepted(data: bytes | str) -> Document:
    """The document in data that is read without a finding."""
    document, report = read(data)
    assert [found.message for found in report] == []
    assert document is not None
    return document


def refused(data: bytes | str, limits: XmlLimits | None = None) -> Diagnostic:
    """The one finding about data that is not read."""
    document, report = read(data, limits)
    assert document is None
    (found,) = report
    assert found.severity is Severity.ERROR
    return found


def warned(data: bytes | str) -> tuple[Document, list[str]]:
    """A document that is read, and the codes of its warnings."""
    document, report = read(data)
    assert document is not None
    assert not report.has_errors
    return document, [found.code for found in report]


def whole(body: str) -> str:
    return f"{HEAD}{body}{TAIL}"


def place(span: Span | None) -> tuple[int, int]:
    assert span is not None
    return span.start.line, span.start.column


def shown(document: Document, span: Span) -> str:
    source = document.source
    return source.text[source.offset(span.start) : source.offset(span.end)]


def only(document: Document, name: str) -> Element:
    (found,) = (element for element in document.root.walk() if element.name == name)
    return found


class TestAttacks:
    @pytest.mark.parametrize(
        "subset",
        [
            '[<!ENTITY x SYSTEM "file:///etc/passwd">]',
            '[<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]',
            'SYSTEM "http://127.0.0.1:9/external.dtd"',
            'PUBLIC "-//A//B" "file:///etc/hostname"',
            '[<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]',
            f'[<!ENTITY long "{"x" * 100_000}">]',
            '[<!ATTLIST process id CDATA "given">]',
            "",
        ],
        ids=["xxe", "parameter", "dtd", "public", "laughs", "quadratic", "attlist", "bare"],
    )
    def test_a_document_type_ends_the_reading(self, subset: str) -> None:
        text = f"<?xml version='1.0'?>\n<!DOCTYPE definitions {subset}>\n" + whole("<process/>&x;")

        found = refused(text)

        assert found.code == "DG1102"
        assert place(found.span) == (2, 1)

    def test_an_entity_without_a_declaration_is_no_file(self) -> None:
        found = refused(whole("<process id='a'>&secret;</process>"))

        assert found.code == "DG1101"
        assert found.message.endswith("`&secret;` is not one of XML's own references")

    def test_depth_is_bounded(self) -> None:
        found = refused(whole("<a>" * 200_000 + "</a>" * 200_000))

        assert found.code == "DG1103"
        assert place(found.span) == (1, len(HEAD) + 3 * 99 + 1)

    def test_depth_does_not_recurse(self) -> None:
        depth = 20_000
        document, _ = read(whole("<a>" * depth + "</a>" * depth), NO_LIMITS)

        assert document is not None
        assert sum(1 for _ in document.root.walk()) == depth + 1
        assert sum(1 for _ in list(document.root.walk())[-1].ancestors()) == depth

    def test_the_number_of_elements_is_bounded(self) -> None:
        assert refused(whole("<a/>" * 100_000)).code == "DG1104"

    def test_the_number_of_attributes_is_bounded(self) -> None:
        many = " ".join(f'a{number}=""' for number in range(1_001))

        assert refused(whole(f"<process {many}/>")).code == "DG1105"

    def test_size_is_bounded_before_anything_is_looked_at(self) -> None:
        found = refused(whole(f"<process name='{'x' * 20_000_000}'/>").encode())

        assert found.code == "DG0101"
        assert found.parameters["limit"] == 5 * 1024 * 1024

    def test_text_is_bounded_by_its_size_as_utf8(self) -> None:
        name = "漢" * 400

        assert refused(whole(f"<process name='{name}'/>"), XmlLimits(size_bytes=1_000)).code == (
            "DG0101"
        )

    def test_an_include_includes_nothing(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_text("hunter2", encoding="utf-8")
        include = (
            '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" '
            f'href="{secret.as_uri()}"/>'
        )

        document = accepted(whole(f"<process>{include}</process>"))

        assert only(document, "include").text == ""
        assert "hunter2" not in "".join(element.text for element in document.root.walk())

    def test_processing_instructions_and_comments_have_no_effect(self) -> None:
        text = whole(
            "<?xml-stylesheet href='x.xsl'?><process>a<!-- <task/> -->b<?php x?>c</process>"
        )

        assert only(accepted(text), "process").text == "abc"

    @pytest.mark.parametrize("character", ["\0", "\x08", "\x1f", "\ufffe", "\uffff"])
    def test_a_character_that_xml_has_not_is_refused_at_its_place(self, character: str) -> None:
        found = refused(whole(f"<process>ok{character}</process>"))

        assert found.code == "DG1101"
        assert f"U+{ord(character):04X}" in found.message
        assert place(found.span) == (1, len(HEAD) + len("<process>ok") + 1)

    @pytest.mark.parametrize("reference", ["&#0;", "&#xD800;", "&#x110000;"])
    def test_a_reference_to_no_character_is_refused(self, reference: str) -> None:
        assert refused(whole(f"<process>{reference}</process>")).code == "DG1101"

    def test_half_a_surrogate_pair_is_refused(self) -> None:
        found = refused(whole("<process name='\ud800'/>"))

        assert found.code == "DG1101"
        assert "surrogate" in found.message

    @pytest.mark.parametrize("encoding", ["utf-7", "utf7", "unicode-1-1-utf-7", "hex", "punycode"])
    def test_an_encoding_that_hides_markup_is_not_used(self, encoding: str) -> None:
        hidden = "+ADw-task id=+ACI-hidden+ACI-/+AD4-"
        text = f"<?xml version='1.0' encoding='{encoding}'?>{whole(f'<process>{hidden}</process>')}"

        document, codes = warned(text.encode("ascii"))

        assert codes == ["DG1106"]
        assert only(document, "process").text == hidden

    def test_a_file_in_utf16_without_a_mark_is_read_as_such(self) -> None:
        text = whole("<process name='Grüße'/>")

        for encoding in ("utf-16-le", "utf-16-be"):
            assert only(accepted(text.encode(encoding)), "process").get("name") == "Grüße"

    def test_a_declaration_cannot_hide_what_is_in_the_bytes(self) -> None:
        # Read as UTF-16, as it says, this would be one long name of Chinese characters.
        text = "<?xml version='1.0' encoding='UTF-16LE'?>" + whole("<process id='seen'/>")

        document, codes = warned(text.encode("ascii"))

        assert codes == ["DG1106"]
        assert document.find("seen") is not None

    @pytest.mark.parametrize(
        "body",
        [
            "<a/>" * 99_990,
            "".join(f'<a xmlns:p{number}="u{number}"/>' for number in range(50_000)),
            "<task id='same'/>" * 50_000,
            "x<a/>" * 99_990,
            "&amp;" * 900_000,
            "<![CDATA[x]]>" * 300_000,
        ],
        ids=["elements", "namespaces", "ids", "texts", "references", "cdata"],
    )
    def test_what_is_within_the_limits_takes_time_in_proportion(self, body: str) -> None:
        begin = time.perf_counter()
        document, _ = read(whole(f"<process>{body}</process>"))

        assert document is not None
        # One to two seconds on a slow machine; quadratic would be minutes.
        assert time.perf_counter() - begin < 20


class TestSyntax:
    @pytest.mark.parametrize(
        ("text", "line", "column", "problem"),
        [
            (f"{HEAD}\n <process>\n  </x>", 3, 5, "`</x>` does not close `<process>` of line 2"),
            (f"{HEAD}\n<process>", 2, 10, "it ends before `<process>` of line 2 is closed"),
            (f"{HEAD}\n<a", 2, 1, "a tag, a comment or a quote that begins here is not closed"),
            (f"{HEAD}\n<a b='1' b='2'/>", 2, 10, "the attribute `b` stands twice in one tag"),
            (f"{HEAD}\n<a b=1/>", 2, 6, "the value of an attribute has no quotes"),
            (f"{HEAD}\n<a>é &b </a>", 2, 6, "`&` does not begin a reference here"),
            (f"{HEAD}\n<a b='é<'/>", 2, 8, "`<` cannot stand here"),
            (f"{HEAD}{TAIL}\n<a/>", 2, 1, "something follows the end of the document"),
            ("\n<?xml version='1.0'?>", 2, 1, "the XML declaration is not at the very beginning"),
            (f"{HEAD}\n<![CDATA[ x", 2, 1, "a `<![CDATA[` section is not closed"),
            ("process: order", 1, 1, "it does not begin with `<`"),
            ('{"nodes": []}', 1, 1, "it does not begin with `<`"),
            ("", 1, 1, "the document is empty"),
            (" \n ", 1, 1, "the document is empty"),
        ],
    )  # fmt: skip
    def test_what_is_no_xml_is_one_error_at_its_place(
        self, text: str, line: int, column: int, problem: str
    ) -> None:
        found = refused(text)

        assert found.code == "DG1101"
        assert found.message == f"this is not well-formed XML: {problem}"
        assert found.hint
        assert place(found.span) == (line, column)


class TestWhatItIs:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("<Package xmlns='http://www.wfmc.org/2008/XPDL2.1'/>", "an XPDL package"),
            ("<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/'/>", "a DMN"),
            ("<definitions xmlns='http://www.omg.org/spec/CMMN/20151109/MODEL'/>", "a CMMN case"),
            ("<process xmlns='http://docs.oasis-open.org/wsbpel/2.0/process/abstract'/>", "a BPEL"),
            ("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'/>", "a WSDL description"),
            ("<html><body><p>", "an HTML page"),
            ("<!DOCTYPE html><html><head>", "an HTML page"),
            ("<html xmlns='http://www.w3.org/1999/xhtml'/>", "an HTML page"),
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"),
            ("<mxfile/>", "a draw.io diagram"),
            ("<xmi:XMI xmlns:xmi='http://www.omg.org/XMI'/>", "an XMI file"),
            (f"<process xmlns='{BPMN}'/>", "a `process` without the `definitions` around it"),
            ("<order/>", "an XML file whose root is `order`"),
        ],
    )  # fmt: skip
    def test_another_notation_is_refused_by_its_name(self, text: str, words: str) -> None:
        found = refused(text)

        assert found.code == "DG1107"
        assert f"it is {words}" in found.message


class TestEncodings:
    NAME = "Prüfung «größer» €"

    @pytest.mark.parametrize(
        ("declared", "codec"),
        [
            ("UTF-8", "utf-8"),
            ("utf-8", "utf-8-sig"),
            ("UTF-16", "utf-16"),
            ("windows-1252", "cp1252"),
            ("Windows-1252", "cp1252"),
            ("iso-8859-15", "iso8859-15"),
            ("utf-16", "utf-8-sig"),
            ("iso-8859-1", "utf-16"),
        ],
    )
    def test_a_file_is_read_by_its_mark_or_its_declaration(self, declared: str, codec: str) -> None:
        name = self.NAME.replace("«", "(").replace("»", ")")
        text = f'<?xml version="1.0" encoding="{declared}"?>\n' + whole(f'<process name="{name}"/>')

        assert only(accepted(text.encode(codec)), "process").get("name") == name

    def test_without_a_declaration_it_is_utf8(self) -> None:
        text = whole(f'<process name="{self.NAME}"/>')

        assert only(accepted(text.encode()), "process").get("name") == self.NAME

    @pytest.mark.parametrize("declared", ["UTF-8", "us-ascii", "no-such-encoding"])
    def test_a_wrong_declaration_is_a_warning_and_the_text_is_right(self, declared: str) -> None:
        head = f'<?xml version="1.0" encoding="{declared}"?>\n'
        codec = "cp1252" if declared == "UTF-8" else "utf-8"

        document, codes = warned((head + whole(f'<process name="{self.NAME}"/>')).encode(codec))

        assert codes == ["DG1106"]
        assert only(document, "process").get("name") == self.NAME

    def test_a_broken_byte_in_a_file_of_utf8_does_not_change_the_rest(self) -> None:
        data = whole('<process name="größer"/><!-- ? -->').encode().replace(b"?", b"\xff")

        document, codes = warned(data)

        assert codes == ["DG1106"]
        assert only(document, "process").get("name") == "größer"

    def test_half_a_pair_in_utf16_is_marked(self) -> None:
        data = b"\xff\xfe" + whole('<process name="?"/>').encode("utf-16-le")
        data = data.replace(b"?\0", b"\0\xd8", 1)

        document, codes = warned(data)

        assert codes == ["DG1106"]
        assert only(document, "process").get("name") == "\ufffd"

    def test_text_that_was_decoded_already_may_say_what_it_was(self) -> None:
        text = '\ufeff<?xml version="1.0" encoding="utf-16"?>' + whole("<process/>")

        accepted(text)

    def test_a_mark_counts_as_no_column(self) -> None:
        document = accepted(b"\xef\xbb\xbf" + whole("<process/>").encode())

        assert place(document.root.span) == (1, 1)


class TestNamespaces:
    def test_any_prefix_or_none_stands_for_the_namespace(self) -> None:
        text = (
            f'<a:definitions xmlns:a="{BPMN}" xmlns="{BPMN}" targetNamespace="x">'
            f'<process id="p"><b:task xmlns:b="{BPMN}" id="t"/></process></a:definitions>'
        )

        document = accepted(text)

        assert [(one.name, one.is_bpmn) for one in document.root.walk()] == [
            ("definitions", True), ("process", True), ("task", True),
        ]  # fmt: skip

    def test_a_prefix_is_another_one_where_it_is_declared_again(self) -> None:
        inner = '<x:y xmlns:x="urn:two"><x:z/></x:y><x:w/>'
        text = whole(f'<extensionElements xmlns:x="urn:one">{inner}</extensionElements>')

        document = accepted(text)

        assert [only(document, name).namespace for name in "yzw"] == [
            "urn:two",
            "urn:two",
            "urn:one",
        ]
        assert only(document, "z").namespaces["x"] == "urn:two"
        assert only(document, "w").namespaces["x"] == "urn:one"

    @pytest.mark.parametrize(
        ("uri", "known"),
        [
            ("http://schema.omg.org/spec/BPMN/2.0", BPMN),
            ("http://www.omg.org/bpmn20", BPMN),
            ("http://www.omg.org/spec/BPMN/20100501", BPMN),
            ("https://www.omg.org/spec/BPMN/20100524/MODEL", BPMN),
            ("http://www.omg.org/spec/BPMN/20100524/MODEL/", BPMN),
            ("http://www.omg.org/spec/bpmn/20100524/model", BPMN),
            (" http://www.omg.org/spec/BPMN/20100524/MODEL ", BPMN),
            ("http://www.omg.org/spec/BPMN/20100501/DI", BPMNDI),
            ("https://www.omg.org/spec/DD/20100524/DC", DC),
            ("http://www.omg.org/spec/DD/20100524/DI/", DI),
            ("http://www.omg.org/spec/BPMN/non-normative/color/1.0", None),
            ("http://www.omg.org/spec/DMN/20180521/MODEL/", None),
            ("http://flowable.org/bpmn", None),
            ("", None),
        ],
    )
    def test_variants_of_the_namespace_are_known(self, uri: str, known: str | None) -> None:
        assert canonical(uri) == (known or uri)

    def test_a_variant_is_told_once_and_read(self) -> None:
        uri = "http://schema.omg.org/spec/BPMN/2.0"
        text = f'<definitions xmlns="{uri}"><process xmlns="{uri}" id="p"/></definitions>'

        document, report = read(text)

        assert document is not None
        assert [found.code for found in report] == ["DG1109"]
        assert [place(found.span) for found in report] == [(1, 21)]
        assert only(document, "process").is_bpmn

    def test_no_namespace_at_all_is_that_of_bpmn(self) -> None:
        document, codes = warned("<definitions><process><task/></process></definitions>")

        assert codes == ["DG1108"]
        assert all(element.is_bpmn for element in document.root.walk())

    def test_elements_of_no_namespace_are_bpmn_only_where_bpmn_has_to_stand(self) -> None:
        text = (
            f'<a:definitions xmlns:a="{BPMN}"><process><documentation><p/></documentation>'
            "<a:extensionElements><price/></a:extensionElements></process></a:definitions>"
        )

        document, codes = warned(text)

        assert codes == ["DG1108"]
        assert only(document, "process").is_bpmn
        assert only(document, "documentation").is_bpmn
        assert only(document, "p").namespace == ""
        assert only(document, "price").namespace == ""

    @pytest.mark.parametrize(
        ("prefix", "namespace"),
        [("bpmn", BPMN), ("bpmn2", BPMN), ("bpmndi", BPMNDI), ("omgdc", DC), ("own", "own")],
    )
    def test_a_prefix_that_nobody_declares_is_a_warning(self, prefix: str, namespace: str) -> None:
        document, codes = warned(whole(f"<{prefix}:one/><{prefix}:two/>"))

        assert codes == ["DG1111"]
        assert [child.namespace for child in document.root.children] == [namespace] * 2

    def test_a_uri_with_a_space_is_a_warning(self) -> None:
        document, codes = warned(whole('<process xmlns:p="http://a/Collapsed Process" p:x="1"/>'))

        assert codes == ["DG1110"]
        assert only(document, "process").foreign == {"{http://a/Collapsed Process}x": "1"}

    def test_an_attribute_of_the_standard_may_have_a_prefix(self) -> None:
        text = whole(f'<process xmlns:b="{BPMN}" b:id="p" name="a" b:name="b"/>')

        document, codes = warned(text)

        assert codes == ["DG1112", "DG1112"]
        assert only(document, "process").attributes == {"id": "p", "name": "a"}

    def test_foreign_attributes_have_their_namespace(self) -> None:
        text = whole(f'<process xmlns:xsi="{XSI}" xsi:type="tProcess" xml:lang="de"/>')

        assert only(accepted(text), "process").foreign == {
            f"{{{XSI}}}type": "tProcess",
            "{http://www.w3.org/XML/1998/namespace}lang": "de",
        }

    def test_warnings_about_many_namespaces_are_bounded(self) -> None:
        many = "".join(f'<a xmlns:p{number}="not a uri {number}"/>' for number in range(1_000))

        _, codes = warned(whole(many))

        assert codes == ["DG1110"] * 50


class TestPlaces:
    TEXT = (
        f"<?xml version='1.0'?>\r\n<!-- größer -->\n{HEAD}\n"
        "  <process\n      id='größe'\n      name = \"a &gt; 'b' &#x1F600;!\" >\n"
        '    <task id="t"/><script>  x &lt; 3 <![CDATA[&& y]]> <!-- c -->z</script>\n'
        f"  </process>\n{TAIL}"
    )

    def test_a_span_is_the_start_tag(self) -> None:
        document = accepted(self.TEXT)

        assert place(document.root.span) == (3, 1)
        assert place(only(document, "process").span) == (4, 3)
        assert shown(document, only(document, "process").span).endswith('!" >')
        assert shown(document, only(document, "task").span) == '<task id="t"/>'
        assert place(only(document, "script").span) == (7, 19)

    def test_columns_count_characters(self) -> None:
        document = accepted(whole("<process name='größer 😀'/><task/>"))

        assert place(only(document, "task").span) == (
            1, len(HEAD) + len("<process name='größer 😀'/>") + 1,
        )  # fmt: skip

    def test_an_attribute_is_found_by_its_name(self) -> None:
        document = accepted(self.TEXT)
        process = only(document, "process")

        assert place(process.attribute_span("id")) == (5, 11)
        assert shown(document, process.attribute_span("id")) == "größe"
        assert shown(document, process.attribute_span("name")) == "a &gt; 'b' &#x1F600;!"
        assert process.attribute_span("absent") == process.span

    def test_characters_of_an_attribute_are_found(self) -> None:
        document = accepted(self.TEXT)
        process = only(document, "process")
        name = process.get("name")

        assert name == "a > 'b' 😀!"
        assert shown(document, process.attribute_span("name", 2, 3)) == "&gt;"
        assert shown(document, process.attribute_span("name", 4, 7)) == "'b'"
        assert shown(document, process.attribute_span("name", 8, 9)) == "&#x1F600;"
        assert shown(document, process.attribute_span("name", 9)) == "!"

    def test_a_foreign_attribute_is_found_by_its_namespace(self) -> None:
        text = whole("<process xmlns:a='urn:a' xmlns:b='urn:b' a:x='1' b:x='2' x='3'/>")
        document = accepted(text)
        process = only(document, "process")

        assert shown(document, process.attribute_span("{urn:b}x")) == "2"
        assert shown(document, process.attribute_span("x")) == "3"

    def test_characters_of_a_text_are_found(self) -> None:
        document = accepted(self.TEXT)
        script = only(document, "script")

        assert script.text == "  x < 3 && y z"
        assert shown(document, script.text_span(2, 7)) == "x &lt; 3"
        assert shown(document, script.text_span(4, 5)) == "&lt;"
        assert shown(document, script.text_span(8, 12)) == "&& y"
        assert shown(document, script.text_span(13)) == "z"
        for index, character in enumerate(script.text):
            assert shown(document, script.text_span(index, index + 1)) in (
                character, {"<": "&lt;"}.get(character),
            )  # fmt: skip

    def test_an_element_without_text_is_its_own_place(self) -> None:
        document = accepted(self.TEXT)
        task = only(document, "task")

        assert task.text_span() == task.span
        assert only(accepted(whole("<a></a>")), "a").text_span().start.column == len(HEAD) + 1

    def test_line_ends_of_two_characters_count_once(self) -> None:
        document = accepted(whole("<script>a\r\nb\r\n<![CDATA[c\r\nd]]></script>"))
        script = only(document, "script")

        assert script.text == "a\nb\nc\nd"
        assert shown(document, script.text_span(2, 3)) == "b"
        assert shown(document, script.text_span(6, 7)) == "d"


class TestIds:
    def test_an_element_of_the_model_wins_over_its_shape(self) -> None:
        text = whole(f'<d:BPMNShape xmlns:d="{BPMNDI}" id="a"/><task id="a"/>')

        document = accepted(text)

        found = document.find("a")
        assert found is not None
        assert found.name == "task"
        assert [element.name for element in document.duplicates] == ["BPMNShape"]

    def test_ids_of_extensions_are_their_own(self) -> None:
        inner = f'<x:field id="a"/><task xmlns="{BPMN}" id="a"/>'
        text = whole(
            f'<task id="a"><extensionElements xmlns:x="u">{inner}</extensionElements></task>'
        )

        assert accepted(text).duplicates == []

    def test_a_reference_may_have_a_prefix(self) -> None:
        document = accepted(whole('<task id="a"/>'))

        assert document.find(" tns:a ") is document.find("a")
        assert document.find("b") is None


def test_every_reference_model_is_read_without_a_finding(bpmn_suites: Path) -> None:
    models = sorted((bpmn_suites / "miwg" / "reference").glob("*.bpmn"))

    assert len(models) == 21
    for model in models:
        accepted(model.read_bytes())


def test_the_tree_is_that_of_another_parser(bpmn_suites: Path) -> None:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    compared = 0
    for path in sorted(bpmn_suites.rglob("*.bpmn")):
        data = path.read_bytes()
        document, report = read(data)
        if document is None or len(report):
            continue
        theirs = list(etree.fromstring(data, parser).iter())
        ours = list(document.root.walk())
        assert len(ours) == len(theirs)
        for element, other in zip(ours, theirs, strict=True):
            assert f"{{{element.namespace}}}{element.name}" == other.tag or not element.namespace
            assert {**element.attributes, **element.foreign} == dict(other.attrib)
            inner = [other.text, *(child.tail for child in other)]
            assert element.text == "".join(text for text in inner if text)
        compared += 1

    assert compared > 1_000


def test_a_large_model_is_read_in_an_instant(bpmn_suites: Path) -> None:
    data = (bpmn_suites / "miwg" / "reference" / "C.8.0.bpmn").read_bytes()
    times: list[float] = []
    for _ in range(11):
        begin = time.perf_counter()
        accepted(data)
        times.append(time.perf_counter() - begin)

    # About 10 ms; the bound leaves room for a machine that is busy.
    assert statistics.median(times) < 0.1
