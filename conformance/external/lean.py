"""Scenarios that say what is done to a process, played and compared after every stimulus.

Where another engine was observed, what it showed has to be seen: status, what waits, variables,
time. For the others the standard says it (`lean_ends`); a scenario that is in neither has to be
taken as it comes, each stimulus but the last. What is refused changes nothing, whoever says so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from diglot.compiler import compile_source

from .lean_disputes import DISPUTES
from .lean_ends import ENDS, End
from .lean_play import Look, Play, Reply, values
from .models import BPMN, parsed, tag, text_of
from .outcome import Outcome, Reporter, Verdict, judged, settled

_SCENARIO = "scenario.json"


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every scenario there is."""
    return settled(_verdicts(suites / "bpmn" / "lean-scenarios" / "files"), report, DISPUTES)


def _verdicts(folder: Path) -> Iterator[Verdict]:
    for file in sorted(folder.glob(f"*/*{_SCENARIO}")):
        stem = file.name.removesuffix(_SCENARIO).rstrip(".")
        case = f"{file.parent.name}/{stem}" if stem else file.parent.name
        yield judged(f"lean/{case}", partial(problem_of, folder, file, ENDS.get(case)))


def problem_of(folder: Path, file: Path, end: End | None) -> str | None:
    """What is wrong with how a scenario comes out; `end` where nobody was observed."""
    scenario = json.loads(file.read_text(encoding="utf-8"))
    # The first part of the path is the folder of all scenarios, whatever it is called here.
    model = folder.joinpath(*Path(scenario["bpmn"]["relativePath"]).parts[1:])
    data = model.read_bytes()
    compiled = compile_source(bound(data), model.name)
    for found in compiled.diagnostics:
        if found.severity.value == "error":
            return f"refused: {found.span} {found.code} {found.message}"
    play = Play(compiled.graphs, _messages(data))
    try:
        judge = _judge_of(file, end, scenario["stimuli"])
        return next(_problems(play, scenario["stimuli"], judge), None)
    finally:
        play.close()


def _messages(data: bytes) -> dict[str, str]:
    """The names of the messages of a file, by their ids."""
    found = parsed(data).iter(tag("message"))
    return {one.get("id", ""): one.get("name", one.get("id", "")) for one in found}


def bound(data: bytes) -> bytes:
    """The file, in which a plain task that an extension binds to somebody's work is a service task.

    By the standard alone a plain task does nothing; the scenarios know the extension.
    """
    root = parsed(data)
    found = [
        task
        for task in root.iter(tag("task"))
        for extension in task.iterfind(f"{tag('extensionElements')}/*[@type]")
        if not str(extension.tag).startswith(f"{{{BPMN}}}")
    ]
    for task in found:
        task.tag = tag("serviceTask")
    return text_of(root) if found else data


def _problems(play: Play, stimuli: Sequence[Mapping[str, Any]], judge: Judge) -> Iterator[str]:
    for number, stimulus in enumerate(stimuli):
        before = play.everything()
        reply = play.play(stimulus)
        named = stimulus["commandId"]
        if reply == "rejected" and play.everything() != before:
            yield f"{named} was refused and yet changed something"
        for problem in judge.problems(number, reply, play.look()):
            yield f"after {named}: {problem}"
    for row in play.engine.store.instances(limit=100):
        play.engine.verify(row.id)


class Judge:
    """Says what is wrong after a stimulus; this one knows only that stimuli are to be taken."""

    def __init__(self, stimuli: Sequence[Mapping[str, Any]]) -> None:
        self.stimuli = stimuli

    def problems(self, number: int, reply: Reply, look: Look) -> Iterator[str]:
        """What is wrong after stimulus `number`."""
        if reply == "rejected" and number + 1 < len(self.stimuli):
            yield "it was refused"
        if look.status == "faulted":
            yield "it faulted"


class _ByStandard(Judge):
    """By what the standard says comes of it."""

    def __init__(self, stimuli: Sequence[Mapping[str, Any]], end: End) -> None:
        super().__init__(stimuli)
        self.end = end

    def problems(self, number: int, reply: Reply, look: Look) -> Iterator[str]:
        end, is_last = self.end, number + 1 == len(self.stimuli)
        if len(end.waits) != len(self.stimuli):
            yield f"{len(end.waits)} looks are known of {len(self.stimuli)}"
            return
        expected = "rejected" if is_last and end.last_is_refused else "committed"
        yield from _differences({"reply": expected}, {"reply": reply})
        wanted: dict[str, Any] = {
            "waits": Counter(end.waits[number]),
            "status": "running" if end.waits[number] else end.status,
        }
        actual: dict[str, Any] = {"waits": _waits(look), "status": look.status}
        if is_last:
            wanted["variables"], actual["variables"] = dict(end.variables), dict(look.variables)
        yield from _differences(wanted, actual)


