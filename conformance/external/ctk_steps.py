"""The steps of the conformance test kit: every one its README declares, used or not.

Source: ctk/README.md of the specification.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from conformance.harness.difference import differences, is_list, is_object, shown
from conformance.harness.doubles import Servers
from diglot.compiler import Compiled, compile_source
from diglot.compiler.diagnostics import Report
from diglot.compiler.serverless_workflow.yaml import load_document
from diglot.compiler.source import Source
from diglot.runtime.store import InstanceRow

from .gherkin import Step
from .runs import Run, runs_of
from .sandbox import Sandbox
from .services import known_services

#: Does a step; gives what is not as it should be.
Rule = Callable[["Trial", Step, "re.Match[str]"], str | None]

_rules: list[tuple[re.Pattern[str], Rule]] = []
_QUOTED = re.compile(r"'([^']*)'")


class Trial:
    """One scenario under way, in an engine of its own."""

    def __init__(self, servers: Servers) -> None:
        self.definition: Compiled | None = None
        self.input: Any = {}
        self.sandbox = Sandbox(servers, known_services)
        self.row: InstanceRow | None = None
        self.runs: list[Run] = []

    @property
    def output(self) -> Any:
        """The output of the instance."""
        return None if self.row is None else self.row.output

    def runs_of(self, task: str) -> list[Run]:
        """The runs of one task."""
        return [run for run in self.runs if run.name == task]


def take(trial: Trial, step: Step) -> str | None:
    """Do one step: nothing if it holds, else what is wrong."""
    for words, rule in _rules:
        found = words.fullmatch(step.text)
        if found is not None:
            problem = rule(trial, step, found)
            return None if problem is None else f"{step.text} {problem}"
    return f"no step is called {step.text!r}"


def _step(words: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        _rules.append((re.compile(words), rule))
        return rule

    return register


def value_of(step: Step) -> Any:
    """The text below a step, in JSON or YAML, as a value."""
    report = Report()
    document = load_document(Source(step.document or "", f"line {step.line}"), report)
    return None if document is None else document.value


# -- arrange and act


@_step(r"a workflow with definition:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    trial.definition = compile_source(step.document or "", f"line {step.line}")
    if trial.definition.has_errors:
        return str([f"{one.code} {one.message}" for one in trial.definition.diagnostics])
    return None


@_step(r"(?:given )?the workflow input is:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    trial.input = value_of(step)
    return None


@_step(r"the workflow is executed")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    if trial.definition is None:
        return "but there is no workflow"
    sandbox = trial.sandbox
    sandbox.deploy(trial.definition)
    sandbox.start(trial.input)
    trial.row = sandbox.play()
    assert trial.row is not None
    trial.runs = runs_of(sandbox.engine, trial.row.id)
    return None


# -- assert: the workflow


@_step(r"the workflow should (cancel|complete|fault)")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    return _status(trial, words[1])


@_step(r"the workflow should complete with output:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    return _status(trial, "complete") or _differs(value_of(step), trial.output)


@_step(r"the workflow should fault with error:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    problem = _status(trial, "fault")
    return problem or _differs(value_of(step), None if trial.row is None else trial.row.error)


@_step(r"the workflow output should have properties ('[^']*'(?:\s*,\s*'[^']*')*)")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    paths = _QUOTED.findall(words[1])
    without = [path for path in paths if not _property(trial.output, path)[0]]
    return f"but {shown(trial.output)} has no {', '.join(without)}" if without else None


@_step(r"the workflow output should have a '([^']*)' property with value:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    is_there, value = _property(trial.output, words[1])
    return _differs(value_of(step), value) if is_there else f"but has {shown(trial.output)}"


@_step(r"the workflow output should have a '([^']*)' property containing (\d+) items?")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    _, value = _property(trial.output, words[1])
    if is_list(value) and len(value) == int(words[2]):
        return None
    return f"but it is {shown(value)}"


# -- assert: tasks


@_step(r"(.+) should run (first|last)")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    names = [run.name for run in trial.runs]
    place = 0 if words[2] == "first" else -1
    return None if names and names[place] == words[1] else f"but {names} ran"


@_step(r"(.+) should run (before|after) (.+)")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    names = [run.name for run in trial.runs]
    earlier, later = (words[1], words[3]) if words[2] == "before" else (words[3], words[1])
    if earlier in names and later in names and names.index(earlier) < names.index(later):
        return None
    return f"but {names} ran"


@_step(r"(.+) should (cancel|complete|fault)")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    return _task_status(trial, words[1], words[2])


@_step(r"(.+) should complete with output:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    problem = _task_status(trial, words[1], "complete")
    return problem or _differs(value_of(step), trial.runs_of(words[1])[-1].output)


@_step(r"(.+) should fault with error:")
def _(trial: Trial, step: Step, words: re.Match[str]) -> str | None:
    problem = _task_status(trial, words[1], "fault")
    return problem or _differs(value_of(step), trial.runs_of(words[1])[-1].error)


_STATUS = {"cancel": "cancelled", "complete": "completed", "fault": "faulted"}


def _status(trial: Trial, word: str) -> str | None:
    row = trial.row
    if row is not None and row.status == _STATUS[word]:
        return None
    return "but it never ran" if row is None else f"but is {row.status}: {shown(row.error)}"


def _task_status(trial: Trial, task: str, word: str) -> str | None:
    runs = trial.runs_of(task)
    if runs and runs[-1].status == _STATUS[word]:
        return None
    return f"but is {runs[-1].status}" if runs else f"but {[run.name for run in trial.runs]} ran"


def _differs(expected: Any, actual: Any) -> str | None:
    found = list(differences(expected, actual))
    return f"but {'; '.join(found)}" if found else None


def _property(value: Any, path: str) -> tuple[bool, Any]:
    """Whether a value has a property, by its dotted path, and what it is."""
    for name in path.split("."):
        if not is_object(value) or name not in value:
            return False, None
        value = value[name]
    return True, value
