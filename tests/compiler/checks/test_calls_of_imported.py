"""Calls of what a BPMN file imports are checked beside the definitions of those files."""

from __future__ import annotations

from diglot.api.publication import with_published
from diglot.compiler import Compiled, compile_source
from diglot.compiler.several import beside_each_other
from diglot.runtime.engine import Engine

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
TAG = "c:calledElementBinding='versionTag' c:calledElementVersionTag='{}'"
ABOUT_CALLS = ("DG0411", "DG0412", "DG2011", "DG2012")


def file(
    process: str, *calls: str, imports: tuple[str, ...] = (), version: str = "", wanted: str = ""
) -> str:
    """A file with one process, of a version, that makes calls in a row, of a version as well."""
    tag = f"c:versionTag='{version}'" if version else ""
    ends = ["in", *(f"call-{number}" for number in range(len(calls)))]
    body = "".join(
        f"<callActivity id='{id}' calledElement='{call}' {TAG.format(wanted) if wanted else ''}/>"
        f"<sequenceFlow id='to-{id}' sourceRef='{before}' targetRef='{id}'/>"
        for before, id, call in zip(ends, ends[1:], calls, strict=False)
    )
    imported = "".join(
        f"<import importType='{BPMN}' location='{location}' namespace='urn:{location}'/>"
        for location in imports
    )
    return (
        f"<definitions xmlns='{BPMN}' xmlns:c='http://camunda.org/schema/1.0/bpmn' "
        f"xmlns:s='urn:shared.bpmn' targetNamespace='urn:{process}.bpmn'>{imported}"
        f"<process id='{process}' isExecutable='true' {tag}><startEvent id='in'/>{body}"
        "</process></definitions>"
    )


def order(*calls: str, wanted: str = "", **imported: str) -> Compiled:
    """A file that makes calls and imports others, which are given by their names."""
    files = {f"{name}.bpmn": text.encode() for name, text in imported.items()}
    text = file("order", *calls, imports=tuple(files), wanted=wanted)
    return compile_source(text, "models/order.bpmn", resolve=files.get)


def found(*documents: Compiled) -> list[list[str]]:
    return [[one.code for one in each.diagnostics if one.code in ABOUT_CALLS] for each in documents]


def test_a_process_of_an_imported_file_is_there() -> None:
    assert found(order("s:shared", shared=file("shared"))) == [[]]
    assert found(order("shared", shared=file("shared"))) == [[]]


def test_a_process_that_no_imported_file_has_is_worth_a_look() -> None:
    (told,) = (
        one
        for one in order("s:sharde", shared=file("shared")).diagnostics
        if one.code in ABOUT_CALLS
    )
    assert (told.code, told.hint) == ("DG0411", "Did you mean `shared`?")


def test_an_imported_process_in_another_version_is_missed() -> None:
    shared = file("shared", version="2.0.0")

    assert found(order("s:shared", wanted="2.0.0", shared=shared)) == [[]]
    assert found(order("s:shared", wanted="1.0.0", shared=shared)) == [["DG0412"]]


def test_a_circle_through_an_imported_file_shows_its_place() -> None:
    one = order("s:shared", shared=file("shared", "order"))

    (told,) = (each for each in one.diagnostics if each.code in ABOUT_CALLS)
    (related,) = told.related
    assert told.code == "DG2011"
    assert related.span is not None
    assert (related.message, related.span.file) == ("`call-0` calls `order`", "models/shared.bpmn")


def test_what_imported_files_call_is_found_in_what_they_import() -> None:
    shared = file("shared", "deep", imports=("parts/deep.bpmn",))
    files = {"shared.bpmn": shared, "parts/deep.bpmn": file("deep", "order")}
    text = file("order", "s:shared", imports=("shared.bpmn",))

    one = compile_source(
        text, "order.bpmn", resolve=lambda path: files[path].encode() if path in files else None
    )

    assert found(one) == [["DG2011"]]


def test_what_two_imported_files_define_is_not_known() -> None:
    one = order("shared", shared=file("shared"), other=file("shared"))

    assert found(one) == [["DG0411"]]


def test_an_imported_file_that_means_nothing_defines_nothing() -> None:
    broken = file("shared").replace("<startEvent id='in'/>", "<startEvent id='in'/>" * 2)

    assert found(order("s:shared", shared=broken)) == [["DG0411"]]


def test_what_is_imported_is_there_beside_others_as_well() -> None:
    one = order("s:shared", "pay", shared=file("shared"))
    other = compile_source(file("pay"), "pay.bpmn")

    assert found(one) == [["DG0411"]]
    assert found(*beside_each_other([one, other])) == [[], []]


def test_what_is_imported_and_not_published_is_missed() -> None:
    one = order("s:shared", shared=file("shared"))

    assert found(*with_published(Engine(), [one])) == [["DG0412"]]
