"""What all models of the DSL share: closed objects, optional properties, chosen alternatives."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field
from pydantic.annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

T = TypeVar("T")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

#: What all models share; none is built before it is used.
UNBUILT: Final = ConfigDict(frozen=True, strict=True, defer_build=True)


class Closed(BaseModel):
    """An object of the DSL; a property it does not name is an error."""

    model_config = {**UNBUILT, "extra": "forbid"}


class Open(BaseModel):
    """An object that the DSL leaves open for the author's own properties."""

    model_config = {**UNBUILT, "extra": "allow"}


class Loose(Open):
    """An object whose schema merely forgets to close itself: what is unknown there is ignored."""


def also(**schema: Any) -> ConfigDict:
    """The configuration of a model whose JSON Schema needs to say more than its fields do."""
    return ConfigDict(json_schema_extra=schema)


class NotNull:
    """Takes `null` out of an optional field: absent is allowed, an explicit null is not."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The schema of the field without its null."""
        found = handler(source)
        return found["schema"] if found["type"] == "nullable" else found


@dataclass(frozen=True)
class Kept:
    """Checked as `model`, but kept as the plain object that the author wrote."""

    model: type[BaseModel]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The model's schema with the way back behind it."""

        def plain(found: BaseModel) -> dict[str, Any]:
            return found.model_dump(by_alias=True, exclude_unset=True)

        return core_schema.no_info_after_validator_function(
            plain,
            handler.generate_schema(self.model),
            serialization=core_schema.simple_ser_schema("any"),
        )


#: A property that may be absent, but is never null. `None` stands for its absence.
Maybe = Annotated[T | None, NotNull()]
#: A list of the document. Strict tuples refuse lists, so the tuple itself is lax.
Items = Annotated[tuple[T, ...], Field(strict=False)]


@dataclass(frozen=True)
class Length:
    """How many entries an object or a list has, counted before they are looked at.

    The error's type is `wrong_length`.
    """

    least: int
    most: int | None = None

    def _check(self, value: Json) -> Json:
        most = sys.maxsize if self.most is None else self.most
        if isinstance(value, dict | list) and not self.least <= len(value) <= most:
            raise PydanticCustomError("wrong_length", "expected another number of entries")
        return value

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The collection's schema with this check before it."""
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The bounds in the words for objects or those for lists."""
        found = handler(schema)
        unit = "Items" if found.get("type") == "array" else "Properties"
        bounds = {"min": self.least, "max": self.most}
        return found | {f"{end}{unit}": count for end, count in bounds.items() if count is not None}


#: An object with free keys and at least one of them.
NonEmptyMap = Annotated[dict[str, T], Length(1)]
#: An object with exactly one free key, which names its value.
Single = Annotated[dict[str, T], Length(1, 1)]


@dataclass(frozen=True)
class ByType:
    """Chooses an alternative by the JSON type of the value; `expected` says what may stand here.

    The tags are `string`, `object` and `list`.
    """

    #: What pydantic calls the rule.
    __name__: ClassVar[str] = "by_type"

    expected: str

    def __call__(self, value: Json) -> str | None:
        """The tag of the value's type."""
        tags = ((str, "string"), (dict, "object"), (list, "list"))
        return next((tag for kind, tag in tags if isinstance(value, kind)), None)


@dataclass(frozen=True)
class ByKey:
    """Chooses an alternative by the one of `keys` that is present: the tag is the key.

    An object with none of them is `otherwise`, where there is such an alternative.
    """

    #: What pydantic calls the rule.
    __name__: ClassVar[str] = "by_key"

    keys: tuple[str, ...]
    otherwise: str | None = None

    def __call__(self, value: Json) -> str | None:
        """The tag of the value's key; None unless exactly one is present."""
        if not isinstance(value, dict):
            return None
        present = [key for key in self.keys if key in value]
        if not present:
            return self.otherwise
        return present[0] if len(present) == 1 else None


def by_type(expected: str) -> Discriminator:
    """A choice between JSON types, see `ByType`."""
    return Discriminator(ByType(expected))


def by_key(*keys: str, otherwise: str | None = None) -> Discriminator:
    """A choice between keys that exclude each other, see `ByKey`."""
    return Discriminator(ByKey(keys, otherwise))


@dataclass(frozen=True)
class Pattern:
    """The text must match `pattern` from end to end; `expected` says so in words.

    The error's type is `wrong_pattern`.
    """

    pattern: str
    expected: str
    longest: int | None = None

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def _check(self, text: str) -> str:
        if (self.longest is not None and len(text) > self.longest) or not self._compiled.fullmatch(
            text
        ):
            raise PydanticCustomError(
                "wrong_pattern", "expected {expected}", {"expected": self.expected}
            )
        return text

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The string's schema with this check behind it."""
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The pattern with its anchors, in the regular expressions of JSON Schema."""
        return {**handler(schema), "pattern": f"^(?:{self.pattern})$"}


def refuse_unless_one(model: BaseModel, *names: str) -> None:
    """Raise `not_one_of` unless exactly one of the named properties is present."""
    found = [name for name in names if name in model.model_fields_set]
    if len(found) != 1:
        raise PydanticCustomError(
            "not_one_of",
            "exactly one of {choices}",
            {"choices": ", ".join(names), "found": ", ".join(found)},
        )


def refuse_if_empty(model: BaseModel) -> None:
    """Raise `wrong_length` unless some property is present."""
    if not model.model_fields_set:
        raise PydanticCustomError("wrong_length", "expected at least one property")


def needs(name: str) -> PydanticCustomError:
    """The error of an object in which the property `name` is missing because of the others."""
    return PydanticCustomError("needs", "{property} is missing", {"property": name})


def excludes(name: str) -> PydanticCustomError:
    """The error of an object in which the property `name` must not stand beside the others."""
    return PydanticCustomError("excludes", "{property} has no effect", {"property": name})
