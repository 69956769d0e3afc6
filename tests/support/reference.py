"""A second reading of the DSL: pure workflows run by plain recursion, with jq itself.

It shares no code with the machine, knows only what needs nothing from outside (set, switch, for,
do, fork, try, raise and the rules around them), and says nothing of history. Where the outcome
rests on which of two failing branches is first, it says so instead of guessing.

Source: DSL; DSL reference; our decisions A2, A8, A9, A10, A11, A16, A17, A19, A23, A43.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import jq

ERRORS = "https://open-workflow-specification.org/spec/1.0.0/errors/"
STEPS = 20_000


class Ambiguous(Exception):
    """The text does not say how it ends: two branches fail, or data is nested without end."""


class Raised(Exception):
    """An error on its way outwards."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.error = error


class _Ended(Exception):
    """`then: end` with the output of its task."""

    def __init__(self, output: Any) -> None:
        super().__init__()
        self.output = output


@dataclass
class _Context:
    """`$context` as one scope holds it."""

    value: Any


@dataclass(frozen=True)
class Outcome:
    """How a run ends: its output, or its error without title and detail."""

    status: str
    output: Any = None
    error: tuple[Any, Any, Any] | None = None


def outcome_of(status: str, output: Any, error: dict[str, Any] | None) -> Outcome:
    """What of an end is to be compared."""
    if error is None:
        return Outcome(status, output)
    return Outcome(status, None, (error["type"], error["status"], error.get("instance")))


def run(document: dict[str, Any], data: Any) -> Outcome:
    """How a pure workflow ends.

    Raises:
        Ambiguous: more than one end is right.
    """
    context = _Context({})
    pointer = "/input"
    try:
        if "input" in document:
            data = _value(document["input"]["from"], data, {}, pointer)
        try:
            output = _Run().tasks(document["do"], "/do", data, {}, context)
        except _Ended as ended:
            output = ended.output
        pointer = "/output"
        if "output" in document:
            seen = {"context": context.value}
            output = _value(document["output"]["as"], output, seen, pointer)
    except Raised as raised:
        return outcome_of("faulted", None, raised.error)
    return Outcome("completed", output)


class _Run:
    def __init__(self) -> None:
        self._steps = 0

    def tasks(
        self,
        tasks: list[dict[str, Any]],
        at: str,
        data: Any,
        seen: dict[str, Any],
        context: _Context,
    ) -> Any:
        """A list of tasks, from the first one on, until one leaves it."""
        names = [next(iter(task)) for task in tasks]
        position = 0
        while position < len(tasks):
            self._steps += 1
            assert self._steps < STEPS, "a loop that never ends"
            name = names[position]
            pointer = f"{at}/{position}/{_escaped(name)}"
            data, then = self.task(tasks[position][name], pointer, data, seen, context)
            if then == "end":
                raise _Ended(data)
            if then == "exit":
                return data
            position = position + 1 if then == "continue" else names.index(then)
        return data

    def task(
        self, task: dict[str, Any], at: str, raw: Any, seen: dict[str, Any], context: _Context
    ) -> tuple[Any, str]:
        """One task: its output, and where to go."""
        before = {**seen, "context": context.value}
        if "if" in task and not _is_true(task["if"], raw, before, at):
            return raw, "continue"
        data = raw
        if "input" in task:
            data = _value(task["input"]["from"], raw, before, at)
        output, then = self._body(task, at, data, {**seen, "input": data}, context)
        seen = {**seen, "input": data, "context": context.value}
        if "output" in task:
            output = _value(task["output"]["as"], output, seen, at)
        if "export" in task:
            context.value = _value(task["export"]["as"], output, seen, at)
        return output, then or task.get("then", "continue")

    def _body(
        self, task: dict[str, Any], at: str, data: Any, seen: dict[str, Any], context: _Context
    ) -> tuple[Any, str | None]:
        now = {**seen, "context": context.value}
        inner = {name: value for name, value in seen.items() if name != "input"}
        if "set" in task:
            return _filled(task["set"], data, now, at), None
        if "switch" in task:
            return data, _chosen(task["switch"], data, now, at)
        if "raise" in task:
            raise Raised({**task["raise"]["error"], "instance": at})
        if "try" in task:
            return self._try(task, at, data, inner, context)
        if "fork" in task:
            return self._fork(task["fork"]["branches"], at, data, inner, context), None
        if "for" in task:
            return self._for(task, at, data, seen, context), None
        return self.tasks(task["do"], f"{at}/do", data, inner, context), None

    def _for(
        self, task: dict[str, Any], at: str, data: Any, seen: dict[str, Any], context: _Context
    ) -> Any:
        loop = task["for"]
        found = _results(loop["in"], data, {**seen, "context": context.value}, at)
        items: Any = found[0] if len(found) == 1 else found
        if not isinstance(items, list):
            raise _expression_error(at)
        inner = {name: value for name, value in seen.items() if name != "input"}
        for index, item in enumerate(cast("list[Any]", items)):
            bound = {loop["each"]: item, loop["at"]: index}
            now = {**seen, **bound, "context": context.value}
            if "while" in task and not _is_true(task["while"], data, now, at):
                break
            data = self.tasks(task["do"], f"{at}/do", data, {**inner, **bound}, context)
        return data

    def _fork(
        self,
        branches: list[dict[str, Any]],
        at: str,
        data: Any,
        seen: dict[str, Any],
        context: _Context,
    ) -> list[Any]:
        outputs: list[Any] = []
        ends: list[Exception] = []
        for number, branch in enumerate(branches):
            ((name, task),) = branch.items()
            pointer = f"{at}/fork/branches/{number}/{_escaped(name)}"
            own = _Context(context.value)
            try:
                output, then = self.task(task, pointer, data, seen, own)
                if then == "end":
                    raise _Ended(output)
                outputs.append(output)
            except (Raised, _Ended) as end:
                ends.append(end)
        if len(ends) > 1:
            raise Ambiguous
        if ends:
            raise ends[0]
        return outputs

    def _try(
        self, task: dict[str, Any], at: str, data: Any, seen: dict[str, Any], context: _Context
    ) -> tuple[Any, str | None]:
        catch = task["catch"]
        runs = 0
        while True:
            runs += 1
            try:
                return self.tasks(task["try"], f"{at}/try", data, seen, context), None
            except Raised as raised:
                error = raised.error
            now = {**seen, "input": data, "context": context.value, catch["as"]: error}
            if not _takes(catch, error, data, now, f"{at}/catch"):
                raise Raised(error)
            has_way = "do" in catch or "then" in catch
            if "retry" in catch:
                retry = catch["retry"]
                may_run = runs <= retry["limit"]["attempt"]["count"]
                if may_run and (
                    "when" not in retry or _is_true(retry["when"], data, now, f"{at}/catch")
                ):
                    continue
                if not has_way:
                    raise Raised(error)
            if "do" in catch:
                bound = {**seen, catch["as"]: error}
                data = self.tasks(catch["do"], f"{at}/catch/do", data, bound, context)
            return data, catch.get("then")