class _ByEvidence(Judge):
    """By what was observed; an engine that did the next stimuli at once shows only their end."""

    def __init__(self, stimuli: Sequence[Mapping[str, Any]], evidence: Mapping[str, Any]) -> None:
        super().__init__(stimuli)
        self._replies: dict[str, Reply] = {}
        self._states: dict[str, Mapping[str, Any]] = {}
        self._counts = {
            one["afterCommandId"]: one["processInstanceCount"]
            for one in evidence["producerObservations"]["stateQueries"]
        }
        command = ""
        for entry in evidence["result"]["trace"]:
            if entry["kind"] == "command":
                command = entry["commandId"]
                self._replies[command] = entry["outcome"]
            elif entry["kind"] == "state":
                self._states[command] = entry

    def problems(self, number: int, reply: Reply, look: Look) -> Iterator[str]:
        command = self._command(number)
        expected = self._replies[command]
        yield from _differences({"reply": expected}, {"reply": reply})
        later = self.stimuli[number + 1 :]
        if later and later[0]["commandId"] not in self._states:
            return
        yield from _differences(_observed(self._states[command]), _seen(look))
        counted = self._counts.get(command)
        if counted is not None and counted != look.open_instances:
            yield f"expected {counted} open instances, there are {look.open_instances}"

    def _command(self, number: int) -> str:
        """The command that a stimulus belongs to: its own, or the last one that was observed."""
        ids: list[str] = [one["commandId"] for one in self.stimuli[: number + 1]]
        return next(id for id in reversed(ids) if id in self._states)


def _judge_of(file: Path, end: End | None, stimuli: Sequence[Mapping[str, Any]]) -> Judge:
    stem = file.name.removesuffix(_SCENARIO)
    pattern = re.compile(re.escape(stem) + r"[^.]+-evidence\.json")
    for other in sorted(file.parent.iterdir()):
        if pattern.fullmatch(other.name):
            return _ByEvidence(stimuli, json.loads(other.read_text(encoding="utf-8")))
    return Judge(stimuli) if end is None else _ByStandard(stimuli, end)


def _observed(state: Mapping[str, Any]) -> dict[str, Any]:
    """What was observed, as `_seen` shows what is seen here."""
    return {
        "status": state["status"],
        "waits": Counter(
            f"{one['kind']} {one['elementId']}"
            for one in state["activeWaits"]
            for _ in range(one["multiplicity"])
        ),
        "tasks": _sorted({**one["id"], "name": one["name"]} for one in state["openUserTasks"]),
        "messages": _sorted(one["id"] for one in state["openMessageSubscriptions"]),
        "timers": _sorted(
            {**one["id"], "deadlineMs": one["deadlineMs"]} for one in state["openTimers"]
        ),
        "effects": _sorted(one["id"] for one in state["openEffects"]),
        "incidents": _sorted(one["id"]["effectId"] for one in state["openIncidents"]),
        "variables": values(state["variables"]),
        "clock": state["logicalTimeMs"],
    }


def _seen(look: Look) -> dict[str, Any]:
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for one in look.waiting:
        shown = dict(one.id)
        if one.kind == "userTask":
            shown["name"] = one.name
        elif one.kind == "timer":
            shown["deadlineMs"] = one.due_ms
        by_kind.setdefault(one.kind, []).append(shown)
    kinds = {"tasks": "userTask", "messages": "message", "timers": "timer"}
    kinds |= {"effects": "effect", "incidents": "incident"}
    return {
        "status": look.status,
        "waits": _waits(look),
        **{name: _sorted(by_kind.get(kind, ())) for name, kind in kinds.items()},
        "variables": dict(look.variables),
        "clock": look.clock_ms,
    }


def _waits(look: Look) -> Counter[str]:
    return Counter(f"{one.kind} {one.element}" for one in look.waiting)


def _sorted(things: Any) -> list[dict[str, Any]]:
    return sorted(things, key=lambda thing: json.dumps(thing, sort_keys=True))


def _differences(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        if actual[name] != value:
            yield f"expected {name} {_shown(value)}, got {_shown(actual[name])}"


def _shown(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
