"""What is known to be sound or not: nets out of industry, and generated processes of every size.

A run that is to show what is wrong with a net is played on it.
"""

from __future__ import annotations

import re
import sys
import tarfile
from collections.abc import Iterator
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from diglot.compiler import compile_source
from diglot.compiler.checks.soundness.decision import Verdict, decide
from diglot.compiler.checks.soundness.net import Net, Transition, replay
from diglot.compiler.checks.soundness.scope_net import net_of
from diglot.compiler.checks.ways import Ways
from diglot.compiler.graph import Handler

from .outcome import Outcome, Reporter, judged, settled
from .outcome import Verdict as Judgement

_NET = re.compile(r"\s*PLACE\s*(.*?);\s*MARKING\s*(.*?);(.*)", re.S)
_STEP = re.compile(r"TRANSITION\s+\S+\s*CONSUME\s*(.*?);\s*PRODUCE\s*(.*?);", re.S)
#: Kinds by the words of the generator.
_KINDS = {"sound": "sound", "deadlock": "stuck", "unsafe": "doubled", "livelock": "endless"}
_FINAL = re.compile(r"(\S+) > 0")


def run(suites: Path, report: Reporter) -> Outcome:
    """Decide every net and every process."""
    folder = suites / "soundness"
    generator = folder / "generate_families.py"
    families = _families(generator) if generator.is_file() else ()
    return settled([*_nets(folder / "ibm-bit"), *families], report)


def _nets(folder: Path) -> Iterator[Judgement]:
    for archive in sorted(folder.glob("lib_*.tar.gz")):
        library = archive.name.removeprefix("lib_").removesuffix(".tar.gz")
        lines = (folder / f"lib{library}.txt").read_text("utf-8").splitlines()
        for line in filter(None, lines):
            # The name and, last, whether it is sound.
            name, *_, truth = line.split()
            files = _members(archive)
            net = _net(files[Path(name).name], files[f"{Path(name).name}.fin.task"])
            case = f"soundness/{Path(name).stem}"
            yield judged(case, partial(_problem, net, truth == "1"))


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


def _families(generator: Path) -> Iterator[Judgement]:
    """The processes that the generator makes, each with what is wrong with it."""
    spec = spec_from_file_location("families", generator)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    depth = sys.getrecursionlimit()
    module.families()
    sys.setrecursionlimit(depth)
    for name, made, kind in module.FAM:
        yield judged(f"soundness/{name}", partial(_problem_of_process, made.xml(), kind))


def _problem_of_process(text: str, kind: str) -> str | None:
    (graph,) = compile_source(text, "process.bpmn").graphs
    ways, handlers = Ways(graph), dict[str, list[Handler]]()
    for handler in graph.handlers:
        if handler.node is not None:
            handlers.setdefault(handler.node, []).append(handler)
    for scope in graph.scopes:
        net = net_of(graph, ways, scope, handlers).net
        verdict = decide(net)
        if verdict.kind not in [_KINDS[one] for one in kind.split("+")]:
            return f"it is {verdict.kind}"
        if (problem := _unshown(net, verdict)) is not None:
            return problem
    return None
