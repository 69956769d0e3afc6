"""The words of a finding about shape: what something is, what is allowed, what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

import msgspec

from diglot.compiler.diagnostics import Code
from diglot.compiler.serverless_workflow.located import Json
from diglot.compiler.serverless_workflow.scalars import abridge
from diglot.specs.serverless_workflow.model import Workflow, tasks, workflow
from diglot.specs.serverless_workflow.model.places import Place, place_of

Path = tuple[str | int, ...]


class Fault(msgspec.Struct, frozen=True):
    """One fault of a document: what kind, where, and the document itself.

    `kind` and `location` are pydantic's, `context` is what it knows besides.
    """

    kind: str
    location: Path
    place: Place
    root: Json
    context: dict[str, Any]

    @property
    def value(self) -> Json:
        """What stands at the place; None where nothing does."""
        return value_at(self.root, self.place.path)

    @property
    def parent(self) -> Place:
        """The place one level up."""
        return place_of(Workflow, self.location[:-1])

    @property
    def name(self) -> str:
        """The place as its author calls it: the last key, with an index behind it."""
        last = self.place.path[-1] if self.place.path else ""
        if isinstance(last, int):
            return f"{abridge(self.place.name)}[{last}]"
        return abridge(last)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be reported about a fault; `at_key` when the key is wrong and not its value."""

    code: Code
    path: Path
    parameters: dict[str, str]
    hint: str = ""
    at_key: bool = False


def finding(
    fault: Fault, code: Code, hint: str = "", *, at_key: bool = False, **parameters: str
) -> Finding:
    """A finding at the place of the fault."""
    return Finding(
        code=code, path=fault.place.path, parameters=parameters, hint=hint, at_key=at_key
    )


def value_at(root: Json, path: Path) -> Json:
    """What stands at a place of a document; None where nothing does."""
    value = root
    for step in path:
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif isinstance(value, dict):
            value = value.get(str(step))
        else:
            return None
    return value


def as_mapping(value: Json) -> dict[str, Json]:
    """The value where it is a mapping; an empty one in its place where it is not."""
    return value if isinstance(value, dict) else {}


def kind_of(value: Json) -> str:
    """A value's kind in the words of YAML."""
    return next(words for kind, words in _KINDS if isinstance(value, kind))


#: A boolean is an int to Python, so it comes first.
_KINDS: Final[tuple[tuple[type[object], str], ...]] = (
    (type(None), "empty"),
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "a mapping"),
)


def size_of(value: Json) -> str:
    """The same with the number of entries."""
    if not isinstance(value, dict | list):
        return kind_of(value)
    what, unit = ("list", "item") if isinstance(value, list) else ("mapping", "key")
    if len(value) == 0:
        return f"an empty {what}"
    return f"a {what} with {len(value)} {unit}{'s' if len(value) > 1 else ''}"


def shown(value: Json) -> str:
    """A value in short, as it may stand in a sentence."""
    if isinstance(value, dict):
        return abridge(", ".join(f"{key}: {entry}" for key, entry in value.items()) or "{}")
    return abridge(str(value))


def owner_of(place: Place) -> str:
    """An object of the document as its author would call it."""
    if not place.path:
        return "the workflow"
    last, model = place.path[-1], place.model
    if isinstance(last, int):
        return f"`{abridge(place.name)}[{last}]`"
    for kind, words in _NAMED.items():
        if model is not None and issubclass(model, kind):
            return f"the {words} `{abridge(last)}`"
    return f"`{abridge(last)}`"


_NAMED: Final = {tasks.TaskBase: "task", tasks.SwitchCase: "case", workflow.Extension: "extension"}


def listed(names: Iterable[str], last: str = "and") -> str:
    """The names as they stand in a sentence."""
    *most, final = (f"`{name}`" for name in names)
    return f"{', '.join(most)} {last} {final}" if most else final


def nearest(written: Iterable[str], allowed: Iterable[str]) -> str | None:
    """What one of the written names was probably meant to be."""
    choices = list(allowed)
    for name in written:
        if len(name) <= _LONGEST_NAME:
            by_lower = {choice.lower(): choice for choice in choices}
            close = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
            if close:
                return by_lower[close[0]]
    return None


#: Longer names are no slip of the pen, and comparing them takes long.
_LONGEST_NAME: Final = 40


def did_you_mean(written: Iterable[str], allowed: Iterable[str]) -> str:
    """The hint for a slip of the pen; empty when nothing is near."""
    meant = nearest(written, allowed)
    return f"Did you mean `{meant}`?" if meant else ""
