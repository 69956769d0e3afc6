"""What is exported is valid and the same, of our cases and of whatever suites are at hand.

The checks can fail, and a file is the same in every process.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.command import SUITES_BESIDE, SUITES_VARIABLE
from conformance.external import exported
from conformance.external.exemptions import EXEMPTIONS, exempt
from conformance.external.exported import Document, Sample, problems
from conformance.external.models import parsed, tag
from conformance.harness.case import definitions
from conformance.harness.exported import Exported, NotCarried, Way, export, read_again, ways_of
from diglot.compiler import compile_source

FOLDER = Path(os.environ.get(SUITES_VARIABLE) or SUITES_BESIDE)
SEED = os.environ["DIGLOT_SEED"]
SWEEPS_ALL = os.environ.get("DIGLOT_SWEEP") == "all"
#: What is looked at where not all is.
SAMPLE = None if SWEEPS_ALL else Sample(SEED, of_ours=0.2, of_others=0.03)
#: In as many tests.
PARTS = 8 if SWEEPS_ALL else 2
BUSINESS = Way("business")
ORDER = Document(
    "order.yaml",
    b"""
document: { dsl: '1.0.3', namespace: shop, name: order, version: '1.0.0' }
do:
  - decide:
      switch:
        - dear: { when: .price == 100, then: ask }
        - cheap: { then: exit }
  - ask: { call: http, with: { method: get, endpoint: https://shop.example/ask } }
""",
)
MODEL = Document(
    "model.bpmn",
    b"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="any:shop">
  <process id="order" isExecutable="true">
    <startEvent id="begin"/><sequenceFlow id="on" sourceRef="begin" targetRef="done"/>
    <endEvent id="done"/>
  </process>
</definitions>""",
)


def changed(before: str, after: str) -> Exported:
    """The export of the order with another text in one place, however that is read."""
    text = export(ORDER.compiled, BUSINESS).text
    assert before in text
    text = text.replace(before, after, 1)
    return Exported(text, compile_source(text, "order.bpmn"))


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_exported_is_valid_and_the_same(part: int) -> None:
    lines: list[str] = []

    outcome = exported.run(
        FOLDER,
        lines.append,
        sample=SAMPLE,
        chosen=lambda name: random.Random(name).randrange(PARTS) == part,
    )

    assert [line for line in lines if line.startswith("failed")] == [], f"DIGLOT_SEED={SEED}"
    assert outcome.exit_status == 0


# -- the checks can fail


@pytest.mark.parametrize("document", [ORDER, MODEL], ids=["composed", "kept"])
def test_a_file_without_a_fault_has_no_problem(document: Document) -> None:
    for way in ways_of(document.compiled.graphs):
        assert list(problems(export(document.compiled, way), document)) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('isExecutable="true"', 'isExecutable="perhaps"', "by the schema: line 3: "),
        ("\n  <bpmn:process", "\n\n  <bpmn:process", "exported again: line 3 is "),
        ("</bpmn:process>", "<bpmn:step/></bpmn:process>", "on opening: unparsable content <bpm"),
        ('bpmnElement="ask"', 'bpmnElement="no"', "on opening: unresolved reference <no>"),
        ("</bpmn:definitions>", "", "by the schema: Premature end"),
("</bpmn:definitions>", "", "on opening: "),
        ('bpmnElement="ask"', 'bpmnElement="no"', "lint: no-bpmndi at ask: "),
        ('<bpmn:exclusiveGateway id="decide" name="', '<bpmn:exclusiveGateway id="decide" was="',
         "lint: label-required at decide: "),
    ],
    ids=["schema", "bytes", "element", "reference", "end", "end, opened", "shape", "label"],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_found(before: str, after: str, told: str) -> None:
    found = list(problems(changed(before, after), ORDER))

    assert [one for one in found if one.startswith(told)] != []


