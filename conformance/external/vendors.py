"""What modelling tools wrote for the interchange tests of the standard's own group.

Every export is read into graphs that hold, or refused with exact findings; one line a refusal.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .imports import Tally, problem_of_import
from .outcome import Outcome, Reporter, judged, settled

#: Larger files, and more of them, are none of the suite.
_LARGEST = 32 * 1024 * 1024
_MOST_FILES = 5_000


def run(suites: Path, report: Reporter) -> Outcome:
    """Read every export there is."""
    tally = Tally()
    verdicts = [
        judged(f"vendors/{name}", partial(problem_of_import, data, name, tally, report))
        for archive in sorted((suites / "bpmn" / "miwg").glob("*.tar.gz"))
        for name, data in members(archive)
    ]
    report(tally.line)
    return settled(verdicts, report)


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """(name, content) of every BPMN file of an archive; nothing is written to disk.

    Raises:
        ValueError: the archive is larger than any such suite.
    """
    with tarfile.open(archive) as opened:
        for number, member in enumerate(opened):
            if number >= _MOST_FILES or member.size > _LARGEST:
                raise ValueError(f"{archive.name} is too large")
            content = opened.extractfile(member) if member.isfile() else None
            if content is not None and member.name.endswith(".bpmn"):
                yield member.name, content.read(_LARGEST)
