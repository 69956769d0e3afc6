"""How data goes in and out of a workflow and its tasks.

Source: DSL reference, Input, Output, Export, Schema.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Tag

from .base import Closed, Maybe, Pattern, by_key
from .resources import ExternalResource
from .scalars import DataOrExpression

SchemaFormat = Annotated[str, Pattern("json(?::.+)?", "json, or json: and its version")]


class InlineSchema(Closed):
    """A schema that stands in the document."""

    format: SchemaFormat = "json"
    document: Any


class ExternalSchema(Closed):
    """A schema that is fetched."""

    format: SchemaFormat = "json"
    resource: ExternalResource


Schema = Annotated[
    Annotated[InlineSchema, Tag("document")] | Annotated[ExternalSchema, Tag("resource")],
    by_key("document", "resource"),
]


class Input(Closed):
    """The raw input is checked against the schema, then transformed by `from`."""

    schema_: Maybe[Schema] = Field(default=None, alias="schema")
    from_: Maybe[DataOrExpression] = Field(default=None, alias="from")


class Output(Closed):
    """The raw output is transformed by `as`, then checked against the schema."""

    schema_: Maybe[Schema] = Field(default=None, alias="schema")
    as_: Maybe[DataOrExpression] = Field(default=None, alias="as")


class Export(Closed):
    """What `as` gives becomes the new context, then is checked against the schema."""

    schema_: Maybe[Schema] = Field(default=None, alias="schema")
    as_: Maybe[DataOrExpression] = Field(default=None, alias="as")
