"""The document as a whole: who it is, what it may use, when it starts, what it does.

Source: DSL reference, Workflow, Document, Use, Schedule, Evaluate, Extension.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import RootModel, Tag

from .authentication import AuthenticationPolicy
from .base import UNBUILT, Closed, Items, Maybe, Single, by_key
from .data import Input, Output
from .errors import Error, RetryPolicy
from .events import EventConsumption, ReadAs
from .resources import Catalog
from .scalars import Duration, Expression, Label, SemanticVersion, Timeout, TimeoutOrName
from .tasks import Task, TaskList

#: What an extension extends; `composite` is the `do` task.
ExtensionTarget = Literal[
    "call",
    "composite",
    "emit",
    "for",
    "listen",
    "raise",
    "run",
    "set",
    "switch",
    "try",
    "wait",
    "all",
]


class Document(Closed):
    """Who the workflow is."""

    dsl: SemanticVersion
    namespace: Label
    name: Label
    version: SemanticVersion
    title: Maybe[str] = None
    summary: Maybe[str] = None
    tags: Maybe[dict[str, Any]] = None
    metadata: Maybe[dict[str, Any]] = None


class Extension(Closed):
    """Tasks around every task of one kind."""

    extend: ExtensionTarget
    when: Maybe[Expression] = None
    before: Maybe[TaskList] = None
    after: Maybe[TaskList] = None


class ExtensionItem(RootModel[Any]):
    """An entry of `use.extensions`: one extension under its name."""

    model_config = UNBUILT
    root: Single[Extension]

    @property
    def name(self) -> str:
        """The extension's name."""
        return next(iter(self.root))

    @property
    def extension(self) -> Extension:
        """The extension itself."""
        return next(iter(self.root.values()))


class Use(Closed):
    """What tasks may refer to by name."""

    authentications: Maybe[dict[str, AuthenticationPolicy]] = None
    catalogs: Maybe[dict[str, Catalog]] = None
    errors: Maybe[dict[str, Error]] = None
    extensions: Maybe[Items[ExtensionItem]] = None
    functions: Maybe[dict[str, Task]] = None
    retries: Maybe[dict[str, RetryPolicy]] = None
    secrets: Maybe[Items[str]] = None
    timeouts: Maybe[dict[str, Timeout]] = None


class ScheduleEvery(Closed):
    """At a fixed interval, whatever still runs."""

    every: Duration


class ScheduleCron(Closed):
    """When a cron expression says so."""

    cron: str


class ScheduleAfter(Closed):
    """A while after the last run ended."""

    after: Duration


class ScheduleOn(Closed):
    """When events have come, of which `read` says what becomes the input."""

    on: EventConsumption
    read: ReadAs = "data"


Schedule = Annotated[
    Annotated[ScheduleEvery, Tag("every")]
    | Annotated[ScheduleCron, Tag("cron")]
    | Annotated[ScheduleAfter, Tag("after")]
    | Annotated[ScheduleOn, Tag("on")],
    by_key("every", "cron", "after", "on"),
]


class Evaluate(Closed):
    """How expressions are read."""

    language: str = "jq"
    mode: Literal["strict", "loose"] = "strict"


class Workflow(Closed):
    """A document of the DSL."""

    document: Document
    do: TaskList
    input: Maybe[Input] = None
    use: Maybe[Use] = None
    timeout: Maybe[TimeoutOrName] = None
    output: Maybe[Output] = None
    schedule: Maybe[Schedule] = None
    evaluate: Maybe[Evaluate] = None
