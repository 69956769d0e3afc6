"""A process that is drawn beside a collaboration has a pool there, which its reader leaves out."""

from __future__ import annotations

import pytest

from support.exported_files import DIGLOT, MODEL, Exported, diagram, exported, file

TALK = (
    "<collaboration id='talk'><participant id='buyer' name='Buyer'/>"
    "<messageFlow id='asks' sourceRef='a' targetRef='buyer'/></collaboration>"
)
SILENT = TALK.replace("<messageFlow id='asks' sourceRef='a' targetRef='buyer'/>", "")
SHAPE = (
    "<bpmndi:BPMNShape id='shape' bpmnElement='a'>"
    "<dc:Bounds x='300' y='100' width='100' height='80'/></bpmndi:BPMNShape>"
)
AROUND = (
    "<bpmndi:BPMNShape id='around' bpmnElement='buyer'>"
    "<dc:Bounds x='200' y='50' width='600' height='200'/></bpmndi:BPMNShape>"
)


def pools(found: Exported) -> list[str | None]:
    """The processes of the pools, and None for a pool without one."""
    return [one.get("processRef") for one in found.root.iter(f"{MODEL}participant")]


@pytest.mark.parametrize(
    ("around", "drawn"),
    [(TALK, ""), (SILENT, diagram("talk", SHAPE)), (TALK, diagram("talk", SHAPE))],
    ids=["talked to", "drawn", "both"],
)
def test_a_process_beside_a_collaboration_gets_a_pool_with_its_name(around: str, drawn: str):
    found = exported(file("<task id='a'/>", around=around, drawn=drawn))

    assert pools(found) == [None, "order"]
    assert found.of("participant_1").attrib == {
        "id": "participant_1",
        "name": "order",
        "processRef": "order",
        f"{DIGLOT}added": "order",
    }
    assert ("pool-added", "order") in found.told


def test_the_pool_is_drawn_around_what_is_there_already():
    found = exported(file("<task id='a'/>", around=TALK, drawn=diagram("talk", SHAPE)))

    x, y, width, height = found.bounds("participant_1")
    assert found.bounds("a") == (300, 100, 100, 80)
    assert (x < 300, y < 100, x + width > 400, y + height > 180) == (True, True, True, True)


@pytest.mark.parametrize("drawn", ["", diagram("talk", SHAPE)], ids=["anew", "kept"])
def test_the_pool_is_left_out_where_the_file_is_read_and_added_again(drawn: str):
    first = exported(file("<task id='a'/>", around=TALK, drawn=drawn))

    assert exported(first.text).text == first.text


def test_a_pool_that_somebody_has_named_since_stays():
    first = exported(file("<task id='a'/>", around=TALK))

    second = exported(first.text.replace('name="order"', 'name="Shop"'))

    assert second.of("participant_1").get("name") == "Shop"
    assert pools(second) == [None, "order"]
    assert "pool-added" not in [name for name, _ in second.told]


@pytest.mark.parametrize(
    ("around", "drawn"),
    [
        ("", ""),
        (SILENT, diagram("order", SHAPE)),
        (SILENT.replace("/></coll", "/><participant id='p' processRef='order'/></coll"), ""),
        (SILENT, diagram("talk", AROUND, SHAPE)),
    ],
    ids=["no collaboration", "a plane of its own", "a pool of its own", "in another pool"],
)
def test_a_process_that_needs_none_gets_no_pool(around: str, drawn: str):
    found = exported(file("<task id='a'/>", around=around, drawn=drawn))

    assert "pool-added" not in [name for name, _ in found.told]
