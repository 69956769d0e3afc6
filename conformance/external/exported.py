"""Whatever compiles, exported: valid, opened without a warning, the same workflow, the same bytes.

Documents of others and the definitions of our own cases are written in every way there is.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from lxml import etree

from conformance.harness.case import ROOT, CaseError, definitions, load
from conformance.harness.driver import imports_of
from conformance.harness.exported import Exported, NotCarried, Way, export, ways_of, written
from diglot.compiler import Compiled, compile_source
from diglot.compiler.imports import Resolve

from .exemptions import exempt
from .models import BPMN, Node, parsed, tag
from .opened import Finding, faults_of_schema, opened
from .outcome import Outcome, Reporter, generations, judged, settled
from .vendors import members

_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_WORKFLOWS = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Document:
    """Something to be exported, by a name that tells where it stands."""

    name: str
    data: bytes
    resolve: Resolve | None = None

    @cached_property
    def compiled(self) -> Compiled:
        """What becomes of it."""
        return compile_source(self.data, self.name.rpartition("/")[2], resolve=self.resolve)

    @property
    def is_exported(self) -> bool:
        """Whether it compiles to something that can be written."""
        return bool(self.compiled.graphs) and not self.compiled.is_refused

    @cached_property
    def rules_broken(self) -> Counter[str]:
        """How often it breaks each rule itself; a workflow in YAML breaks none."""
        if not any(graph.foreign is not None for graph in self.compiled.graphs):
            return Counter()
        text = self.compiled.source.text
        root = _as_meant(etree.fromstring(text.encode("utf-16"), etree.XMLParser(recover=True)))
        plain, listed = (
            Counter(one.rule for one in opened(file).findings)
            for file in (text, _with_flows_listed(root))
        )
        return plain | listed


@dataclass(frozen=True, slots=True)
class Sample:
    """So many of the documents, each in one of its ways; by the seed and their names.

    A document is the same share of all in every process, whatever else is looked at there.
    """

    seed: str
    #: Of our own cases and of the official examples.
    of_ours: float
    #: Of everything else.
    of_others: float

    def takes(self, name: str) -> bool:
        """Whether a document is in it."""
        is_ours = name.startswith("cases/") or "/examples/" in name
        return self._dice(name, "taken").random() < (self.of_ours if is_ours else self.of_others)

    def ways(self, document: Document) -> list[Way]:
        """The ways in which a document is written."""
        return [self._dice(document.name, "way").choice(ways_of(document.compiled.graphs))]

    def _dice(self, *names: str) -> random.Random:
        return random.Random(" ".join((self.seed, *names)))


def run(
    suites: Path,
    report: Reporter,
    *,
    sample: Sample | None = None,
    chosen: Callable[[str], bool] = lambda name: True,
) -> Outcome:
    """Export whatever compiles, or a sample of it; of the documents whose names are chosen."""
    tally = Counter[str]()
    verdicts = [
        judged(f"exported/{document.name}", partial(_problem, document, sample, tally))
        for document in documents(suites)
        if chosen(document.name) and (sample is None or sample.takes(document.name))
    ]
    report(", ".join(f"{count} {what}" for what, count in sorted(tally.items())))
    return settled(verdicts, report)


def documents(suites: Path) -> Iterator[Document]:
    """Every document of our cases and of every suite."""
    for path in definitions():
        try:
            found = (*load(path).others, path)
        except CaseError:
            continue
        for file in found:
            name = f"cases/{file.relative_to(ROOT).as_posix()}"
            yield Document(name, file.read_bytes(), imports_of(file))
    folders = [folder / "examples" for folder in generations(suites, "examples")]
    for folder in (*folders, suites / "serverless-workflow" / "wild"):
        for file in sorted(folder.rglob("*")):
            if file.suffix in _WORKFLOWS:
                yield Document(file.relative_to(suites).as_posix(), file.read_bytes())
    for file in sorted((suites / "bpmn").rglob("*.bpmn")):
        yield Document(file.relative_to(suites).as_posix(), file.read_bytes())
    for archive in sorted((suites / "bpmn" / "miwg").glob("*.tar.gz")):
        for name, data in members(archive):
            yield Document(f"{archive.relative_to(suites).as_posix()}/{name}", data)


def ways(document: Document, sample: Sample | None = None) -> Sequence[Way]:
    """The ways in which a document is written: all of them, or those of the sample."""
    return ways_of(document.compiled.graphs) if sample is None else sample.ways(document)


def _problem(document: Document, sample: Sample | None, tally: Counter[str]) -> str | None:
    if not document.is_exported:
        tally["do not compile"] += 1
        return None
    tally["compile"] += 1
    for way in ways(document, sample):
        try:
            exported = export(document.compiled, way, resolve=document.resolve)
        except NotCarried as error:
            return str(error)
        tally["files written"] += 1
        problem = next(problems(exported, document), None)
        if problem is not None:
            return f"{way}: {problem}"
    return None


def problems(exported: Exported, document: Document) -> Iterator[str]:
    """What is wrong with a file that was written of a document."""
    for fault in faults_of_schema(exported.text.encode()):
        yield f"by the schema: {fault}"
    try:
        again = written(exported.compiled.graphs, "business", document.resolve)
        if again != exported.text:
            yield f"exported again: {_difference(exported.text, again)}"
    except NotCarried as error:
        yield f"exported again: {error}"
    found = opened(exported.text)
    for warning in found.warnings:
        yield f"on opening: {warning}"
    yield from (f"lint: {one}" for one in _unexplained(exported.text, found.findings, document))


def _unexplained(text: str, findings: Sequence[Finding], document: Document) -> Iterator[Finding]:
    """What neither the workflow wants nor the document breaks itself."""
    if not findings:
        return
    root = parsed(text.encode())
    had = Counter[str]()
    for finding in findings:
        if exempt(root, finding.rule, finding.id):
            continue
        had = had or document.rules_broken.copy()
        had[finding.rule] -= 1
        if had[finding.rule] < 0 and not (
            # What an author left out of the diagram has a place now, if need be over another's.
            finding.rule == "no-overlapping-elements" and document.rules_broken["no-bpmndi"]
        ):
            yield finding


def _as_meant(root: Node) -> Node:
    """A file that readers take, so that the linter sees all of it.

    Elements are BPMN's even where they stand in another namespace, or in none, types too; and every
    id is one.
    """
    space, taken = root.tag.rpartition("}")[0], set[str]()
    for edge in list(root.iter("{*}BPMNEdge")):
        # An edge without a way is none.
        if edge.find("{*}waypoint") is None:
            edge.getparent().remove(edge)
    for element in root.iter("*"):
        if element.tag.rpartition("}")[0] == space:
            element.tag = tag(_local(element.tag.rpartition("}")[2]))
        id = element.get("id")
        if id is not None:
            id = id if id[:1].isalpha() or id.startswith("_") else f"_{id}"
            while id in taken:
                id += "_"
            taken.add(id)
            element.set("id", id)
        prefix, colon, kind = element.get(_TYPE, "").rpartition(":")
        if colon and prefix not in element.nsmap:
            own = next((one for one, uri in element.nsmap.items() if uri == BPMN), None)
            element.set(_TYPE, f"{own}:{kind}" if own else kind)
    return root


def _with_flows_listed(root: Node) -> str:
    """A file where every node lists its flows: the linter sees no others."""
    nodes = {node.get("id"): node for node in root.iter("*")}
    listed = {
        (one.getparent().get("id"), one.tag, _local(one.text or ""))
        for one in root.iter(tag("incoming"), tag("outgoing"))
    }
    for flow in root.iter(tag("sequenceFlow")):
        for name, end in (("outgoing", "sourceRef"), ("incoming", "targetRef")):
            node = nodes.get(_local(flow.get(end, "")))
            known = (None if node is None else node.get("id"), tag(name), flow.get("id"))
            if node is not None and known not in listed:
                etree.SubElement(node, tag(name)).text = flow.get("id")
    return str(etree.tostring(root, encoding="unicode"))


def _local(reference: str) -> str:
    return reference.strip().rpartition(":")[2]


def _difference(one: str, other: str) -> str:
    lines = zip(one.splitlines(), other.splitlines(), strict=False)
    for number, (before, after) in enumerate(lines, 1):
        if before != after:
            return f"line {number} is {after.strip()[:120]!r}, not {before.strip()[:120]!r}"
    return "one has more lines"
