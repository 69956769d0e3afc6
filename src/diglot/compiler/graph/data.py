"""How data moves: expressions, values with expressions in them, schemas, rules of an activity."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..source import Span


class Expression(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="expression"):
    """A jq program, compiled once at publication.

    `source` keeps the author's own words where they were in another language. `span` says where
    the text stands; it is a place, not a meaning, and stays out of the digest.
    """

    text: str
    source: str | None = None
    source_language: str = "jq"
    #: What `.` is: the data of the token, or all variables of the scope as one object.
    of: Literal["data", "variables"] = "data"
    #: What it has to give: anything but true and false is an error where it is a `boolean`.
    yields: Literal["any", "boolean"] = "any"
    span: Span | None = None


class Constant(msgspec.Struct, frozen=True, omit_defaults=True, tag="constant"):
    """A constant of the document."""

    document: Any = None


class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag="record"):
    """An object whose members are values; the author's order is kept."""

    members: tuple[tuple[str, Value], ...]


class Listing(msgspec.Struct, frozen=True, omit_defaults=True, tag="listing"):
    """An array of values."""

    items: tuple[Value, ...]


class UriTemplate(msgspec.Struct, frozen=True, omit_defaults=True, tag="uri-template"):
    """A URI template (RFC 6570, simple expansion) filled from the top level of the data.

    Source: DSL reference, URI template.
    """

    text: str


class SecretValue(msgspec.Struct, frozen=True, omit_defaults=True, tag="secret"):
    """A whole secret by name, as `use: name` inside an authentication asks for it."""

    name: str


class Duration(msgspec.Struct, frozen=True, omit_defaults=True, tag="duration"):
    """A length of time; months are counted in the calendar (UTC), the rest exactly."""

    months: int = 0
    milliseconds: int = 0


Value = Expression | Constant | Record | Listing | UriTemplate | SecretValue | Duration


class Schema(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A JSON Schema: in the document, or behind an address that publication resolves."""

    document: Any = None
    resource: Value | None = None


class DataRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an activity gets, gives and exports, in the order in which the rules run.

    `needs` holds the activity back until it is true; it is asked again whenever a variable in
    sight changes. `input_schema` sees the raw input, `read` makes the input of the body, `write`
    makes token data out of the raw output, `output_schema` sees what `write` made, `export` is put
    into the variable `export_to` of the nearest scope that has it, and `export_schema` sees what
    was exported.

    With the mode `variables` the export is an object (or null for nothing) and each member a
    variable: of the nearest scope that has it, else of the root scope; with `local` they are
    variables of the activity's own scope.

    Source: DSL, Data Flow; BPMN 2.0.2 10.4.2, 13.3.2.
    """

    needs: Expression | None = None
    input_schema: Schema | None = None
    read: Value | None = None
    write: Value | None = None
    output_schema: Schema | None = None
    export: Value | None = None
    export_to: str = "context"
    export_mode: Literal["replace", "merge", "variables", "local"] = "replace"
    export_schema: Schema | None = None


class Guard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The condition under which an activity runs at all.

    When it is false the raw input leaves unchanged by the flow `skip` (by the ordinary flows where
    there is none), and no rule of the activity is applied.
    """

    condition: Expression
    skip: str | None = None
