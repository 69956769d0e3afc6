"""URI templates as the DSL has them: RFC 6570's simple expansion and nothing more.

Source: DSL reference, URI template; RFC 6570, 3.2.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

#: First characters that make an expression something else than simple: RFC 6570, 2.2.
_OPERATORS = "+#./;?&=,!@|"
_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_LEVEL_FOUR = re.compile(r":\d+$|\*$")


class UriTemplateError(ValueError):
    """The template is not well formed, or a value cannot stand in a URI."""


def expand(template: str, values: Mapping[str, Any]) -> str:
    """The template with each `{name}` replaced by the percent-encoded value of that key.

    A name is a key taken as it stands: `{pet.id}` reads the key `pet.id`. A missing key and null
    become the empty string; `{x,y}` joins the values it finds with a comma. Text outside braces is
    left as the author wrote it.

    Raises:
        UriTemplateError: The braces do not match, the expression is not a simple one, or a value
            is an object or an array.
    """
    out: list[str] = []
    for literal, names in _parse(template):
        out.append(literal)
        found = [values[name] for name in names if values.get(name) is not None]
        out.append(",".join(_encode(value, names) for value in found))
    return "".join(out)


def template_names(template: str) -> tuple[str, ...]:
    """The names a template reads, each once, in the order of their first appearance.

    Raises:
        UriTemplateError: The template is not well formed.
    """
    return tuple(dict.fromkeys(name for _, names in _parse(template) for name in names))


@lru_cache(maxsize=512)
def _parse(template: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Pairs of a literal and the names of the expression behind it; the last has no names."""
    parts: list[tuple[str, tuple[str, ...]]] = []
    start = 0
    for match in _EXPRESSION.finditer(template):
        parts.append((_literal(template[start : match.start()]), _names(match[1])))
        start = match.end()
    parts.append((_literal(template[start:]), ()))
    return tuple(parts)


def _literal(text: str) -> str:
    if "{" in text or "}" in text:
        raise UriTemplateError("a brace of the URI template has no partner")
    return text


def _names(expression: str) -> tuple[str, ...]:
    if expression[:1] and expression[0] in _OPERATORS:
        raise UriTemplateError(f"{{{expression}}} is not a simple expansion such as {{name}}")
    names = tuple(expression.split(","))
    for name in names:
        if not name.strip():
            raise UriTemplateError(f"{{{expression}}} names no variable")
        if _LEVEL_FOUR.search(name):
            raise UriTemplateError(f"{{{expression}}} uses a modifier; only {{name}} is supported")
    return names


def _encode(value: object, names: tuple[str, ...]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        # Everything but RFC 3986's unreserved characters, as simple expansion demands.
        return quote(str(value), safe="", errors="replace")
    kind = "an array" if isinstance(value, list | tuple) else "an object"
    raise UriTemplateError(
        f"{{{','.join(names)}}} is {kind}; only a string, a number, a boolean or null can stand"
        " in a URI"
    )
