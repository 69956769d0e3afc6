"""The JSON Schema of a document of the DSL, drawn from the models.

`python -m diglot.specs.serverless_workflow.schema` prints it. The schema accepts what the models
accept, except that it cannot bound how long a duration is.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from .model import Workflow

SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class _WithoutNull(GenerateJsonSchema):
    """The models say None where a property is absent; a document has no such null."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def json_schema() -> dict[str, Any]:
    """The schema of a document of the DSL 1.0, with the property names of the DSL."""
    return {"$schema": SCHEMA_DIALECT, **Workflow.model_json_schema(schema_generator=_WithoutNull)}


if __name__ == "__main__":
    json.dump(json_schema(), sys.stdout, indent=2)
    sys.stdout.write("\n")
