"""Data that a definition can work with, guessed from what its expressions look at.

A definition by somebody else says nothing of its input nor of what its services answer. What it
reads of them tells the names, and how it reads them tells the kinds: compared with a number it is a
number, looped over it is a list, called it is an address. One object with all of it stands for the
input, for every answer and for the data of every event.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.harness.difference import is_list, is_object
from diglot.compiler.graph import Expression, Graph, Record, Task, UriTemplate, Value
from diglot.compiler.graph.sites import Place, walk_expressions

#: Where an answer of a service leads when it is called itself.
ADDRESS = "https://service.example.com/resource"
#: How often a list has its item: enough to loop, few enough to read.
_ITEMS = 2

_NAME = r"[A-Za-z_]\w*"
#: A path below the data or below one of the variables that hold data.
_PATH = re.compile(rf"(?P<root>\$(?:{_NAME})|(?<![\w\"\])]))(?P<path>(?:\.{_NAME}(?:\[\d*\])?)+)")
_COMPARED = re.compile(
    r"\s*(?:==|!=|<=|>=|<|>)\s*(?P<literal>-?\d+(?:\.\d+)?|\"[^\"]*\"|true|false)"
)
_ARITHMETIC = re.compile(r"\s*[-+*/%]\s*-?\d")
_LISTED = re.compile(r"\s*(?:\|\s*(?:length|map|sort\w*|first|last|add|join)\b|\+\s*\[)")
_TEMPLATE_NAME = re.compile(r"\{([^{}]+)\}")
#: Variables whose members are the engine's and not data.
_OWN = frozenset({"$workflow", "$task", "$runtime", "$secrets", "$authorization"})


def world(graph: Graph) -> dict[str, Any]:
    """An object with everything the definition reads, and what its input schema wants."""
    made: dict[str, Any] = {}
    items: dict[str, Any] = {}
    for site in walk_expressions(graph):
        variables = {f"${name}" for name in site.variables}
        for root, path, value in _readings(site.expression.text, site.place):
            if root in _OWN:
                continue
            is_item = root in variables and root not in ("$input", "$context", "$output")
            _put(items if is_item else made, path, value)
    for task in graph.nodes:
        if isinstance(task, Task):
            for path, value in _in_arguments(task.action.arguments):
                _put(made, path, value)
    _put_items(made, items)
    schema = None if graph.data is None else graph.data.input_schema
    sample = None if schema is None else sample_of(schema.document)
    return {**made, **sample} if is_object(sample) else made


def sample_of(schema: Any) -> Any:
    """A value that a plain JSON schema takes."""
    if not is_object(schema):
        return None
    for name in ("const", "default"):
        if name in schema:
            return schema[name]
    for name in ("enum", "examples"):
        if schema.get(name):
            return schema[name][0]
    match schema.get("type"):
        case "object":
            members = schema.get("properties", {})
            return {name: sample_of(member) for name, member in members.items()}
        case "array":
            return [sample_of(schema.get("items", {}))] * max(1, schema.get("minItems", _ITEMS))
        case "integer" | "number":
            return schema.get("minimum", schema.get("maximum", 1))
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return "x" * max(1, schema.get("minLength", 1))


def _readings(text: str, place: Place) -> Iterator[tuple[str, list[str], Any]]:
    """(root, path, value) of everything an expression reads."""
    for found in _PATH.finditer(text):
        rest = text[found.end() :]
        path = re.sub(r"\[\d*\]", "[]", found["path"])
        names = path.strip(".").split(".")
        yield found["root"], names, _value(names[-1], rest, place, found.group() == text.strip())


def _value(name: str, rest: str, place: Place, is_whole: bool) -> Any:
    compared = _COMPARED.match(rest)
    if compared is not None:
        return json.loads(compared["literal"])
    if _LISTED.match(rest) or (place == "collection" and is_whole):
        return []
    if _ARITHMETIC.match(rest):
        return 1
    return name.removesuffix("[]")


def _in_arguments(arguments: Value) -> Iterator[tuple[list[str], Any]]:
    """What an action's address reads: names of a template, or an expression that is an address."""
    if not isinstance(arguments, Record):
        return
    for name, value in arguments.members:
        if isinstance(value, UriTemplate):
            for found in _TEMPLATE_NAME.findall(value.text):
                yield [found], "1"
        elif isinstance(value, Expression) and name in ("endpoint", "uri"):
            for root, path, _ in _readings(value.text, "arguments"):
                if f"{root}.{'.'.join(path)}" == value.text.strip():
                    yield path, ADDRESS
        elif isinstance(value, Record):
            yield from _in_arguments(value)


def _put(made: dict[str, Any], path: list[str], value: Any) -> None:
    """Set a value at a path; what says more of the kind wins over a mere name."""
    for name in path[:-1]:
        made = _step(made, name)
    last = path[-1]
    if last.endswith("[]"):
        made.setdefault(last[:-2], [])
        return
    known = made.get(last)
    if known is None or known == last:
        made[last] = value


def _step(made: dict[str, Any], name: str) -> dict[str, Any]:
    if name.endswith("[]"):
        items = made.get(name[:-2])
        if is_list(items) and items and is_object(items[0]):
            return items[0]
        first: dict[str, Any] = {}
        made[name[:-2]] = [first]
        return first
    inner = made.get(name)
    if is_object(inner):
        return inner
    made[name] = held = dict[str, Any]()
    return held


def _put_items(made: dict[str, Any], items: dict[str, Any]) -> None:
    """Give every empty list something to loop over: what is read of the items of loops."""
    for name, value in made.items():
        if value == []:
            made[name] = [dict(items) or name] * _ITEMS
        elif is_object(value):
            _put_items(value, items)
