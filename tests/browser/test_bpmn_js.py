"""What is exported opens in the real bpmn-js without a warning, and all of it is there."""

from __future__ import annotations

import os
import random
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from conformance.command import SUITES_BESIDE, SUITES_VARIABLE
from conformance.external.exported import Document, Sample, documents, ways
from conformance.harness.exported import NotCarried, export

from browser.chromium import VIEWER, Shown, browser, show

ROOT = Path(__file__).resolve().parents[2]
SUITES = Path(os.environ.get(SUITES_VARIABLE) or SUITES_BESIDE)
SEED = os.environ.get("DIGLOT_SEED") or str(secrets.randbelow(1_000_000))
SWEEPS_ALL = os.environ.get("DIGLOT_SWEEP") == "all"
#: What is opened where not all is.
SAMPLE = None if SWEEPS_ALL else Sample(SEED, of_ours=0.1, of_others=0.01)
#: In as many browsers, one after the other.
PARTS = 8 if SWEEPS_ALL else 2
#: What the viewer says of edges to what it has no picture for.
_NOT_PICTURED = re.compile(
    r"^element <bpmn:(DataObject|DataInput|DataOutput|Message) .*not yet drawn"
)

#: A process that is drawn across the pools beside it: the viewer shows one or the others.
_ACROSS = "bpmn/wild/visual-paradigm__bpmn-miwg-test-suite__B.1.0-roundtrip.bpmn (business)"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        browser() is None or not VIEWER.is_file(),
        reason="NOTHING IS OPENED IN A BROWSER: there is no chromium, or no bpmn-js; "
        "run `npm install` in tests/browser",
    ),
]


def chosen(part: int) -> Iterator[Document]:
    """The documents of a part; without the suites of others those of our cases."""
    for document in documents(SUITES):
        if random.Random(document.name).randrange(PARTS) == part and (
            SAMPLE is None or SAMPLE.takes(document.name)
        ):
            yield document


def own_examples() -> Iterator[Document]:
    for file in sorted((ROOT / "examples").iterdir()):
        if file.suffix in (".yaml", ".bpmn"):
            yield Document(file.name, file.read_bytes())


def wrong(found: Iterable[Document], sample: Sample | None = None) -> list[str]:
    """What the viewer says of the files that are written of documents, or does not show."""
    told: list[str] = []
    files: dict[str, str] = {}
    sources: dict[str, str] = {}
    for document in found:
        for way in ways(document, sample) if document.is_exported else ():
            name = f"{document.name} ({way})"
            try:
                files[name] = export(document.compiled, way, resolve=document.resolve).text
            except NotCarried as error:
                told.append(f"{document.name}: {error}")
            if not way.is_anew:
                sources[name] = document.compiled.source.text
    assert files != {}
    return [*told, *_wrong(files, sources)]


def _wrong(files: dict[str, str], sources: dict[str, str]) -> list[str]:
    shown = show(files)
    # A diagram that came with the file is kept, with what the viewer has no picture for.
    asked = {
        name: sources[name]
        for name, one in shown.items()
        if (one.missing or one.warnings) and name in sources
    }
    before = show(asked) if asked else {}
    told: list[str] = []
    for name, one in shown.items():
        known = before.get(name, Shown((), (), 0))
        if name == _ACROSS and one.count > known.count:
            continue
        is_lost = any(text.startswith("unparsable content <process>") for text in known.warnings)
        lost = one.missing if is_lost else known.missing
        missing = [f"{id} is not there" for id in one.missing if id not in lost]
        warnings = [
            text
            for text in one.warnings
            if not (name in sources and _NOT_PICTURED.search(text)) and text not in known.unable
        ]
        if warnings or missing or not one.count:
            told.append(f"{name}: {[*warnings, *missing]}")
    return told


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_exported_opens(part: int) -> None:
    assert wrong(chosen(part), SAMPLE) == [], f"DIGLOT_SEED={SEED}"


def test_the_exports_of_our_examples_open() -> None:
    assert wrong(own_examples()) == []


# -- the viewer is heard


HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
    'xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" '
    'xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" id="all">'
    '<process id="order"><task id="pack"/><task id="send"/></process>'
)


def shape(element: str) -> str:
    bounds = '<dc:Bounds x="10" y="10" width="100" height="80"/>'
    return (
        f'<bpmndi:BPMNShape id="{element}_di" bpmnElement="{element}">{bounds}</bpmndi:BPMNShape>'
    )


def drawn(*shapes: str) -> str:
    plane = f'<bpmndi:BPMNPlane id="plane" bpmnElement="order">{"".join(shapes)}</bpmndi:BPMNPlane>'
    return f'{HEAD}<bpmndi:BPMNDiagram id="drawing">{plane}</bpmndi:BPMNDiagram></definitions>'


BOTH = drawn(shape("pack"), shape("send"))


#: What is wrong with a file, the file, and what is said of it.
FAULTS = {
    "no diagram": (f"{HEAD}</definitions>", "no diagram to display"),
    "an empty diagram": (drawn(), "'pack is not there', 'send is not there'"),
    "no shape": (drawn(shape("pack")), "['send is not there']"),
    "a shape of nothing": (drawn(shape("nobody")), "unresolved reference <nobody>"),
    "an unknown element": (BOTH.replace("<task", "<chore", 1), "unparsable content <chore>"),
}


def test_what_is_wrong_with_a_file_is_told_and_nothing_else() -> None:
    files = {"all is there": BOTH} | {name: file for name, (file, _) in FAULTS.items()}

    told = _wrong(files, {})

    assert [line.partition(":")[0] for line in told] == list(FAULTS)
    assert [
        line for line, (_, said) in zip(told, FAULTS.values(), strict=True) if said not in line
    ] == []


def test_what_the_source_does_not_show_either_may_be_missing() -> None:
    file = drawn(shape("pack"))

    assert _wrong({"file": file}, {"file": file}) == []
