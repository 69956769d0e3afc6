"""Is it sound? Ours against two other checkers, on generated processes whose truth is known.

Each model is judged in a process of its own, with a limit of time and of memory. Times are those of
the processor, as others work on the machine, too, and ours are taken as the command takes them,
which seldom looks for circles of objects. Peers are asked
only for what is comparable: rust-bpmn-analyzer for its four properties, each of which walks through
all states anew, pm4py for the soundness of the net after it has imported the file. Once a peer has
given up on a family, its larger ones are not tried.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_SUITES = Path(os.environ.get("DIGLOT_SUITES", ROOT.parent / "shared" / "suites"))
#: The interpreter that has the peers, where it is not this one.
_PEERS = os.environ.get("DIGLOT_PEERS", sys.executable)
LIMIT_S = 10
LIMIT_BYTES = 4 << 30
#: The best of so many runs, of those that take less than a second.
ROUNDS = 3
#: The clock of the processor ticks by some milliseconds: what is short is done again and again.
ENOUGH_MS = 50
#: Of each family some sizes: where peers still answer, where they stop, and the largest.
MODELS = (
    "par_5x1", "par_10x1", "par_15x1", "par_20x1", "par_100x100", "chain_10", "chain_100",
    "chain_2000", "andnest_3", "andnest_4", "andnest_12", "parxor_5", "parxor_8", "parxor_1000",
    "loopnest_50", "loopnest_200", "loopseq_1000", "loopand_15", "loopand_100", "parloop_8",
    "ladder_10", "ladder_20", "ladder_1000", "orblk_6", "orblk_100",
    "rnd_100", "rnd_1000", "rnd_10000", "bad_sync_10", "bad_sync_100", "bad_latedead_15",
    "bad_latedead_1000", "bad_innerdead_8", "bad_innerdead_100", "bad_cross_12", "bad_livelock",
)  # fmt: skip


def families() -> dict[str, tuple[str, int, str]]:
    """By name the text of a generated process, its nodes, and what is wrong with it."""
    # Imported here because a peer's interpreter, which judges one model, has none of this.
    sys.path.insert(0, str(ROOT))
    from conformance.external.families import generated

    made = generated(_SUITES / "soundness" / "generate_families.py")
    return {one.name: (one.text, one.nodes, one.kind) for one in made}


def best_ms(action: Callable[[], object]) -> float:
    """Of several runs the fastest, each as often as the clock needs; of a slow one the first."""
    once = _cpu_ms(action, 1)
    if once > 1000:
        return once
    times = max(1, round(ENOUGH_MS / max(once, 1)))
    return min(_cpu_ms(action, times) for _ in range(ROUNDS))


def _cpu_ms(action: Callable[[], object], times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - began) * 1000 / times


# -- in a process of its own


def _ours(text: str) -> dict[str, Any]:
    from diglot.compiler import compile_source
    from diglot.compiler.checks.soundness.fault import faults_of
    from diglot.compiler.checks.soundness.surroundings import Surroundings

    def kinds() -> list[str]:
        return [one.kind for scope in graph.scopes for one in faults_of(Surroundings(graph), scope)]

    gc.set_threshold(200_000, 10, 10)
    (graph,) = compile_source(text, "process.bpmn").graphs
    found = kinds()
    return {
        "ms": best_ms(lambda: compile_source(text, "process.bpmn")),
        "own_ms": best_ms(kinds),
        "verdict": ", ".join(dict.fromkeys(found)) or "sound",
    }


def _rust(text: str) -> dict[str, Any]:
    peer: Any = import_module("rust_bpmn_analyzer_bindings")
    properties = {
        "unsafe": peer.analyze_safeness,
        "stuck": peer.analyze_option_to_complete,
        "improper": peer.analyze_proper_completion,
        "dead": peer.analyze_dead_activities,
    }
    wrong: list[str] = []

    def analyze() -> None:
        wrong[:] = [name for name, ask in properties.items() if not ask(text).fulfilled]

    taken = best_ms(analyze)
    return {"ms": taken, "verdict": ", ".join(wrong) or "sound"}


def _woflan(text: str) -> dict[str, Any]:
    pm4py: Any = import_module("pm4py")
    algorithm: Any = import_module("pm4py.algo.analysis.woflan.algorithm")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "process.bpmn"
        path.write_text(text)
        net, begin, end = pm4py.convert_to_petri_net(pm4py.read_bpmn(str(path)))
    quiet = {"print_diagnostics": False, "return_asap_when_not_sound": True}
    verdicts: list[bool] = []
    taken = best_ms(lambda: verdicts.append(algorithm.apply(net, begin, end, parameters=quiet)))
    return {"ms": taken, "verdict": "sound" if verdicts[-1] else "not sound"}


_CHECKERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "ours": _ours,
    "rust-bpmn-analyzer": _rust,
    "pm4py": _woflan,
}


def _judge(checker: str) -> None:
    """What the process of its own does: the model comes in, the verdict goes out."""
    text = sys.stdin.read()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    # At the second limit it is killed, and nobody knows by what.
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 5))
    # A peer prints what it likes.
    out = os.dup(1)
    os.dup2(2, 1)
    found = _CHECKERS[checker](text)
    os.write(out, json.dumps({**found, "mb": round(_peak_kb() / 1024)}).encode())


def _peak_kb() -> int:
    """The most memory that this process had; what is told of it otherwise includes its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


