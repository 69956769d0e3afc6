"""From a loaded document to the model of a workflow: what has the wrong shape is reported here.

Source: DSL reference, Workflow.
"""

from __future__ import annotations

import re
from typing import Final

from pydantic import ValidationError

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.pointers import join_pointer
from diglot.compiler.serverless_workflow.located import Json, Located
from diglot.compiler.serverless_workflow.scalars import abridge
from diglot.specs.serverless_workflow.model import Workflow
from diglot.specs.serverless_workflow.model.errors import BackoffSettings
from diglot.specs.serverless_workflow.model.ignored import ignored_properties

from .dialects import Adapted, adapt
from .faults import report_faults
from .words import as_mapping

#: The newest release; a document of another 1.x is read by its rules.
DSL_VERSION: Final = "1.0.3"

_VERSION: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})\.[0-9]{1,9}(-\S+)?(?:\+\S+)?")
#: Root keys of 0.8, one of which each of its documents has and 1.0 has not.
_OLD_KEYS: Final = ("states", "specVersion")


def check_shape(document: Located, report: Report) -> Workflow | None:
    """The workflow that a document describes, or None when this found an error in its shape.

    Each mistake is one finding. Properties of a known foreign dialect are left out with a
    warning, so the model may have a name that the document spells otherwise; a place of the model
    has the same pointer as in the document, or lies in a place that has.
    """
    found = Report()
    workflow = _read(document, found)
    report.diagnostics.extend(found)
    return None if found.has_errors else workflow


def _read(document: Located, found: Report) -> Workflow | None:
    problem = _why_no_workflow(document.value)
    if problem:
        found.add(codes.NOT_A_WORKFLOW, document.span_of(""), problem=problem)
        return None
    adapted = adapt(document, found)
    _check_version(document, found)
    try:
        workflow = Workflow.model_validate(adapted.value)
    except ValidationError as fault:
        report_faults(fault, adapted, document, found)
        return None
    _warn_of_ignored(workflow, adapted, document, found)
    return workflow


def _why_no_workflow(value: Json) -> str:
    """What a document is instead of a workflow; empty when it may be one."""
    if not isinstance(value, dict):
        return "it is not a mapping"
    if "document" in value or "do" in value:
        return ""
    if any(key in value for key in _OLD_KEYS):
        return "it is written in version 0.8 of the DSL, which is not read yet"
    return "it has neither `document` nor `do`"


def _check_version(document: Located, found: Report) -> None:
    """1.0.x is known; another 1.x or a draft may be read by its rules, another major may not."""
    version = as_mapping(as_mapping(document.value).get("document")).get("dsl")
    parts = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if parts is None or (parts[1], parts[2], parts[3]) == ("1", "0", None):
        return
    is_close = parts[1] == "1"
    found.add(
        codes.DSL_VERSION_UNKNOWN,
        document.span_of("/document/dsl"),
        "/document/dsl",
        severity=Severity.WARNING if is_close else Severity.ERROR,
        version=abridge(str(version)),
        known=DSL_VERSION,
    )


def _warn_of_ignored(
    workflow: Workflow, adapted: Adapted, document: Located, found: Report
) -> None:
    """The DSL's schema leaves some objects open that have nothing more to say."""
    for path, model in ignored_properties(workflow):
        pointer = join_pointer(*adapted.place_in_document(path))
        span = document.key_span_of(pointer)
        name, owner = abridge(str(path[-1])), str(path[-2])
        if issubclass(model, BackoffSettings):
            found.add(codes.BACKOFF_PARAMETER_IGNORED, span, pointer, parameter=name, backoff=owner)
        else:
            found.add(
                codes.UNKNOWN_PROPERTY,
                span,
                pointer,
                severity=Severity.WARNING,
                owner=f"`{abridge(owner)}`",
                property=name,
            )