def test_what_the_source_breaks_itself_its_export_may_break() -> None:
    kept = export(MODEL.compiled, BUSINESS)

    assert (MODEL.rules_broken["label-required"], ORDER.rules_broken) == (2, {})
    assert list(problems(kept, MODEL)) == []
    assert [one[:20] for one in problems(kept, ORDER)] == ["lint: label-required"] * 2


def test_another_workflow_is_not_the_same() -> None:
    graphs = ORDER.compiled.graphs
    text = export(ORDER.compiled, BUSINESS).text

    with pytest.raises(NotCarried, match="the digests are"):
        read_again(text.replace(".price == 100", ".price == 50"), graphs, "order.bpmn")
    with pytest.raises(NotCarried, match="has errors"):
        read_again(text.replace(".price == 100", ".price =="), graphs, "order.bpmn")


def test_what_is_not_written_is_not_carried() -> None:
    with pytest.raises(NotCarried, match="business: it is not written"):
        export(replace(ORDER.compiled, graphs=()), BUSINESS)


def test_what_compiles_is_written_in_every_way_and_the_rest_is_counted(tmp_path: Path) -> None:
    lines: list[str] = []
    (tmp_path / "bpmn").mkdir()
    (tmp_path / "bpmn" / "model.bpmn").write_bytes(MODEL.data)
    (tmp_path / "bpmn" / "broken.bpmn").write_bytes(MODEL.data[:-1])

    outcome = exported.run(tmp_path, lines.append, chosen=lambda name: name.startswith("bpmn/"))

    assert lines[0] == "1 compile, 1 do not compile, 3 files written"
    assert outcome.line == "2 passed, 0 failed, 0 disputed"


def test_a_sample_is_a_share_of_all_and_the_same_each_time() -> None:
    names = [f"cases/{number}" for number in range(1_000)]
    sample = Sample("7", of_ours=0.2, of_others=0.05)

    taken = [name for name in names if sample.takes(name)]

    assert 100 < len(taken) < 300
    assert taken == [name for name in reversed(names) if sample.takes(name)][::-1]
    assert taken != [name for name in names if replace(sample, seed="8").takes(name)]
    assert len([n for n in range(1_000) if sample.takes(f"bpmn/{n}")]) < len(taken)


def fingerprint(seed: str) -> str:
    """Of the texts of a few files."""
    sample = Sample(seed, of_ours=0.02, of_others=0)
    texts: list[str] = []
    for path in definitions():
        document = Document(f"cases/{path.name}", path.read_bytes())
        if sample.takes(document.name) and document.is_exported:
            texts += [export(document.compiled, way).text for way in sample.ways(document)]
    assert texts != []
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def test_every_process_writes_the_same_bytes() -> None:
    script = f"from {__name__} import fingerprint as told; print(told({SEED!r}))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "1"}

    found = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == fingerprint(SEED), f"DIGLOT_SEED={SEED}"


# -- what the linter may say


def test_the_page_about_exports_has_a_row_for_each_exemption() -> None:
    page = (Path(__file__).parents[1] / "docs" / "export.md").read_text(encoding="utf-8")
    table = page.partition("| rule | why it may speak |\n|---|---|\n")[2].partition("\n\n")[0]

    rows = [f"| `{one.rule}` | {one.reason} |" for one in EXEMPTIONS.values()]

    assert table.splitlines() == rows


def test_an_exemption_holds_only_where_the_workflow_wants_it() -> None:
    text = export(ORDER.compiled, BUSINESS).text.encode()
    composed = parsed(text)
    bare = parsed(text.replace(b"diglot:graph", b"diglot:other"))

    begin = composed.find(f".//{tag('startEvent')}").get("id")
    assert exempt(composed, "no-implicit-start", begin)
    assert not exempt(bare, "no-implicit-start", begin)
    assert not exempt(composed, "no-implicit-start", "ask")
    assert not exempt(composed, "superfluous-termination", "end")
    assert not exempt(composed, "end-event-required", "order")
    assert not exempt(composed, "conditional-flows", "decide_to_ask")
    assert not exempt(composed, "superfluous-gateway", "end_merge")
    assert not exempt(composed, "label-required", "decide")
