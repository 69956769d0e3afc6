"""The ways to play a case. All of them have to come to the same end.

The numbers are those of the matrix; 2 (PostgreSQL), 7 (the checker's verdict) and 8 (over HTTP) are
not played.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from diglot.compiler.graph import Graph
from diglot.runtime.actions import close_connections
from diglot.runtime.errors import CorruptState

from .case import Case
from .doubles import Servers
from .driver import Play, PlayError, compiled, graphs_of, imports_of
from .expectations import unmet_diagnostics
from .exported import NotCarried, Way, export, ways_of
from .kill import play_and_kill
from .observation import Observation, disagreements, observe

#: How many kills of a case are tried where not all of them are.
SAMPLE = 4

#: Plays a case in one way; yields whatever is not as it has to be.
Player = Callable[["Stage", Case], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to play a case."""

    number: int
    name: str
    summary: str
    play: Player


MODES: dict[int, Mode] = {}


def mode(number: int, name: str, summary: str) -> Callable[[Player], Player]:
    """Register the one player of a mode."""

    def register(play: Player) -> Player:
        if number in MODES:
            raise RuntimeError(f"mode {number} is declared twice")
        MODES[number] = Mode(number, name, summary, play)
        return play

    return register


def modes_of(case: Case) -> list[Mode]:
    """The modes that apply to a case: a document that is refused is not played at all."""
    return [one for one in MODES.values() if one.number == 1 or not case.is_refused]


class Stage:
    """What plays need around them: servers for the doubles, folders for the databases."""

    def __init__(self, servers: Servers, *, seed: int, sweeps_all: bool = False) -> None:
        self.servers = servers
        self.seed = seed
        self.sweeps_all = sweeps_all
        self._ends: dict[Path, Observation] = {}

    @contextmanager
    def folder(self) -> Generator[Path]:
        """A folder that is gone afterwards, in memory where the machine has such a place."""
        memory = Path("/dev/shm")
        parent = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
        path = Path(tempfile.mkdtemp(prefix="conformance-", dir=parent))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def plain_end(self, case: Case) -> Observation:
        """How the case ends when nothing happens to it."""
        found = self._ends.get(case.definition)
        if found is None:
            with self.play(case) as play:
                while not play.is_done:
                    play.next()
                found = self._ends[case.definition] = observe(play.evidence())
        return found

    @contextmanager
    def play(self, case: Case, graphs: Sequence[Graph] | None = None) -> Generator[Play]:
        """A play in a folder of its own, of these graphs or of those of the case's files."""
        with self.folder() as folder:
            play = Play(case, folder, self.servers, graphs=graphs)
            try:
                yield play
            finally:
                play.close()


def run(stage: Stage, case: Case, mode: Mode) -> list[str]:
    """Play a case in one mode: what was not as it has to be."""
    document = compiled(case.definition, is_strict=case.is_strict)
    found = list(unmet_diagnostics(case.expect.get("diagnostics"), document.diagnostics))
    if found or case.is_refused:
        return found
    if document.has_errors:
        return ["the document has errors, so nothing else can be expected of it"]
    try:
        return list(mode.play(stage, case))
    except (PlayError, NotCarried) as error:
        return [str(error)]
    finally:
        close_connections()


@mode(1, "sqlite", "one engine on one SQLite file")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.play(case) as play:
        while not play.is_done:
            play.next()
        yield from play.finish()


@mode(3, "restart", "a new engine between any two steps")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.play(case) as play:
        while not play.is_done:
            play.next()
            play.close()
        yield from play.finish()
        yield from disagreements(stage.plain_end(case), observe(play.evidence()))


@mode(4, "kill", "the engine dies before and after every commit")
def _(stage: Stage, case: Case) -> Iterator[str]:
    for moment in _moments(stage, case):
        with stage.folder() as folder:
            try:
                play, _ = play_and_kill(case, folder, stage.servers, moment)
            except PlayError as error:
                yield f"killed at moment {moment}: {error}"
                return
            try:
                found = [
                    *play.finish(),
                    *disagreements(stage.plain_end(case), observe(play.evidence())),
                    *_corruptions(play),
                ]
            finally:
                play.close()
        if found:
            yield from (f"killed at moment {moment} (seed {stage.seed}): {one}" for one in found)
            return


@mode(5, "fold", "history folded again gives the rows, after every step")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.play(case) as play:
        while not play.is_done:
            play.next()
            yield from _corruptions(play)
        yield from play.finish()
        yield from disagreements(stage.plain_end(case), observe(play.evidence()))


@mode(6, "bpmn", "written as BPMN, read again and played")
def _(stage: Stage, case: Case) -> Iterator[str]:
    for way in _ways(stage, case):
        graphs = graphs_of(case, partial(_carried, way))
        with stage.play(case, graphs) as play:
            while not play.is_done:
                play.next()
            found = [
                *play.finish(),
                *disagreements(stage.plain_end(case), observe(play.evidence())),
            ]
        if found:
            yield from (f"{way} (seed {stage.seed}): {one}" for one in found)
            return


def _ways(stage: Stage, case: Case) -> list[Way]:
    """The ways to write a case: all there are, or one of them, by the seed and the case."""
    ways = ways_of(graphs_of(case))
    return ways if stage.sweeps_all else [random.Random(f"{stage.seed} {case.id}").choice(ways)]


def _carried(way: Way, path: Path, is_strict: bool) -> Sequence[Graph]:
    """The graphs of a definition after they were written in one way and read again."""
    document = compiled(path, is_strict=is_strict)
    found = export(document, way, is_strict=is_strict, resolve=imports_of(path))
    return found.compiled.graphs


def _corruptions(play: Play) -> Iterator[str]:
    for instance in play.instances():
        try:
            play.engine.verify(instance)
        except CorruptState as error:
            yield f"step {play.progress.step}: {error}"


def _moments(stage: Stage, case: Case) -> list[int]:
    """The moments at which a case is killed: all it has, or some, by the seed and the case."""
    with stage.folder() as folder:
        play, count = play_and_kill(case, folder, stage.servers, None)
        play.close()
    most = count if stage.sweeps_all else SAMPLE
    chosen = random.Random(f"{stage.seed} {case.id}")
    return sorted(chosen.sample(range(count), min(most, count)))
