"""Layout: models of others and generated ones without their diagrams, against bpmn-auto-layout.

Both are measured by the same function. The peer draws the first process of a file and closes every
sub-process, so that it is compared on the files where it draws everything that we draw.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from lxml import etree

from benchmarks.drawn import drawn
from benchmarks.generated import process
from diglot.compiler import compile_source
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report
from diglot.compiler.layout import Layout, Sketch
from diglot.compiler.layout.lay_out import lay_out
from diglot.compiler.layout.quality import Quality, measure

_SUITES = Path(os.environ.get("DIGLOT_SUITES") or "../shared/suites")
_CASES = Path(__file__).resolve().parents[1] / "conformance"
_SUFFIXES = (".yaml", ".yml", ".json", ".bpmn")
_DIAGRAM = "{http://www.omg.org/spec/BPMN/20100524/DI}BPMNDiagram"
#: How large the generated processes are; as many of each, by different dice.
SIZES = (10, 20, 40, 80, 160, 320, 640)
EACH = 6
LARGEST = 1000


@dataclass(frozen=True, slots=True)
class Model:
    """A file that was drawn anew, with its first plane."""

    group: str
    name: str
    text: str
    sketch: Sketch
    layout: Layout


def models() -> Iterator[Model]:
    """All models, each drawn without regard to the diagram that it had."""
    for group, name, data in _documents():
        compiled = compile_source(data, name)
        if compiled.graphs and not compiled.has_errors:
            graphs = [_without_diagram(graph) for graph in compiled.graphs]
            text = write_bpmn(graphs, Report())
            if text is not None:
                sketch, layout = drawn(text.encode())
                yield Model(group, name, text, sketch, layout)


def _documents() -> Iterator[tuple[str, str, bytes]]:
    """(group, name, content)."""
    workflows = _SUITES / "serverless-workflow"
    folders = {
        "official examples": workflows / "main-2026-07-29" / "examples",
        "real workflows": workflows / "wild",
        "MIWG": _SUITES / "bpmn" / "miwg" / "reference",
        "betsy": _SUITES / "bpmn" / "betsy",
        "token simulation": _SUITES / "bpmn" / "token-simulation" / "files",
        "real processes": _SUITES / "bpmn" / "wild",
        "workflow cases": _CASES / "serverless-workflow",
        "process cases": _CASES / "bpmn",
    }
    for group, folder in folders.items():
        for file in sorted(folder.rglob("*")):
            if file.suffix in _SUFFIXES and "constraints" not in str(file):
                yield group, file.name, file.read_bytes()
    for size in SIZES:
        for number in range(EACH):
            yield "generated", f"{size}-{number}", process(size, number).encode()
    for number in range(EACH):
        yield "1,000 nodes", f"{LARGEST}-{number}", process(LARGEST, number).encode()


def _without_diagram(graph: Any) -> Any:
    return msgspec.structs.replace(graph, presentation=None)


def peer(model: Model) -> Layout | None:
    """The same file laid out by bpmn-auto-layout; nothing where it leaves something out."""
    from bpmn_io import LayoutError, layout_process

    root = etree.fromstring(model.text.encode())
    for diagram in root.findall(_DIAGRAM):
        root.remove(diagram)
    try:
        sketch, layout = drawn(layout_process(etree.tostring(root, encoding="unicode")).encode())
    except (LayoutError, AttributeError, KeyError, TypeError, ValueError):
        return None
    wanted = {(item.id, item.kind) for item in model.sketch.items}
    links = {link.id for link in model.sketch.links}
    is_whole = wanted == {(item.id, item.kind) for item in sketch.items}
    return layout if is_whole and links == {link.id for link in sketch.links} else None


def timed(action: Callable[[], object]) -> float:
    """How long it takes, in ms."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def total(found: Iterable[Quality]) -> dict[str, int]:
    """The sums of all qualities."""
    sums: dict[str, int] = {}
    for one in found:
        for name, count in msgspec.to_builtins(one).items():
            sums[name] = sums.get(name, 0) + count
    return sums


def _percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, math.ceil(share * len(times)) - 1)]


def _told(sums: dict[str, int]) -> str:
    """What there is of what should not be, and how many crossings and bends."""
    names = [name for name in sums if name not in ("crossings", "bends") and sums[name]]
    names += ["crossings", "bends"]
    return ", ".join(f"{sums.get(name, 0)} {name.replace('_', ' ')}" for name in names)


def main() -> None:
    """Print what was measured."""
    if not _SUITES.is_dir():
        print(f"ONLY GENERATED MODELS ARE LAID OUT: {_SUITES} is not there")
    everything = list(models())
    qualities = {id(one): measure(one.sketch, one.layout) for one in everything}
    print(f"{len(everything)} models: {_told(total(qualities.values()))}")
    for group in dict.fromkeys(one.group for one in everything):
        some = [one for one in everything if one.group == group]
        times = [timed(lambda one=one: lay_out(one.sketch)) for one in some]
        nodes = [len(one.sketch.items) for one in some]
        sums = total(qualities[id(one)] for one in some)
        print(
            f"{group:18} {len(some):4} models of {min(nodes)} to {max(nodes)} shapes"
            f"   {statistics.median(times):7.1f} ms median, {_percentile(times, 0.95):.1f} ms p95,"
            f" {max(times):.1f} ms slowest   {_told(sums)}"
        )
    times = [timed(lambda one=one: lay_out(one.sketch)) for one in everything]
    print(
        f"{'all':18} {len(everything):4} models"
        f"   {statistics.median(times):7.1f} ms median, {_percentile(times, 0.95):.1f} ms p95"
    )
    _compare(everything, qualities)


def _compare(everything: list[Model], qualities: dict[int, Quality]) -> None:
    try:
        compared = [(one, layout) for one in everything if (layout := peer(one)) is not None]
    except ImportError:
        print("bpmn-auto-layout   not installed: pip install 'bpmn-io==0.2.2'")
        return
    count = len(compared)
    print(f"of these, {count} models that bpmn-auto-layout draws whole")
    ours = total(qualities[id(one)] for one, _ in compared)
    theirs = total(measure(one.sketch, layout) for one, layout in compared)
    for name, sums in (("ours", ours), ("bpmn-auto-layout", theirs)):
        crossings, bends = sums["crossings"] / count, sums["bends"] / count
        print(f"{name:18} {crossings:.3f} crossings and {bends:.2f} bends a model   {_told(sums)}")


if __name__ == "__main__":
    main()
