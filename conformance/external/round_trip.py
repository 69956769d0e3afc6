"""Every BPMN file that compiles, in and out: another reader finds what it found, or was told.

The reference models are listed with their counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from lxml import etree

from diglot.compiler import Compiled, compile_source
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report

from .differ import counted, differences, untold
from .miwg import reference_models
from .outcome import Outcome, Reporter, Verdict, judged, settled
from .vendors import members


def run(
    suites: Path, report: Reporter, *, chosen: Callable[[str], bool] = lambda name: True
) -> Outcome:
    """Write every file that compiles, of those whose names are chosen; compare it with its source.

    The reference models are always among them.
    """
    tally = Counter[str]()
    listed = {f"bpmn/miwg/reference/{file.name}" for file in reference_models(suites)}
    verdicts: list[Verdict] = []
    for name, data in _files(suites):
        if name not in listed and not chosen(name):
            continue
        compiled = compile_source(data, name.rpartition("/")[2])
        if compiled.is_refused or not compiled.graphs:
            tally["do not compile"] += 1
            continue
        tell = report if name in listed else None
        problem = partial(_problem, name, data, compiled, tally, tell)
        verdicts.append(judged(f"round-trip/{name}", problem))
    report(", ".join(f"{count} {what}" for what, count in sorted(tally.items())))
    return settled(verdicts, report)


def _files(suites: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted((suites / "bpmn").rglob("*.bpmn")):
        yield file.relative_to(suites).as_posix(), file.read_bytes()
    for archive in sorted((suites / "bpmn" / "miwg").glob("*.tar.gz")):
        for name, data in members(archive):
            yield f"{archive.relative_to(suites).as_posix()}/{name}", data


def _problem(
    name: str, data: bytes, compiled: Compiled, tally: Counter[str], tell: Reporter | None
) -> str | None:
    found = Report()
    text = write_bpmn(compiled.graphs, found)
    if text is None:
        return "it is not written"
    try:
        altered = differences(data, text)
    except etree.XMLSyntaxError:
        # Wrong bytes and namespaces that are no URIs: Diglot takes them, the other reader does not.
        tally["not read by the other reader"] += 1
        return None
    if tell is not None:
        tell(f"{name}: {counted(altered)}")
    tally["with alterations that are told" if altered else "without a difference"] += 1
    # What has no value of its type is told, and left out, where the file is read.
    left = untold(altered, Report([*compiled.diagnostics, *found]))
    return f"{len(left)} differences nobody told, the first: {left[0]}" if left else None
