"""JSON Schemas made ready: each one once, without a look at the network.

Source: DSL reference, Schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, cast

from diglot.compiler.graph import Constant, Record, Schema, UriTemplate

from .faults import fault
from .patterns import all_harmless, fits

#: Raises `Fault` (validation, 400) where the value does not fit; `what` names it in the message.
Validator = Callable[[Any, str], None]


def validator(schema: Schema, resources: dict[str, Any]) -> Validator:
    """The check of one schema; `resources` holds the documents behind addresses, by address."""
    document = schema.document
    if schema.resource is not None:
        address = resource_address(schema)
        if address is None or address not in resources:
            return _unresolved(address or "an address that is computed")
        document = resources[address]
    return _prepared(json.dumps(document, sort_keys=True))


def resource_address(schema: Schema) -> str | None:
    """The constant address of a schema's resource, or nothing."""
    found = schema.resource
    for name in ("endpoint", "uri"):
        if isinstance(found, Record):
            found = dict(found.members).get(name)
    match found:
        case UriTemplate(text=text):
            return text
        case Constant(document=str() as text):
            return text
        case _:
            return None


def _unresolved(address: str) -> Validator:
    def refuse(value: Any, what: str) -> None:
        raise fault("configuration", f"the schema at {address} was not available at publication")

    return refuse


@lru_cache(maxsize=512)
def _prepared(text: str) -> Validator:
    document = json.loads(text)
    check: Any = None

    def validate(value: Any, what: str) -> None:
        nonlocal check
        if check is None:
            check = _validator(document)
        error = _first_error(check, value, what)
        if error is not None:
            place = "/".join(str(part) for part in error.absolute_path)
            where = f" at /{place}" if place else ""
            message = str(error.message)[:LONGEST_MESSAGE]
            raise fault("validation", f"the {what} does not fit its schema{where}: {message}")

    return validate


#: The library quotes the data, which may be long.
LONGEST_MESSAGE = 500


def _first_error(check: Any, value: Any, what: str) -> Any:
    """The first thing in the value that does not fit; nothing if all does.

    Raises:
        Fault: the schema cannot be used (configuration), or the value not be compared with it.
    """
    from referencing.exceptions import Unresolvable

    try:
        return next(check.iter_errors(value), None)
    except Unresolvable as error:
        detail = f"the schema of the {what} refers to {error.ref}, which it does not hold"
        raise fault("configuration", detail) from error
    except RecursionError as error:
        detail = f"the schema of the {what} refers to itself without end, or the data is too deep"
        raise fault("configuration", detail) from error
    except (ArithmeticError, ValueError) as error:
        raise fault("validation", f"the {what} cannot be checked: {error}") from error


def _validator(document: Any) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for
    from referencing import Registry

    if "unevaluatedProperties" in json.dumps(document) and not all_harmless(document):
        raise fault(
            "configuration",
            "the schema has `unevaluatedProperties` beside a pattern that may run for ever",
        )
    found = _guarded(cast("Any", validator_for(document, default=Draft202012Validator)))
    # An empty registry: a reference to an address outside is an error, never a request.
    nowhere = cast("Any", Registry)()
    return found(document, registry=nowhere)


@lru_cache(maxsize=8)
def _guarded(base: Any) -> Any:
    """The library's validator with its regular expressions under our guard."""
    from jsonschema import validators

    keywords = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    return cast("Any", validators).extend(base, keywords)


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not fits(str(pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, properties: Any, instance: Any, schema: Any
) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    members = cast("dict[str, Any]", instance)
    for pattern, subschema in cast("dict[str, Any]", properties).items():
        for name, member in members.items():
            if fits(pattern, name):
                yield from validator.descend(member, subschema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, additional: Any, instance: Any, schema: Any
) -> Iterator[Any]:
    from jsonschema import ValidationError

    if not isinstance(instance, dict):
        return
    members = cast("dict[str, Any]", instance)
    named: dict[str, Any] = schema.get("properties", {})
    patterns: list[str] = list(schema.get("patternProperties", {}))
    extras = [
        name
        for name in members
        if name not in named and not any(fits(pattern, name) for pattern in patterns)
    ]
    if isinstance(additional, dict):
        for name in extras:
            yield from validator.descend(members[name], additional, path=name)
    elif not additional and extras:
        told = ", ".join(repr(name) for name in sorted(extras))
        yield ValidationError(f"additional properties are not allowed: {told}")
