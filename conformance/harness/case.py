"""Cases: a definition and the TOML file beside it, as values."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from diglot.compiler.graph.errors import STANDARD_ERRORS, error_type

ROOT = Path(__file__).resolve().parents[1]
#: Folders of cases, one a standard.
STANDARDS = ("serverless-workflow", "bpmn")
_DEFINITION_SUFFIXES = (".yaml", ".yml", ".json", ".bpmn")


class CaseError(Exception):
    """A case is not written as the format wants it."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Start an instance, where `start` is given at this start event."""

    input: Any
    start: str | None = None


@dataclass(frozen=True, slots=True)
class Complete:
    """Complete the oldest job of a task, named or by its pointer."""

    task: str
    output: Any


@dataclass(frozen=True, slots=True)
class Fail:
    """Fail the oldest job of a task; `error` is a problem with a whole type."""

    task: str
    error: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Publish:
    """Publish a CloudEvent."""

    envelope: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Advance:
    """Move the clock, in one go."""

    duration: str


@dataclass(frozen=True, slots=True)
class Restart:
    """Go on with a new engine on the same database."""


@dataclass(frozen=True, slots=True)
class Control:
    """Ask something of the instance: cancel, suspend or resume."""

    word: str


@dataclass(frozen=True, slots=True)
class Look:
    """Do nothing, and only look."""


Act = Begin | Complete | Fail | Publish | Advance | Restart | Control | Look


@dataclass(frozen=True, slots=True)
class Step:
    """One act, and what must be so once everything due is done."""

    act: Act
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Double:
    """What a stand-in of a remote service answers to one request.

    Without a query in its URI it answers whatever the query is.
    """

    method: str
    uri: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    times: int | None

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        parts = urlsplit(self.uri)
        default = 443 if parts.scheme == "https" else 80
        return parts.scheme, parts.hostname or "", parts.port or default


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case. `steps` begin with the implicit start, where there is one."""

    file: Path
    definition: Path
    standard: str
    construct: str
    name: str
    #: Definitions that are published before it.
    others: tuple[Path, ...]
    title: str
    section: str
    decision: str
    note: str
    secrets: Mapping[str, Any]
    settings: Mapping[str, Any]
    has_worker: bool
    is_scheduled: bool
    #: The process of the file that is started, where it has several.
    process: str
    #: Whether whatever breaks a rule of the standard is an error.
    is_strict: bool
    doubles: tuple[Double, ...]
    steps: tuple[Step, ...]
    expect: Mapping[str, Any]

    @property
    def id(self) -> str:
        """`construct/name`: the case's name everywhere."""
        is_twin = any(
            self.definition.with_suffix(suffix).is_file()
            for suffix in _DEFINITION_SUFFIXES[: _DEFINITION_SUFFIXES.index(self.definition.suffix)]
        )
        return f"{self.construct}/{self.name}" + (self.definition.suffix if is_twin else "")

    @property
    def is_refused(self) -> bool:
        """Whether the document has errors, so that nothing of it runs."""
        return set(self.expect) == {"diagnostics"}

    @property
    def is_invalid(self) -> bool:
        """Whether the case is about what is wrong with its document."""
        return self.name.startswith(("invalid-", "refused-"))

    @property
    def source(self) -> str:
        """What says that it must be so."""
        return " / ".join(text for text in (self.section, self.decision) if text)


def definitions(root: Path = ROOT) -> list[Path]:
    """The definition of every case, in order; one case may have a definition in each format."""
    return [
        path
        for standard in STANDARDS
        for path in sorted((root / standard).glob("*/*"))
        if path.suffix in _DEFINITION_SUFFIXES and "." not in path.stem
    ]


