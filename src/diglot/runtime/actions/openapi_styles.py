"""How an OpenAPI parameter is written: style and explode, or collectionFormat of Swagger 2.0.

Source: OpenAPI 3.1.0, 4.8.12.6 (style examples); Swagger 2.0, parameter object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

from .arguments import as_list, scalar_text
from .openapi_document import unusable

#: What stands between the items of an array in one value.
_SEPARATORS = {
    "form": ",",
    "simple": ",",
    "spaceDelimited": "%20",
    "pipeDelimited": "%7C",
    "tabDelimited": "%09",
}
_DEFAULT_STYLES = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}
#: The styles of each place; others are the document's mistake.
_STYLES = {
    "path": frozenset({"simple", "label", "matrix", *_SEPARATORS}),
    "header": frozenset({"simple", *_SEPARATORS}),
    "query": frozenset({"deepObject", *_SEPARATORS}),
    "cookie": frozenset({"form"}),
}
_COLLECTION_FORMATS = {
    "csv": "simple",
    "ssv": "spaceDelimited",
    "tsv": "tabDelimited",
    "pipes": "pipeDelimited",
    "multi": "form",
}
_RESERVED = ":/?@!$'()*,;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of an operation, in the words of OpenAPI 3."""

    name: str
    #: path, query, header or cookie; body and formData in Swagger 2.0.
    place: str
    is_required: bool
    style: str = "form"
    explode: bool = False
    #: The value is written as JSON, whatever the style.
    is_json: bool = False
    #: RFC 3986's reserved characters stay as they are.
    allows_reserved: bool = False


def read_parameter(described: Mapping[str, Any], *, is_swagger: bool) -> Parameter:
    """The parameter that a document describes, its references already followed."""
    place = str(described.get("in", ""))
    if is_swagger:
        collection = str(described.get("collectionFormat", "csv"))
        style, explode = _COLLECTION_FORMATS.get(collection, "simple"), collection == "multi"
    else:
        style = str(described.get("style", _DEFAULT_STYLES.get(place, "form")))
        explode = bool(described.get("explode", style == "form"))
    if style not in _STYLES.get(place, (style,)):
        raise unusable(f"it gives a {place} parameter the style {style!r}")
    return Parameter(
        name=str(described.get("name", "")),
        place=place,
        is_required=place == "path" or bool(described.get("required", False)),
        style=style,
        explode=explode,
        is_json="content" in described,
        allows_reserved=bool(described.get("allowReserved", False)),
    )


def path_text(parameter: Parameter, value: Any) -> str:
    """The value as it replaces `{name}` in a path, percent-encoded."""
    name = quote(parameter.name, safe="")
    match parameter.style:
        case "label":
            separator = "." if parameter.explode else ","
            return "." + separator.join(_parts(parameter, value, separator="="))
        case "matrix":
            if isinstance(value, Mapping) and parameter.explode:
                return "".join(f";{part}" for part in _parts(parameter, value, separator="="))
            parts = _parts(parameter, value)
            if parameter.explode:
                return "".join(f";{name}={part}" for part in parts)
            return f";{name}={','.join(parts)}"
        case _:
            parts = _parts(parameter, value, separator="=")
            return _SEPARATORS[parameter.style].join(parts)


def query_pairs(parameter: Parameter, value: Any) -> list[str]:
    """The value as `name=value` texts of a query, percent-encoded."""
    name = quote(parameter.name, safe="")
    if parameter.style == "deepObject" and isinstance(value, Mapping):
        return _deep_pairs(parameter, name, cast("Mapping[str, Any]", value))
    if isinstance(value, Mapping) and parameter.explode and not parameter.is_json:
        return _parts(parameter, value, separator="=")
    parts = _parts(parameter, value)
    if parameter.explode or parameter.style == "deepObject":
        return [f"{name}={part}" for part in parts]
    return [f"{name}={_SEPARATORS[parameter.style].join(parts)}"]


def header_text(parameter: Parameter, value: Any) -> str:
    """The value as the text of a header; nothing is percent-encoded there."""
    return ",".join(_parts(parameter, value, separator="=", encode=False))


def cookie_text(parameter: Parameter, value: Any) -> str:
    """The value as one `name=value` of the Cookie header."""
    name = quote(parameter.name, safe="")
    return f"{name}={','.join(_parts(parameter, value))}"


def _parts(
    parameter: Parameter, value: Any, *, separator: str = ",", encode: bool = True
) -> list[str]:
    """The written items of a value: one for a scalar, keys and values for an object.

    A key and its value make one part, with `separator` between them, when the parameter explodes,
    and two parts when it does not.
    """
    if parameter.is_json:
        return [_written(parameter, json.dumps(value, separators=(",", ":")), encode)]
    if isinstance(value, Mapping):
        pairs = [
            (_written(parameter, key, encode), _written(parameter, item, encode))
            for key, item in cast("Mapping[str, Any]", value).items()
        ]
        if parameter.explode:
            return [f"{key}{separator}{item}" for key, item in pairs]
        return [text for pair in pairs for text in pair]
    return [_written(parameter, item, encode) for item in as_list(value)]


def _deep_pairs(parameter: Parameter, prefix: str, value: Mapping[str, Any]) -> list[str]:
    pairs: list[str] = []
    for key, item in value.items():
        name = f"{prefix}%5B{quote(str(key), safe='')}%5D"
        if isinstance(item, Mapping):
            pairs += _deep_pairs(parameter, name, cast("Mapping[str, Any]", item))
        else:
            pairs += [f"{name}={_written(parameter, one, True)}" for one in as_list(item)]
    return pairs


def _written(parameter: Parameter, value: Any, encode: bool) -> str:
    text = scalar_text(value, f"an item of the parameter {parameter.name}")
    if not encode:
        return text
    return quote(text, safe=_RESERVED if parameter.allows_reserved else "")
