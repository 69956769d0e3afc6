from __future__ import annotations

from diglot.compiler.bpmn.keep import foreign_of, presentation_of
from diglot.compiler.bpmn.reader import read
from diglot.compiler.bpmn.reading import rules
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import digest
from diglot.specs import constructs

_FILE = """\
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
  xmlns:di="http://www.omg.org/spec/DD/20100524/DI"
  xmlns:color="http://www.omg.org/spec/BPMN/non-normative/color/1.0"
  xmlns:tool="https://diglot.example/tool" targetNamespace="https://diglot.example/kept">
  <process id="order" tool:owner="kim">
    <laneSet id="lanes">
      <lane id="desk" name="Desk"><flowNodeRef>review</flowNodeRef></lane>
    </laneSet>
    <task id="review">
      <extensionElements><tool:cost unit="EUR">5</tool:cost></extensionElements>
    </task>
    <textAnnotation id="note"><text>Look twice</text></textAnnotation>
  </process>
  <bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="order">
    <bpmndi:BPMNShape id="s" bpmnElement="review" isExpanded="false" color:border-color="#333">
      <dc:Bounds x="10" y="20.5" width="100" height="80"/>
      <bpmndi:BPMNLabel><dc:Bounds x="1" y="2" width="3" height="4"/></bpmndi:BPMNLabel>
    </bpmndi:BPMNShape>
    <bpmndi:BPMNEdge id="e" bpmnElement="flow">
      <di:waypoint x="1" y="2"/><di:waypoint x="3" y="4"/>
    </bpmndi:BPMNEdge>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>
"""


def _document(text: str = _FILE):
    document = read_xml(text, "kept.bpmn", Report())
    assert document is not None
    return document


def test_lanes_artifacts_and_extensions_are_kept_as_they_stand():
    kept = foreign_of(_document())["bpmn"]
    process = kept[2][0]

    assert kept[0] == "definitions"
    assert kept[1]["targetNamespace"] == "https://diglot.example/kept"
    assert process[:2] == [
        "process", {"id": "order", "{https://diglot.example/tool}owner": "kim"},
    ]  # fmt: skip
    assert process[2] == [
        ["laneSet", {"id": "lanes"}, [
            ["lane", {"id": "desk", "name": "Desk"}, [["flowNodeRef", {}, [], "review"]]],
        ]],
        ["task", {"id": "review"}, [
            ["extensionElements", {}, [
                ["{https://diglot.example/tool}cost", {"unit": "EUR"}, [], "5"],
            ]],
        ]],
        ["textAnnotation", {"id": "note"}, [["text", {}, [], "Look twice"]]],
    ]  # fmt: skip


def test_diagrams_are_kept_apart():
    kept = foreign_of(_document())["bpmn"]

    assert [child[0] for child in kept[2]] == ["process"]
    drawn = presentation_of(_document())
    assert drawn is not None
    assert len(drawn.pop("written")) == 1
    assert drawn == {
        "shapes": {
            "review": {
                "bounds": [10, 20.5, 100, 80],
                "label": [1, 2, 3, 4],
                "isExpanded": False,
                "colours": {
                    "{http://www.omg.org/spec/BPMN/non-normative/color/1.0}border-color": "#333"
                },
            }
        },
        "edges": {"flow": {"waypoints": [[1, 2], [3, 4]]}},
    }


def test_diagrams_are_kept_as_they_are_written_too():
    drawn = presentation_of(_document())

    assert drawn is not None
    (diagram,) = drawn["written"]
    (plane,) = diagram[2]
    assert diagram[1] == {"id": "diagram"}
    assert [child[1]["id"] for child in plane[2]] == ["s", "e"]


def test_prefixes_of_values_are_kept():
    kept = foreign_of(_document())["namespaces"]

    assert kept["tool"] == "https://diglot.example/tool"


def test_a_file_without_a_diagram_has_no_presentation():
    text = _FILE[: _FILE.index("<bpmndi:BPMNDiagram")] + "</definitions>"

    assert presentation_of(_document(text)) is None


def test_what_is_kept_is_no_part_of_the_meaning():
    (graph,) = read(_document(), Report())
    text = _FILE.replace("Look twice", "Look once").replace('x="10"', 'x="11"')
    (other,) = read(_document(text), Report())

    assert graph.foreign != other.foreign
    assert graph.presentation != other.presentation
    assert digest(graph) == digest(other)


def test_the_graph_says_where_it_came_from():
    (graph,) = read(_document(), Report())

    assert graph.origin is not None
    assert (graph.origin.dialect, graph.origin.dialect_version) == ("bpmn", "2.0")
    assert (graph.origin.file, len(graph.origin.sha256)) == ("kept.bpmn", 64)


def test_every_rule_is_of_a_construct_in_the_catalogue():
    generated = {f"start-event-{one}" for one in ("escalation", "error", "compensation")}

    assert set(rules()) - generated <= set(constructs("bpmn"))