# -- the table


def judged(checker: str, text: str) -> dict[str, Any] | str:
    """What a checker says of a model, or why it says nothing."""
    python = sys.executable if checker == "ours" else _PEERS
    command = [python, __file__, checker]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, env=environment, check=False
    )
    if done.returncode == -signal.SIGXCPU:
        return f"> {LIMIT_S} s"
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout)
        return found
    said = done.stderr.decode(errors="replace")
    if "Unsupported" in said:
        return "unsupported"
    return "out of memory" if "emory" in said or done.returncode < 0 else "crash"


def peers() -> Iterator[str]:
    """The peers that are there; what is not is told."""
    for name, module, package in (
        ("rust-bpmn-analyzer", "rust_bpmn_analyzer_bindings", "rust_bpmn_analyzer-bindings==0.2.0"),
        ("pm4py", "pm4py", "pm4py==2.7.23.11"),
    ):
        found = subprocess.run([_PEERS, "-c", f"import {module}"], capture_output=True, check=False)
        if found.returncode == 0:
            yield name
        else:
            print(f"{name.upper()} IS NOT COMPARED: pip install '{package}', or set DIGLOT_PEERS")


def _duration(ms: float) -> str:
    return f"{ms:.1f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def _cell(found: dict[str, Any] | str) -> str:
    if isinstance(found, str):
        return found
    return f"{_duration(found['ms'])}, {found['mb']} MB, {found['verdict']}"


def main() -> None:
    """Print the table."""
    if not (_SUITES / "soundness" / "generate_families.py").is_file():
        print(f"NOTHING IS COMPARED: {_SUITES} is not there; set DIGLOT_SUITES")
        return
    others = list(peers())
    made = families()
    given_up: set[tuple[str, str]] = set()
    print(f"Limits: {LIMIT_S} s, {LIMIT_BYTES >> 30} GB; the best of {ROUNDS} runs below 1 s.\n")
    titles = ["model", "nodes", "it is", "ours: text to findings", "of which soundness", *others]
    print(f"| {' | '.join(titles)} |\n|---|--:|---|---|---|{'---|' * len(others)}", flush=True)
    for name in MODELS:
        text, nodes, truth = made[name]
        family = name.rpartition("_")[0]
        ours = judged("ours", text)
        own = "" if isinstance(ours, str) else f"{_duration(ours['own_ms'])}, {ours['verdict']}"
        shown = ours if isinstance(ours, str) else f"{_duration(ours['ms'])}, {ours['mb']} MB"
        row = [name, f"{nodes:,}", truth, shown, own]
        for other in others:
            if (other, family) in given_up:
                row.append("not tried")
                continue
            found = judged(other, text)
            if isinstance(found, str):
                given_up.add((other, family))
            row.append(_cell(found))
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _judge(sys.argv[1])
    else:
        main()
