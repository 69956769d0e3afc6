"""The standards as data: this module is the only reader of the files in its folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

import msgspec

Support = Literal["full", "partial", "refused"]
#: The conformance sub-class of BPMN that asks for a construct. Source: BPMN 2.0.2, 2.2.2.
SubClass = Literal["descriptive", "analytic", "common-executable", "full"]
#: A kind of graph node, or what carries a construct that is no node.
Kind = Literal[
    "Start",
    "End",
    "Task",
    "Assign",
    "Choice",
    "Fork",
    "Join",
    "Inclusive",
    "Race",
    "Wait",
    "Receive",
    "Emit",
    "Raise",
    "Compensate",
    "Call",
    "Scope",
    "Pass",
    "handler",
    "data",
    "declaration",
    "event",
]

#: The standards that have a catalogue, by the names of their folders.
STANDARDS: Final = ("serverless_workflow", "bpmn")


class Construct(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a catalogue: an object of a standard, or one property of it.

    `key` is the object's name, for a property followed by `/` and the property's (`call-http`,
    `call-http/operation-id`). `name` is the property as the standard spells it, empty for the
    object. `section` is the heading that describes it, `cases` the folder of conformance cases,
    `models` the classes below the standard's `model` that may have the property. `documented` is
    false for what the standard's tables leave out. `invalid` is `none: ` and a reason where no
    document can get the construct wrong, so that there is no invalid case for it. A construct of
    BPMN has no properties, but a `sub_class` and the names of the `elements` it is written with.
    """

    key: str
    name: str
    section: str
    support: Support
    kinds: tuple[Kind, ...]
    note: str
    cases: str
    models: tuple[str, ...]
    required: bool
    default: str | bool | None
    documented: bool
    invalid: str
    sub_class: SubClass | None
    elements: tuple[str, ...]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A property in the file; what it leaves out is as in its table."""

    required: bool = False
    default: str | bool | None = None
    kinds: tuple[Kind, ...] | None = None
    support: Support | None = None
    note: str = ""
    cases: str = ""
    documented: bool = True


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object of the standard in the file."""

    section: str
    kinds: tuple[Kind, ...]
    properties: dict[str, _Row] = {}
    support: Support = "full"
    note: str = ""
    cases: str = ""
    invalid: str = ""
    models: tuple[str, ...] = ()
    sub_class: SubClass | None = None
    elements: tuple[str, ...] = ()


@cache
def constructs(standard: str) -> Mapping[str, Construct]:
    """The catalogue of a standard by key, in the order of its file.

    Raises:
        KeyError: There is no catalogue of that name.
    """
    rows: dict[str, Construct] = {}
    for name, table in _tables(standard).items():
        rows[name] = _construct(name, table, "", _Row())
        for spelled, row in table.properties.items():
            rows[f"{name}/{kebab(spelled)}"] = _construct(name, table, spelled, row)
    return MappingProxyType(rows)


def kebab(spelled: str) -> str:
    """A property's name as it stands in a key: `operationId` is `operation-id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", spelled).replace(".", "-").lower()


@cache
def _tables(standard: str) -> Mapping[str, _Table]:
    # Late, because most commands need the models of a standard and not its catalogue.
    import tomllib
    from importlib.resources import files

    if standard not in STANDARDS:
        raise KeyError(standard)
    text = files(__name__).joinpath(standard, "constructs.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, _Table])


def _construct(name: str, table: _Table, spelled: str, row: _Row) -> Construct:
    return Construct(
        key=f"{name}/{kebab(spelled)}" if spelled else name,
        name=spelled,
        section=table.section,
        support=row.support or table.support,
        kinds=row.kinds or table.kinds,
        note=row.note or table.note,
        cases=row.cases or table.cases or name,
        models=table.models,
        required=row.required,
        default=row.default,
        documented=row.documented,
        invalid=table.invalid,
        sub_class=table.sub_class,
        elements=table.elements,
    )
