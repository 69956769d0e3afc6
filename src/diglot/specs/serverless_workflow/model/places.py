"""From a validation error's location to the place in the document and what the DSL allows there.

A location of pydantic names fields, indexes and keys, but also the tags of chosen alternatives.
Following the types tells one from the other, and what may stand at the end of the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Discriminator, RootModel, Tag

from .base import ByKey, ByType, Kept


@dataclass(frozen=True)
class Place:
    """A place in a document.

    `path` leads to it from the root; `owner` is the innermost model on the way and `name` the
    property of it that was taken. `expected` is the type at the end, Any where nothing is known,
    with the annotations around it in `marks`.
    """

    path: tuple[str | int, ...] = ()
    owner: type[BaseModel] | None = None
    name: str = ""
    expected: Any = Any
    marks: tuple[Any, ...] = field(default=())

    @property
    def model(self) -> type[BaseModel] | None:
        """The model of the object that stands here, if it is one."""
        return _as_model(self.expected)

    @property
    def properties(self) -> tuple[str, ...]:
        """The names that the object here may use, as the DSL spells them."""
        return tuple(properties_of(self.model)) if self.model else ()

    @property
    def rule(self) -> ByType | ByKey | None:
        """What chooses between the alternatives here; None where there are none, or tasks."""
        found = self.choice
        rule = found.discriminator if found else None
        return rule if isinstance(rule, ByType | ByKey) else None

    @property
    def choice(self) -> Discriminator | None:
        """The choice between alternatives that stands here."""
        return next((mark for mark in self.marks if isinstance(mark, Discriminator)), None)

    @property
    def values(self) -> tuple[str, ...]:
        """The only values that are allowed here."""
        return get_args(self.expected) if get_origin(self.expected) is Literal else ()


def place_of(root: type[BaseModel], location: Sequence[str | int]) -> Place:
    """The place that pydantic's `location` means in a document of the model `root`.

    What lies behind an unknown property or inside free data is taken key by key.
    """
    here = _unwrapped(Place(), root)
    for step in location:
        here = _step(here, step)
    return here


def properties_of(model: type[BaseModel]) -> dict[str, str]:
    """A model's field names by the names that the DSL gives them."""
    return {info.alias or name: name for name, info in model.model_fields.items()}


def _step(here: Place, step: str | int) -> Place:
    if here.choice is not None:
        for alternative in get_args(here.expected):
            if Tag(str(step)) in get_args(alternative):
                return _unwrapped(here, alternative)
    origin, arguments = get_origin(here.expected), get_args(here.expected)
    path = (*here.path, step)
    model = here.model
    if model is not None:
        name = properties_of(model).get(str(step))
        hint = _hints(model)[name] if name else Any
        return _unwrapped(Place(path, model, str(step)), hint)
    inner = Any
    if origin is tuple and isinstance(step, int):
        inner = arguments[0]
    elif origin is dict:
        inner = arguments[1]
    return _unwrapped(Place(path, here.owner, here.name), inner)


def _unwrapped(here: Place, hint: Any) -> Place:
    """The place with its type laid bare: no annotations, no absence, no model of one value."""
    marks: tuple[Any, ...] = ()
    while True:
        origin = get_origin(hint)
        if origin is Annotated:
            hint, *found = get_args(hint)
            marks = (*found, *marks)
            hint = next((mark.model for mark in found if isinstance(mark, Kept)), hint)
        elif origin in (Union, UnionType):
            present = [part for part in get_args(hint) if part is not NoneType]
            if len(present) > 1:
                return Place(here.path, here.owner, here.name, Union[tuple(present)], marks)  # noqa: UP007
            hint = present[0]
        elif isinstance(hint, type) and issubclass(hint, RootModel):
            hint = _hints(cast("type[BaseModel]", hint))["root"]
        else:
            return Place(here.path, here.owner, here.name, hint, marks)


@cache
def _hints(model: type[BaseModel]) -> dict[str, Any]:
    """The types of the fields, forward references resolved where they were written."""
    return get_type_hints(model, include_extras=True)


def _as_model(expected: Any) -> type[BaseModel] | None:
    return expected if isinstance(expected, type) and issubclass(expected, BaseModel) else None
