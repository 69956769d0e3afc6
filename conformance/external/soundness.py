"""What is known to be sound or not: nets out of industry, generated processes, others' models.

A run that is to show what is wrong with a net is played on it, and what a process is said to do
wrong the machine is made to do. Times are those of the processor.
"""

from __future__ import annotations

import re
import statistics
import tarfile
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from conformance.harness.checked import unlike
from diglot.compiler import compile_source
from diglot.compiler.checks.soundness.decision import decide
from diglot.compiler.checks.soundness.net import Net, Transition, replay
from diglot.compiler.checks.soundness.scope_net import net_of
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.checks.soundness.verdict import Verdict
from diglot.compiler.pipeline import Compiled

from . import soundness_collaborations, soundness_others
from .families import generated
from .outcome import Outcome, Reporter, judged, settled
from .outcome import Verdict as Judgement
from .soundness_disputes import DISPUTES

_NET = re.compile(r"\s*PLACE\s*(.*?);\s*MARKING\s*(.*?);(.*)", re.S)
_STEP = re.compile(r"TRANSITION\s+\S+\s*CONSUME\s*(.*?);\s*PRODUCE\s*(.*?);", re.S)
#: Kinds by the words of the generator.
_KINDS = {"sound": "sound", "deadlock": "stuck", "unsafe": "doubled", "livelock": "endless"}
_FINAL = re.compile(r"(\S+) > 0")
#: Families are timed apart from this many nodes on.
_SMALL = 1_000


#: What took how long, in milliseconds, by what is measured.
_Times = dict[str, list[float]]


def run(suites: Path, report: Reporter) -> Outcome:
    """Decide every net, every process and every collaboration."""
    folder = suites / "soundness"
    generator = folder / "generate_families.py"
    times: _Times = {}
    verdicts = [
        *_nets(folder / "ibm-bit", times),
        *(_families(generator, times) if generator.is_file() else ()),
        *soundness_others.run(folder),
        *soundness_collaborations.run(suites / "bpmn" / "fbpmn"),
    ]
    for name, found in times.items():
        mean, slowest = statistics.mean(found), max(found)
        report(f"{name}: {len(found)} in {mean:.2f} ms on average, {slowest:.1f} ms at most")
    return settled(verdicts, report, DISPUTES)


def _timed(times: _Times, name: str, problem: Callable[[], str | None]) -> str | None:
    began = time.process_time_ns()
    try:
        return problem()
    finally:
        times.setdefault(name, []).append((time.process_time_ns() - began) / 1e6)


def _nets(folder: Path, times: _Times) -> Iterator[Judgement]:
    for archive in sorted(folder.glob("lib_*.tar.gz")):
        library = archive.name.removeprefix("lib_").removesuffix(".tar.gz")
        lines = (folder / f"lib{library}.txt").read_text("utf-8").splitlines()
        for line in filter(None, lines):
            # The name and, last, whether it is sound.
            name, *_, truth = line.split()
            files = _members(archive)
            net = _net(files[Path(name).name], files[f"{Path(name).name}.fin.task"])
            case = f"soundness/{Path(name).stem}"
            problem = partial(_problem, net, truth == "1")
            yield judged(case, partial(_timed, times, f"library {library}, nets", problem))


@cache
def _members(archive: Path) -> dict[str, str]:
    """The text of every file of an archive, by its name without folders."""
    with tarfile.open(archive) as opened:
        files = {member.name: opened.extractfile(member) for member in opened}
        return {
            name.rpartition("/")[2]: file.read().decode() for name, file in files.items() if file
        }


def _net(text: str, final: str) -> Net:
    """A net in LoLA's format; its final places are ends, each of which takes a token away."""
    found = _NET.match(re.sub(r"\{[^}]*\}", "", text))
    assert found is not None, "the net is not in the format of LoLA"
    index = {name.strip(): place for place, name in enumerate(found[1].split(","))}

    def places(listed: str) -> tuple[int, ...]:
        names = (one.rpartition(":")[0].strip() for one in listed.split(","))
        return tuple(index[name] for name in names if name)

    steps = [Transition(places(one[1]), places(one[2])) for one in _STEP.finditer(found[3])]
    steps += [Transition((index[name],), ()) for name in _FINAL.findall(final)]
    return Net(len(index), tuple(steps), places(found[2]))


def _problem(net: Net, is_sound: bool) -> str | None:
    verdict = decide(net)
    if (verdict.kind == "sound") != is_sound or verdict.kind == "undecided":
        return f"it is {verdict.kind}"
    return _unshown(net, verdict)


def _unshown(net: Net, verdict: Verdict) -> str | None:
    """Why the run of a verdict does not show what is wrong, or nothing."""
    game = replay(net, verdict.run)
    match verdict.kind:
        case "doubled" if game.doubled is None:
            return "no place has two tokens at the end of the run"
        case "stuck" if game.enabled() or not game.marking():
            return "at the end of the run something can go on, or all is over"
        case "endless" if not game.enabled():
            return "nothing can go on at the end of the run"
        case _:
            return None


def _families(generator: Path, times: _Times) -> Iterator[Judgement]:
    """The processes that the generator makes, each with what is wrong with it."""
    for one in generated(generator):
        size = "up to" if one.nodes <= _SMALL else "more than"
        group = f"families of {size} {_SMALL:,} nodes, text to findings"
        yield judged(
            f"soundness/{one.name}", partial(_problem_of_process, one.text, one.kind, times, group)
        )


def _problem_of_process(text: str, kind: str, times: _Times, group: str) -> str | None:
    compiled: list[Compiled] = []
    _timed(times, group, lambda: compiled.append(compile_source(text, "process.bpmn")))
    (graph,) = compiled[0].graphs
    around = Surroundings(graph)
    for scope in graph.scopes:
        net = net_of(around, scope).net
        verdict = decide(net)
        if verdict.kind not in [_KINDS[one] for one in kind.split("+")]:
            return f"it is {verdict.kind}"
        if (problem := _unshown(net, verdict)) is not None:
            return problem
    return None if kind == "sound" else next(unlike(graph), None)
