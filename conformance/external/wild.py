"""Files of real projects: what each is, its content says.

A file of DSL 1.0 compiles, or every error has a place and a cure; one that the schema of the
specification takes is never refused for its shape. What compiles is played to an end. A file of an
older DSL is refused as such. A file of an engine that extends the DSL is read around the extensions
with a warning for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from conformance.harness.difference import is_object
from conformance.harness.doubles import Servers
from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.serverless_workflow.yaml import load_document
from diglot.compiler.source import Source

from .outcome import Dispute, Outcome, Reporter, generations, judged, settled
from .strangers import problem_of_playing

#: Files that cannot come to a good end, whoever plays them.
DISPUTES = (
    Dispute(
        "82-e2e_http_export_switch.yaml",
        "it cannot be read as a URI",
        "`http://localhost:PORT` is a placeholder of its project's tests and no address",
    ),
    Dispute(
        "97-approval.yaml",
        "Cannot index array",
        "`.approved` is applied to the output of a listen, which is an array "
        "(DSL reference, Listen)",
    ),
)

_SUFFIXES = (".yaml", ".yml", ".json")
#: Properties of `document` by which an engine's own dialect is known.
_FOREIGN = ("taskQueue", "workflowType")
#: What the codes of a document's shape begin with.
_SHAPE = "DG02"


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every real file there is."""
    folder = suites / "serverless-workflow" / "wild"
    schema = _newest_schema(suites)
    files = sorted(file for file in folder.rglob("*") if file.suffix in _SUFFIXES)
    with Servers() as servers:
        verdicts = (
            judged(f"wild/{file.relative_to(folder)}", partial(_problem, servers, file, schema))
            for file in files
        )
        return settled(verdicts, report, DISPUTES)


def _problem(servers: Servers, file: Path, schema: Any) -> str | None:
    compiled = compile_source(file.read_bytes(), file.name)
    document = load_document(Source(compiled.source.text, file.name), Report())
    value = None if document is None else document.value
    return next(_problems(servers, compiled, value, schema), None)


def _problems(servers: Servers, compiled: Compiled, value: Any, schema: Any) -> Iterator[str]:
    errors = [found for found in compiled.diagnostics if found.severity is Severity.ERROR]
    head = _head(value)
    if "dsl" not in head:
        yield from _not_read_yet(errors)
        return
    is_foreign = any(name in head for name in _FOREIGN)
    warned = any(found.code == codes.FOREIGN_DIALECT.id for found in compiled.diagnostics)
    if is_foreign and not warned:
        yield "no warning says that it belongs to another dialect"
    for found in errors:
        if found.span is None or not found.hint:
            yield f"{found.code} {found.message} has no place or no cure"
    is_valid = schema is not None and schema.is_valid(value)
    if is_valid:
        for found in errors:
            if found.code.startswith(_SHAPE):
                yield f"the schema takes it, and yet {found.span} {found.code} {found.message}"
    if not errors:
        # Commands of strangers are not run on this machine.
        problem = problem_of_playing(servers, compiled, processes="pretend")
        if problem is not None:
            yield problem


def _not_read_yet(errors: list[Diagnostic]) -> Iterator[str]:
    """An older document has one error, which names its version."""
    if [found.code for found in errors] != [codes.NOT_A_WORKFLOW.id]:
        yield f"expected one {codes.NOT_A_WORKFLOW.id}, found {[one.code for one in errors]}"
    elif "not read yet" not in errors[0].message:
        yield f"not said to be of an older version: {errors[0].message}"


def _head(value: Any) -> Mapping[str, Any]:
    head = value.get("document") if is_object(value) else None
    return head if is_object(head) else {}


def _newest_schema(suites: Path) -> Any:
    """A validator of the newest schema of the specification, where there is one."""
    from jsonschema import Draft202012Validator

    for folder in reversed(generations(suites, "schema")):
        file = folder / "schema" / "workflow.yaml"
        if file.is_file():
            source = Source(file.read_text(encoding="utf-8"), file.name)
            document = load_document(source, Report())
            if document is not None:
                return Draft202012Validator(cast("dict[str, Any]", document.value))
    return None
