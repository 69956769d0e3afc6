"""The data rules of a task and the JSON schemas in them.

Source: DSL, Data Flow; DSL reference, Input, Output, Export, Schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from diglot.specs.serverless_workflow.model import data as model

from .. import codes
from ..graph import DataRules, Schema
from ..pointers import join_pointer, split_pointer
from .read_resources import resource
from .scalars import abridge
from .values import filter_or_data

if TYPE_CHECKING:
    from .located import Json
    from .reading import Reading


def rules(
    reading: Reading,
    pointer: str,
    *,
    input: model.Input | None = None,
    output: model.Output | None = None,
    export: model.Export | None = None,
) -> DataRules | None:
    """The data rules of the task, workflow or iterator at `pointer`; None when it has none."""
    if input is None and output is None and export is None:
        return None
    read = write = exported = None
    input_schema = output_schema = export_schema = None
    if input is not None:
        input_schema = _schema(reading, input.schema_, f"{pointer}/input/schema")
        if input.from_ is not None:
            read = filter_or_data(reading, input.from_, f"{pointer}/input/from")
    if output is not None:
        output_schema = _schema(reading, output.schema_, f"{pointer}/output/schema")
        if output.as_ is not None:
            write = filter_or_data(reading, output.as_, f"{pointer}/output/as")
    if export is not None:
        export_schema = _schema(reading, export.schema_, f"{pointer}/export/schema")
        if export.as_ is not None:
            exported = filter_or_data(reading, export.as_, f"{pointer}/export/as")
    return DataRules(
        input_schema=input_schema,
        read=read,
        write=write,
        output_schema=output_schema,
        export=exported,
        export_schema=export_schema,
    )


def _schema(
    reading: Reading, found: model.InlineSchema | model.ExternalSchema | None, pointer: str
) -> Schema | None:
    if found is None:
        return None
    if isinstance(found, model.ExternalSchema):
        return Schema(resource=resource(reading, found.resource, f"{pointer}/resource"))
    _check_schema(reading, found.document, f"{pointer}/document")
    return Schema(document=found.document)


def _check_schema(reading: Reading, document: Json, pointer: str) -> None:
    """Report what keeps a JSON schema from being one; without `$schema` it is read as 2020-12."""
    # Late: most documents have no schema, and the library takes a while to load.
    import jsonschema
    from jsonschema.validators import validator_for

    if not isinstance(document, dict | bool):
        reading.find(codes.BAD_SCHEMA, pointer, problem="a schema is an object or a boolean")
        return
    if isinstance(document, dict) and not isinstance(document.get("$schema", ""), str):
        reading.find(codes.BAD_SCHEMA, f"{pointer}/$schema", problem="`$schema` is not a string")
        return
    try:
        dialect: Any = validator_for(document, default=jsonschema.Draft202012Validator)
        dialect.check_schema(document)
    except jsonschema.SchemaError as fault:
        place = pointer + join_pointer(*fault.absolute_path)
        reading.find(codes.BAD_SCHEMA, place, problem=abridge(fault.message, _LONGEST_QUOTE))
    except ValueError:
        # The library takes the dialect's address apart before it looks at it.
        reading.find(codes.BAD_SCHEMA, f"{pointer}/$schema", problem="`$schema` is not a URI")
    except RecursionError:
        reading.find(codes.BAD_SCHEMA, pointer, problem="it is nested too deeply")
    else:
        for path, problem in _dangling(document):
            reading.find(codes.BAD_SCHEMA, pointer + join_pointer(*path), problem=problem)


#: Of what a finding quotes of a schema.
_LONGEST_QUOTE = 200
#: Below these keywords of a schema stands data and no schema.
_DATA_KEYWORDS = frozenset(("const", "default", "enum", "examples"))


def _dangling(document: dict[str, Json] | bool) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Where a reference of a schema leads nowhere, as far as no part of it has an `$id`."""
    references: list[tuple[tuple[str | int, ...], str]] = []
    rest: list[tuple[tuple[str | int, ...], Json]] = [((), document)]
    while rest:
        place, part = rest.pop()
        if isinstance(part, dict):
            if isinstance(part.get("$id", part.get("id")), str):
                return
            reference = part.get("$ref")
            if isinstance(reference, str):
                references.append(((*place, "$ref"), reference))
            inner = part.items()
            rest.extend(((*place, key), at) for key, at in inner if key not in _DATA_KEYWORDS)
        elif isinstance(part, list):
            rest.extend(((*place, index), item) for index, item in enumerate(part))
    for place, reference in references:
        quoted = abridge(reference, _LONGEST_QUOTE)
        if not reference.startswith("#"):
            yield place, f"`{quoted}` stands elsewhere, and nothing is fetched for it"
        elif reference.startswith("#/") and not _holds(document, unquote(reference[1:])):
            yield place, f"there is no `{quoted}`"


def _holds(document: Json, pointer: str) -> bool:
    """Whether a pointer leads to something."""
    for part in split_pointer(pointer):
        if isinstance(document, dict) and part in document:
            document = document[part]
        elif isinstance(document, list) and part.isdecimal() and len(part) < 8:
            if int(part) >= len(document):
                return False
            document = document[int(part)]
        else:
            return False
    return True
