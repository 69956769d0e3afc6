"""What a run task starts: containers, scripts, shell commands, other workflows.

Source: DSL reference, Container Process, Script Process, Shell Process, Workflow Process.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Tag, model_validator

from .base import Closed, Items, Maybe, also, by_key, excludes, needs
from .resources import ExternalResource
from .scalars import Duration

#: Which part of a finished process becomes the output.
Returned = Literal["stdout", "stderr", "code", "all", "none"]


class ContainerLifetime(Closed):
    """What becomes of a container after its run."""

    model_config = also(**{
        "if": {"properties": {"cleanup": {"const": "eventually"}}},
        "then": {"required": ["after"]},
        "else": {"not": {"required": ["after"]}},
    })  # fmt: skip

    cleanup: Literal["always", "never", "eventually"]
    after: Maybe[Duration] = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> ContainerLifetime:
        if self.cleanup == "eventually" and self.after is None:
            raise needs("after")
        if self.cleanup != "eventually" and self.after is not None:
            raise excludes("after")
        return self


class Container(Closed):
    """A container to run."""

    image: str
    name: Maybe[str] = None
    command: Maybe[str] = None
    ports: Maybe[dict[str, Any]] = None
    volumes: Maybe[dict[str, Any]] = None
    environment: Maybe[dict[str, Any]] = None
    stdin: Maybe[str] = None
    arguments: Maybe[Items[str]] = None
    lifetime: Maybe[ContainerLifetime] = None
    pullPolicy: Literal["ifNotPresent", "always", "never"] = "ifNotPresent"


class ScriptBase(Closed):
    """What all scripts have; 1.0.3 writes `javascript` for `js`."""

    language: Literal["js", "javascript", "python"]
    stdin: Maybe[str] = None
    arguments: Maybe[Items[str]] = None
    environment: Maybe[dict[str, Any]] = None


class InlineScript(ScriptBase):
    """A script that stands in the document."""

    code: str


class ExternalScript(ScriptBase):
    """A script that is fetched."""

    source: ExternalResource


Script = Annotated[
    Annotated[InlineScript, Tag("code")] | Annotated[ExternalScript, Tag("source")],
    by_key("code", "source"),
]


class Shell(Closed):
    """A shell command."""

    command: str
    stdin: Maybe[str] = None
    arguments: Maybe[Items[str]] = None
    environment: Maybe[dict[str, Any]] = None


class Subflow(Closed):
    """Another workflow; version `latest` is decided when it starts."""

    namespace: str
    name: str
    version: str
    input: Maybe[dict[str, Any]] = None


class RunBase(Closed):
    """What all processes have."""

    await_: bool = Field(default=True, alias="await")
    return_: Returned = Field(default="stdout", alias="return")


class RunContainer(RunBase):
    """Run a container."""

    container: Container


class RunScript(RunBase):
    """Run a script."""

    script: Script


class RunShell(RunBase):
    """Run a shell command."""

    shell: Shell


class RunWorkflow(RunBase):
    """Run another workflow."""

    workflow: Subflow


Process = Annotated[
    Annotated[RunContainer, Tag("container")]
    | Annotated[RunScript, Tag("script")]
    | Annotated[RunShell, Tag("shell")]
    | Annotated[RunWorkflow, Tag("workflow")],
    by_key("container", "script", "shell", "workflow"),
]
