"""Documents of engines that extend the DSL: what is foreign is named, set aside, and read around.

Zigflow, which runs on Temporal, names a workflow by `document.workflowType` and puts it on
`document.taskQueue`; a child is run by its `type`, and root keys with a dot hold YAML anchors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.pointers import join_pointer
from diglot.compiler.serverless_workflow.located import Json, Located
from diglot.compiler.serverless_workflow.scalars import abridge

from .words import Path, as_mapping

#: Foreign properties of `document`, and which property of the DSL lacks a value without them.
_STAND_INS: Final = {"workflowType": "name", "taskQueue": "namespace"}

#: Below these keys, where they are not the names of list items, stands data and no task.
_FREE_DATA: Final = frozenset({"set", "with", "metadata", "input", "output", "export", "document"})


class Adapted(msgspec.Struct, frozen=True):
    """A document without what is foreign to it.

    `origins` maps places of `value` that have no counterpart in the document to those that do.
    """

    value: Json
    origins: dict[Path, Path]

    def place_in_document(self, path: Sequence[str | int]) -> Path:
        """Where a place of `value` stands in the document."""
        place = tuple(path)
        return self.origins.get(place, place)


def adapt(document: Located, report: Report) -> Adapted:
    """The document's value, where a foreign dialect has been set aside with a warning each."""
    value = as_mapping(document.value)
    head = as_mapping(value.get("document"))
    if not any(key in head for key in _STAND_INS):
        return Adapted(value, {})
    origins: dict[Path, Path] = {}

    def foreign(place: Path, construct: str, hint: str = "") -> None:
        pointer = join_pointer(*place)
        report.add(
            codes.FOREIGN_DIALECT,
            document.key_span_of(pointer),
            pointer,
            hint=hint,
            construct=f"`{construct}`",
            dialect="Zigflow",
        )

    native = _native_head(head, origins, foreign)
    kept: dict[str, Json] = {}
    for key, part in value.items():
        if key.startswith("."):
            foreign((key,), abridge(key))
        else:
            kept[key] = _native_runs(part, (key,), native.get("namespace"), origins, foreign)
    return Adapted({**kept, "document": native}, origins)


def _native_head(
    head: dict[str, Json], origins: dict[Path, Path], foreign: Callable[..., None]
) -> dict[str, Json]:
    """`document` with the names that the DSL asks for."""
    native = {key: part for key, part in head.items() if key not in _STAND_INS}
    for key, wanted in _STAND_INS.items():
        if key not in head:
            continue
        hint = ""
        if wanted not in native:
            native[wanted] = head[key]
            origins["document", wanted] = ("document", key)
            hint = f"Write `{wanted}`; until then the value of `{key}` stands in for it."
        foreign(("document", key), f"document.{key}", hint)
    return native


def _native_runs(
    value: Json,
    place: Path,
    namespace: Json,
    origins: dict[Path, Path],
    foreign: Callable[..., None],
) -> Json:
    """The value with every `run.workflow.type` said in the DSL's words.

    What has nothing foreign in it is handed on as it is, not copied, and free data is not entered.
    """
    if isinstance(value, list):
        native: list[Json] = [
            _native_runs(item, (*place, index), namespace, origins, foreign)
            for index, item in enumerate(value)
        ]
        is_same = all(new is old for new, old in zip(native, value, strict=True))
        return value if is_same else native
    if not isinstance(value, dict):
        return value
    entries = as_mapping(value)
    if place[-2:] == ("run", "workflow") and "type" in entries and "name" not in entries:
        foreign((*place, "type"), "run.workflow.type", "Write namespace, name and version.")
        origins[(*place, "name")] = (*place, "type")
        kept = {key: part for key, part in entries.items() if key != "type"}
        return {"namespace": namespace, "version": "latest", **kept, "name": entries["type"]}
    is_item = isinstance(place[-1], int)
    native_entries: dict[str, Json] = {
        key: part
        if key in _FREE_DATA and not is_item
        else _native_runs(part, (*place, key), namespace, origins, foreign)
        for key, part in entries.items()
    }
    is_same = all(native_entries[key] is entries[key] for key in entries)
    return value if is_same else native_entries
