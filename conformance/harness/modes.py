"""The ways to play a case. All of them have to come to the same end.

The numbers are those of the matrix; 8 (over HTTP) is not played.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from diglot.compiler.graph import Graph
from diglot.runtime.actions import close_connections
from diglot.runtime.errors import CorruptState
from diglot.runtime.state import State
from diglot.runtime.store import CommitHook, open_store
from diglot.runtime.whole import restore, whole

from .case import Case
from .checked import FEW, unlike
from .doubles import Servers
from .driver import DATABASE, Play, PlayError, compiled, graphs_of, imports_of
from .expectations import unmet_diagnostics
from .exported import NotCarried, Way, export, ways_of
from .kill import Commits, play_and_kill
from .observation import Observation, disagreements, observe
from .postgres import FAST, Server

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


@dataclass(frozen=True, slots=True)
class Plain:
    """How a case goes when nothing happens to it."""

    end: Observation
    #: The moments before and after its commits.
    moments: int


class Stage:
    """What plays need around them: servers for the doubles, folders for the databases."""

    def __init__(self, servers: Servers, *, seed: int, sweeps_all: bool = False) -> None:
        self.servers = servers
        self.seed = seed
        self.sweeps_all = sweeps_all
        self._plain: dict[Path, Plain] = {}
        self._postgres: Server | None = None

    def close(self) -> None:
        """Let go of what plays have needed."""
        if self._postgres is not None:
            self._postgres.remove()

    def postgres(self) -> str:
        """The address of an empty database, which one play after the other may use."""
        if self._postgres is None:
            self._postgres = Server(*FAST).create().start()
        self._postgres.take_back()
        return self._postgres.laid_out()

    @contextmanager
    def folder(self) -> Generator[Path]:
        """A folder with an empty database that is gone afterwards."""
        path = Path(tempfile.mkdtemp(prefix="conformance-", dir=_memory()))
        try:
            # Laid out once for all of them.
            (path / DATABASE).write_bytes(_empty_database())
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def plain(self, case: Case) -> Plain:
        """How the case goes when nothing happens to it; it is played once."""
        if case.definition not in self._plain:
            with self.whole(case):
                pass
        return self._plain[case.definition]

    def plain_end(self, case: Case) -> Observation:
        """How the case ends when nothing happens to it."""
        return self.plain(case).end

    @contextmanager
    def whole(self, case: Case) -> Generator[Play]:
        """A play that is done, and that nothing happened to."""
        commits = Commits(None, lambda: None)
        with self.play(case, on_commit=commits) as play:
            while not play.is_done:
                play.next()
            self._plain[case.definition] = Plain(observe(play.evidence()), commits.moments)
            yield play

    @contextmanager
    def play(
        self,
        case: Case,
        graphs: Sequence[Graph] | None = None,
        *,
        on_commit: CommitHook | None = None,
        database: str | None = None,
    ) -> Generator[Play]:
        """A play in a folder of its own, of these graphs or of those of the case's files."""
        with self.folder() as folder:
            play = Play(
                case,
                folder,
                self.servers,
                graphs=graphs,
                on_commit=on_commit,
                database=database,
            )
            try:
                yield play
            finally:
                play.close()


def _memory() -> Path | None:
    """A folder in memory, where the machine has such a place."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and os.access(memory, os.W_OK) else None


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder, DATABASE)
        open_store(f"sqlite:///{path}").close()
        return path.read_bytes()


def run(stage: Stage, case: Case, mode: Mode) -> list[str]:
    """Play a case in one mode: what was not as it has to be."""
    document = compiled(case.definition, is_strict=case.is_strict)
    found = list(unmet_diagnostics(case.expect.get("diagnostics"), document.diagnostics))
    if found or case.is_refused:
        return found
    if document.is_refused:
        return ["the document is refused, so nothing else can be expected of it"]
    try:
        return list(mode.play(stage, case))
    except (PlayError, NotCarried) as error:
        return [str(error)]
    finally:
        close_connections()


@mode(1, "sqlite", "one engine on one SQLite file")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.whole(case) as play:
        yield from play.finish()


@mode(3, "restart", "a new engine between any two steps")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.play(case) as play:
        while not play.is_done:
            play.next()
            play.close()
        yield from play.finish()
        yield from disagreements(stage.plain_end(case), observe(play.evidence()))


@mode(2, "postgres", "one engine on a PostgreSQL database, and one that dies at its commits")
def _(stage: Stage, case: Case) -> Iterator[str]:
    with stage.play(case, database=stage.postgres()) as play:
        while not play.is_done:
            play.next()
        yield from play.finish()
        yield from disagreements(stage.plain_end(case), observe(play.evidence()))
        yield from _corruptions(play)
    yield from _killed(stage, case, stage.postgres, 1)


@mode(4, "kill", "the engine dies before and after every commit")
def _(stage: Stage, case: Case) -> Iterator[str]:
    yield from _killed(stage, case, lambda: None, SAMPLE)


def _killed(
    stage: Stage, case: Case, database: Callable[[], str | None], sample: int
) -> Iterator[str]:
    """What is not as it has to be when the engine dies at a moment, each time another one."""
    for moment in _moments(stage, case, sample):
        with stage.folder() as folder:
            try:
                play, _ = play_and_kill(case, folder, stage.servers, moment, database=database())
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
            yield from _losses(play)
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


@mode(7, "checked", "the checker finds what the machine comes to when it may do anything")
def _(stage: Stage, case: Case) -> Iterator[str]:
    most = 20 * FEW if stage.sweeps_all else FEW
    for graph in graphs_of(case):
        yield from unlike(graph, most)


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


def _losses(play: Play) -> Iterator[str]:
    """What a state is not any more after it was written down as a whole and read again."""
    for instance in play.instances():
        known, read = play.engine.state(instance), State(instance)
        restore(read, whole(known))
        for name in State.__slots__:
            if name not in _OF_A_COMMIT and getattr(read, name) != getattr(known, name):
                yield f"step {play.progress.step}: {name} is another one when it is read again"


#: What a state has between two commits only, or as a row of one database.
_OF_A_COMMIT = frozenset(("number", "touched", "assigned", "board", "moves"))


def _moments(stage: Stage, case: Case, sample: int) -> list[int]:
    """The moments at which a case is killed: all it has, or some, by the seed and the case."""
    count = stage.plain(case).moments
    most = count if stage.sweeps_all else sample
    chosen = random.Random(f"{stage.seed} {case.id}")
    return sorted(chosen.sample(range(count), min(most, count)))
