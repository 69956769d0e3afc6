"""What every element of BPMN 2.0.2 may have and hold: the one reader of `metamodel.toml`.

Elements go by the names of their schemas: `userTask` is one of the model, `bpmndi:BPMNShape`,
`di:waypoint` and `dc:Bounds` are of the diagrams. What is inherited comes first, as in a schema.

Source: BPMN 2.0.2, 15.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

import msgspec

#: The vocabularies of the standard by their namespaces; names of the first have no prefix.
VOCABULARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "http://www.omg.org/spec/BPMN/20100524/MODEL": "",
        "http://www.omg.org/spec/BPMN/20100524/DI": "bpmndi:",
        "http://www.omg.org/spec/DD/20100524/DI": "di:",
        "http://www.omg.org/spec/DD/20100524/DC": "dc:",
    }
)

Simple = Literal[
    "ID", "IDREF", "QName", "anyURI", "boolean", "double", "enum", "int", "integer", "string"
]


class Attribute(msgspec.Struct, frozen=True, kw_only=True):
    """One attribute. `to` are the elements that it may refer to, empty when it refers to none."""

    name: str
    type: Simple
    required: bool
    default: str | None
    values: tuple[str, ...]
    to: tuple[str, ...]


class Child(msgspec.Struct, frozen=True, kw_only=True):
    """One place for children of the same name, or for whatever belongs to that group.

    `type` is the element type of a child of exactly this name; it is empty where the child holds
    a simple `value`, which may refer `to` an element. `maximum` is None where there may be any
    number. Children of different `alternative`s exclude each other; 0 is none.
    """

    name: str
    type: str
    value: Simple | None
    to: tuple[str, ...]
    minimum: int
    maximum: int | None
    alternative: int


class ElementType(msgspec.Struct, frozen=True, kw_only=True):
    """An element as its schema declares it; `attributes` and `children` are its own only.

    `open_to` is `any` or `other` where elements of any or of other namespaces may stand in it.
    """

    name: str
    base: str | None
    group: str | None
    is_abstract: bool
    has_text: bool
    open_to: Literal["", "any", "other"]
    takes_foreign_attributes: bool
    attributes: tuple[Attribute, ...]
    children: tuple[Child, ...]


class _AttributeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: Simple
    to: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    required: bool = False
    default: str | None = None


class _ChildRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str = ""
    value: Simple | None = None
    to: tuple[str, ...] = ()
    min: int = 0
    max: int = 1
    choice: int = 0


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    base: str | None = None
    group: str | None = None
    abstract: bool = False
    text: bool = False
    open: Literal["", "any", "other"] = ""
    foreign: bool = False
    attributes: dict[str, _AttributeRow] = {}
    children: dict[str, _ChildRow] = {}


def qualified(namespace: str, name: str) -> str:
    """The name of an element here, by its namespace; empty when the standard has not that one."""
    prefix = VOCABULARIES.get(namespace)
    return "" if prefix is None else prefix + name


def element_type(name: str) -> ElementType | None:
    """The element of this name, also an abstract one; None when the standard has none."""
    return elements().get(name)


@cache
def elements() -> Mapping[str, ElementType]:
    """Every element of the standard by its name, those of the model first."""
    # Late, because most documents are not BPMN.
    import tomllib
    from importlib.resources import files

    text = files("diglot.specs.bpmn").joinpath("metamodel.toml").read_text(encoding="utf-8")
    tables = msgspec.convert(tomllib.loads(text), dict[str, dict[str, _Table]])
    found: dict[str, ElementType] = {}
    for vocabulary, rows in tables.items():
        prefix = "" if vocabulary == "model" else f"{vocabulary}:"
        for name, table in rows.items():
            found[prefix + name] = _element(prefix, prefix + name, table)
    return MappingProxyType(found)


@cache
def line_of(name: str) -> tuple[ElementType, ...]:
    """The element and what it is derived from, the most general first; empty when unknown."""
    found = element_type(name)
    if found is None:
        return ()
    return (*line_of(found.base), found) if found.base else (found,)


@cache
def is_a(name: str, base: str) -> bool:
    """Whether an element is `base` or derived from it."""
    return any(found.name == base for found in line_of(name))


@cache
def attributes(name: str) -> Mapping[str, Attribute]:
    """Every attribute that an element may have, by name, the inherited ones first."""
    return MappingProxyType({one.name: one for found in line_of(name) for one in found.attributes})


@cache
def children(name: str) -> tuple[Child, ...]:
    """Every place for children that an element has, in the order they must have."""
    return tuple(child for found in line_of(name) for child in found.children)


@cache
def places(name: str) -> Mapping[str, tuple[int, Child]]:
    """The place in `children` of each name that may stand in an element, groups written out."""
    found: dict[str, tuple[int, Child]] = {}
    for index, child in enumerate(children(name)):
        for one in members(child.name) if child.type == child.name else (child.name,):
            found.setdefault(one, (index, child))
    return MappingProxyType(found)


@cache
def members(group: str) -> tuple[str, ...]:
    """What may stand where an element of this name may; itself only when it is not abstract."""
    found = [
        name
        for one in elements().values()
        if one.group == group and one.name != group
        for name in members(one.name)
    ]
    head = element_type(group)
    return tuple(found if head is not None and head.is_abstract else [group, *found])


@cache
def names() -> frozenset[str]:
    """Every name that the standard has for an element, wherever it may stand."""
    found = {child.name for one in elements().values() for child in one.children}
    return frozenset(found.union(elements()))


def takes_foreign_attributes(name: str) -> bool:
    """Whether attributes of other namespaces may stand at an element."""
    return any(found.takes_foreign_attributes for found in line_of(name))


def has_text(name: str) -> bool:
    """Whether character data in an element has a meaning."""
    return any(found.has_text for found in line_of(name))


def open_to(name: str) -> Literal["", "any", "other"]:
    """Whose elements besides its `children` may stand in an element."""
    for found in reversed(line_of(name)):
        if found.open_to:
            return found.open_to
    return ""


def _element(prefix: str, name: str, table: _Table) -> ElementType:
    def whole(written: str) -> str:
        return written if ":" in written else prefix + written

    return ElementType(
        name=name,
        base=whole(table.base) if table.base else None,
        group=whole(table.group) if table.group else None,
        is_abstract=table.abstract,
        has_text=table.text,
        open_to=table.open,
        takes_foreign_attributes=table.foreign,
        attributes=tuple(
            Attribute(
                name=one,
                type=row.type,
                required=row.required,
                default=row.default,
                values=row.values,
                to=row.to,
            )
            for one, row in table.attributes.items()
        ),
        children=tuple(
            Child(
                name=whole(one),
                type="" if row.value else whole(row.type or one),
                value=row.value,
                to=row.to,
                minimum=row.min,
                maximum=row.max or None,
                alternative=row.choice,
            )
            for one, row in table.children.items()
        ),
    )


def written(name: str) -> str:
    """The name as it stands in a document, without our prefix."""
    return name.rpartition(":")[2]
