"""What a valid document says in vain, where the DSL's schema forgot to close an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pydantic import BaseModel, RootModel

from .base import Loose
from .places import properties_of

Path = tuple[str | int, ...]


def ignored_properties(model: BaseModel, path: Path = ()) -> Iterator[tuple[Path, type[Loose]]]:
    """The path of each property that nothing reads, with the object's model, in document order."""
    if isinstance(model, Loose):
        yield from (((*path, name), type(model)) for name in model.model_extra or ())
    for name, attribute in properties_of(type(model)).items():
        # A model of one value stands where its value stands.
        below = path if issubclass(type(model), RootModel) else (*path, name)
        yield from _below(getattr(model, attribute), below)


def _below(value: object, path: Path) -> Iterator[tuple[Path, type[Loose]]]:
    """Free data holds no models, so its own depth does not matter."""
    if isinstance(value, BaseModel):
        yield from ignored_properties(value, path)
    elif isinstance(value, tuple):
        for index, item in enumerate(cast("tuple[object, ...]", value)):
            yield from _below(item, (*path, index))
    elif isinstance(value, dict):
        for key, entry in cast("dict[str, object]", value).items():
            if isinstance(entry, BaseModel):
                yield from ignored_properties(entry, (*path, key))