def _takes(catch: dict[str, Any], error: dict[str, Any], data: Any, now: Any, at: str) -> bool:
    for name, value in catch.get("errors", {}).get("with", {}).items():
        if error.get(name) != value:
            return False
    if "when" in catch and not _is_true(catch["when"], data, now, at):
        return False
    return "exceptWhen" not in catch or not _is_true(catch["exceptWhen"], data, now, at)


def _chosen(arms: list[dict[str, Any]], data: Any, seen: dict[str, Any], at: str) -> str | None:
    default = None
    for entry in arms:
        (arm,) = entry.values()
        if "when" not in arm:
            default = arm["then"]
        elif _is_true(arm["when"], data, seen, at):
            return str(arm["then"])
    return default


def _filled(template: Any, data: Any, seen: dict[str, Any], at: str) -> Any:
    if isinstance(template, str) and template.startswith("${"):
        return _value(template[2:-1], data, seen, at)
    if isinstance(template, dict):
        members = cast("dict[str, Any]", template)
        return {name: _filled(part, data, seen, at) for name, part in members.items()}
    if isinstance(template, list):
        return [_filled(part, data, seen, at) for part in cast("list[Any]", template)]
    return template


def _value(text: str, data: Any, seen: dict[str, Any], at: str) -> Any:
    found = _results(text, data, seen, at)
    if len(found) > 1:
        raise _expression_error(at)
    return found[0] if found else None


def _is_true(text: str, data: Any, seen: dict[str, Any], at: str) -> bool:
    found = _value(text, data, seen, at)
    return found is not None and found is not False


def _results(text: str, data: Any, seen: dict[str, Any], at: str) -> list[Any]:
    program = _program(text, tuple(sorted(seen)))
    try:
        return list(program.input_value({"seen": seen, "data": data}).all())
    except ValueError as error:
        raise _expression_error(at) from error
    except RecursionError as error:
        raise Ambiguous from error


@lru_cache(maxsize=20_000)
def _program(text: str, names: tuple[str, ...]) -> Any:
    bindings = "".join(f".seen[{_quoted(name)}] as ${name} | " for name in names)
    return cast("Any", jq).compile(f"{bindings}.data | ({text})")


def _quoted(name: str) -> str:
    return f'"{name}"'


def _expression_error(at: str) -> Raised:
    return Raised({"type": f"{ERRORS}expression", "status": 400, "instance": at})


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
