"""Whatever is done to an exported file, it is refused in words or is a graph that can be run."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from diglot.compiler import compile_source
from diglot.compiler.bpmn.writing.view import View
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import digest
from diglot.runtime.plan import Plan
from support.edits import Edited, Element, model, own

_WORK = "{run: {shell: {command: work}}}"
WORKFLOWS = (
    f"""
do:
- first: {_WORK}
- check: {{switch: [{{large: {{when: .n > 3, then: last}}}}, {{small: {{then: middle}}}}]}}
- middle: {{if: .n != null, run: {{shell: {{command: work}}}}}}
- last: {_WORK}
""",
    f"""
do:
- attempt:
    try: [{{one: {_WORK}}}, {{two: {_WORK}}}]
    catch: {{do: [{{mend: {_WORK}}}], then: last}}
- each:
    for: {{each: x, in: .xs}}
    do: [{{three: {_WORK}}}, {{four: {_WORK}}}]
- last: {_WORK}
""",
    f"""
timeout: {{after: {{hours: 1}}}}
do:
- both:
    fork:
      branches:
      - left: {{do: [{{one: {_WORK}}}, {{two: {_WORK}}}]}}
      - right: {{wait: {{seconds: 3}}, timeout: {{after: {{seconds: 2}}}}}}
- race: {{fork: {{compete: true, branches: [{{a: {_WORK}}}, {{b: {_WORK}}}]}}}}
- hear:
    listen: {{to: {{any: [{{with: {{type: a}}}}, {{with: {{type: b}}}}], until: . | length > 2}}}}
    foreach: {{item: e, do: [{{post: {_WORK}}}]}}
""",
)

Change = Callable[[Edited, random.Random], None]


def _delete(file: Edited, random: random.Random) -> None:
    file.delete(_id(random.choice(file.nodes())))


def _delete_flow(file: Edited, random: random.Random) -> None:
    file.disconnect(_id(random.choice(file.flows())))


def _lead(file: Edited, random: random.Random) -> None:
    flow = random.choice(file.flows())
    beside = [one for one in file.nodes() if one.getparent() is flow.getparent()]
    file.lead(_id(flow), _id(random.choice(beside)))


def _leave(file: Edited, random: random.Random) -> None:
    flow = random.choice(file.flows())
    beside = [one for one in file.nodes() if one.getparent() is flow.getparent()]
    file.leave(_id(flow), _id(random.choice(beside)))


def _insert(file: Edited, random: random.Random) -> None:
    kind = random.choice(("userTask", "exclusiveGateway", "subProcess", "intermediateThrowEvent"))
    file.insert(_id(random.choice(file.flows())), kind, f"new{random.randrange(10**6)}")


def _move(file: Edited, random: random.Random) -> None:
    element = random.choice(file.nodes())
    inside = {one.get("id") for one in element.iter()}
    holders = [
        one
        for one in file.nodes()
        if one.tag == model("subProcess") and one.get("id") not in inside
    ]
    file.move(_id(element), _id(random.choice(holders)) if holders else "")


def _copy(file: Edited, random: random.Random) -> None:
    new = f"copy{random.randrange(10**6)}"
    made = file.copy(_id(random.choice(file.nodes())), new)
    if random.random() < 0.7:
        for one in [*made.iter(own("part")), *made.iter(own("drawn")), *made.iter(own("ports"))]:
            _drop(one)


def _attach(file: Edited, random: random.Random) -> None:
    events = list(file.root.iter(model("boundaryEvent")))
    works = [one for one in file.nodes() if one.tag in (model("scriptTask"), model("subProcess"))]
    if events:
        random.choice(events).set("attachedToRef", _id(random.choice(works)))


def _forget(file: Edited, random: random.Random) -> None:
    file.forget(_id(random.choice([*file.nodes(), *file.flows()])))


def _lose(file: Edited, random: random.Random) -> None:
    tags = [*file.root.iter(own("part")), *file.root.iter(own("drawn"))]
    _drop(random.choice([*tags, *file.root.iter(own("ports"))]))


def _swap(file: Edited, random: random.Random) -> None:
    one, other = random.sample(list(file.root.iter(own("part"))), 2)
    one.text, other.text = other.text, one.text


def _move_part(file: Edited, random: random.Random) -> None:
    part = random.choice(list(file.root.iter(own("part"))))
    random.choice(list(file.root.iter(model("extensionElements")))).append(part)


def _spoil(file: Edited, random: random.Random) -> None:
    """Put something else where a part names something."""
    part, other = random.sample(list(file.root.iter(own("part"))), 2)
    words, others = _words(part), _words(other)
    place, word = random.randrange(len(words)), random.choice([*others, "", "/", "null"])
    part.text = '"'.join([*words[:place], word, *words[place + 1 :]])


def _words(part: Element) -> list[str]:
    assert part.text is not None
    return part.text.split('"')


def _set_default(file: Edited, random: random.Random) -> None:
    flow = random.choice(file.flows())
    file.find(flow.get("sourceRef", "")).set("default", _id(flow))


CHANGES: tuple[Change, ...] = (
    _delete, _delete_flow, _lead, _leave, _insert, _move, _copy, _attach, _forget, _lose, _swap,
    _move_part, _spoil, _set_default,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
@pytest.mark.parametrize("view", ["business", "technical"])
def test_a_file_that_was_changed_is_refused_in_words_or_can_be_run(
    change: Change, view: View
) -> None:
    sources = [Edited(body, view).text for body in WORKFLOWS]
    for seed in range(4):
        file = Edited.of(sources[seed % len(sources)])
        change(file, random.Random(seed))

        _is_refused_or_runs(file)


def test_many_changes_at_once_are_refused_in_words_or_can_be_run() -> None:
    sources = [Edited(body, "business").text for body in WORKFLOWS]
    for seed in range(8):
        file, dice = Edited.of(sources[seed % len(sources)]), random.Random(seed)
        for _ in range(4):
            dice.choice((_delete, _lead, _insert, _move, _attach, _set_default))(file, dice)

        _is_refused_or_runs(file)


def _is_refused_or_runs(file: Edited) -> None:
    compiled = file.compiled()
    errors = [one for one in compiled.diagnostics if one.severity is Severity.ERROR]
    assert all(one.span is not None for one in errors if one.code.startswith("DG16"))
    for graph in () if errors else compiled.graphs:
        Plan(graph, digest(graph), {})
        for view in ("business", "technical"):
            text = write_bpmn((graph,), Report(), view=view)
            assert text is not None
            again = compile_source(text, "again.bpmn").graph
            assert again is not None
            assert digest(again) == digest(graph)


def _id(element: Element) -> str:
    return element.get("id", "")


def _drop(element: Element) -> None:
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)