@cache
def load(definition: Path) -> Case:
    """Read one case.

    Raises:
        CaseError: it is not written as the format wants it; every fault is named.
    """
    file = definition.with_suffix(".toml")
    if not file.is_file():
        raise CaseError(f"{definition}: there is no {file.name} beside it")
    try:
        found = _plain(tomllib.loads(file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CaseError(f"{file}: {error}") from error
    faults = [f"{file}: {fault}" for fault in _faults(found)]
    if faults:
        raise CaseError("\n".join(faults))
    try:
        return _case(file, definition, found)
    except ValueError as error:
        raise CaseError(f"{file}: {error}") from error


def _case(file: Path, definition: Path, found: dict[str, Any]) -> Case:
    expect = _expect(found["expect"])
    is_scheduled = bool(found.get("schedule", False))
    steps = [_step(step) for step in _numbered(found.get("steps", []))]
    is_refused = set(expect) == {"diagnostics"}
    if not is_scheduled and not is_refused:
        begin = Begin(_value(found, "input", {}), found.get("start"))
        steps.insert(0, Step(begin, {}))
    case = Case(
        file=file,
        definition=definition,
        standard=file.parent.parent.name,
        construct=file.parent.name,
        name=file.stem,
        others=tuple(_others(file)),
        title=found["title"],
        section=found.get("section", ""),
        decision=found.get("decision", ""),
        note=found.get("note", ""),
        secrets=found.get("secrets", {}),
        settings=found.get("settings", {}),
        has_worker=bool(found.get("worker", False) or found.get("doubles")),
        is_scheduled=is_scheduled,
        process=found.get("process", ""),
        is_strict=bool(found.get("strict", False)),
        doubles=tuple(_double(double) for double in found.get("doubles", [])),
        steps=tuple(steps),
        expect=expect,
    )
    if case.is_invalid and not expect.get("diagnostics"):
        raise ValueError("an invalid document's case expects `diagnostics`")
    return case


def _faults(found: Any) -> Iterator[str]:
    for error in sorted(_validator().iter_errors(found), key=lambda error: list(error.path)):
        place = "/".join(str(part) for part in error.path)
        yield f"{place or 'the case'}: {error.message}"


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    schema = json.loads((ROOT / "case.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def _plain(value: Any) -> Any:
    """TOML's dates as the text that JSON would have."""
    match value:
        case dict():
            members = cast("dict[str, Any]", value)
            return {name: _plain(member) for name, member in members.items()}
        case list():
            return [_plain(item) for item in cast("list[Any]", value)]
        case datetime() | date() | time():
            return value.isoformat().replace("+00:00", "Z")
        case _:
            return value


def _value(found: Mapping[str, Any], name: str, default: Any) -> Any:
    text = found.get(f"{name}_json")
    if text is None:
        return found.get(name, default)
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name}_json is not JSON: {error}") from error


def _expect(found: Mapping[str, Any]) -> dict[str, Any]:
    expect = {name: value for name, value in found.items() if name != "output_json"}
    if "output_json" in found:
        expect["output"] = _value(found, "output", None)
    if "error" in expect:
        expect["error"] = _problem(expect["error"])
    return expect


def _numbered(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The steps, where an event without an id gets one from its place among the events.

    A message or a signal is an event that says so.
    """
    count = 0
    for step in steps:
        for kind in ("message", "signal"):
            if kind in step:
                told = {name: step[name] for name in ("data", "correlationkey") if name in step}
                step = {**step, "event": {"type": step[kind], "diglotkind": kind, **told}}
        if "event" in step:
            count += 1
            envelope = {"id": f"e{count}", "source": "/conformance", **step["event"]}
            yield {**step, "event": envelope}
        else:
            yield step


def _step(found: Mapping[str, Any]) -> Step:
    return Step(_act(found), _expect(found.get("expect", {})))


def _act(found: Mapping[str, Any]) -> Act:
    if "complete" in found:
        return Complete(found["complete"], _value(found, "output", None))
    if "fail" in found:
        return Fail(found["fail"], _failure(found["error"]))
    if "event" in found:
        return Publish(found["event"])
    if "advance" in found:
        return Advance(found["advance"])
    if "start" in found:
        start = found["start"]
        return Begin(_value(found, "input", {}), start if isinstance(start, str) else None)
    if "restart" in found:
        return Restart()
    for word in ("cancel", "suspend", "resume"):
        if word in found:
            return Control(word)
    return Look()


def _problem(error: Mapping[str, Any]) -> dict[str, Any]:
    """The error with the whole type where it has the short name of one."""
    name: str = error.get("type", "")
    return {**error, "type": error_type(name)} if name in STANDARD_ERRORS else dict(error)


def _failure(error: Mapping[str, Any]) -> dict[str, Any]:
    """What a worker would report: a type and a status are always there."""
    name = error.get("type", "runtime")
    status = STANDARD_ERRORS.get(name, 500)
    return _problem({"type": name, "status": status, "title": "Failed", **error})


def _double(found: Mapping[str, Any]) -> Double:
    method, uri = found["request"].split(" ", 1)
    headers = dict(found.get("headers", {}))
    names = {name.lower() for name in headers}
    if "text" in found:
        body, kind = found["text"].encode(), "text/plain; charset=utf-8"
    elif "body" in found:
        body, kind = json.dumps(found["body"]).encode(), "application/json"
    else:
        body, kind = b"", ""
    if kind and "content-type" not in names:
        headers["Content-Type"] = kind
    return Double(method, uri, found.get("status", 200), headers, body, found.get("times"))


def _others(file: Path) -> Iterator[Path]:
    for path in sorted(file.parent.glob(f"{file.stem}.*.*")):
        if path.suffix in _DEFINITION_SUFFIXES:
            yield path
