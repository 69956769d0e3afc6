"""The DSL's texts and numbers: names, versions, expressions, URIs, durations.

Source: DSL reference, Document, Duration, Endpoint, URI Template; dsl.md, Runtime Expressions.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Discriminator, Tag
from pydantic_core import PydanticCustomError

from diglot.specs.serverless_workflow.durations import ISO_8601, parse_duration

from .base import ByType, Closed, Kept, Maybe, NonEmptyMap, Pattern, also, by_type

_NUMBER: Final = r"(?:0|[1-9][0-9]*)"
_LABEL: Final = r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMVER: Final = (
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_LABEL}(?:\.{_LABEL})*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?"
)
#: One line, as the schema has it: `.` does not match a line break.
_EXPRESSION: Final = r"\s*\$\{.+\}\s*"
#: 1.0.3 takes any text behind a scheme; later schemas take references, but no white space.
_URI: Final = (
    r"(?!\s*\$\{)(?:[A-Za-z][A-Za-z0-9+\-.]*://[\s\S]*"
    r"|(?=\S)(?:[^:/?#\s]+:)?(?://[^/?#\s]*)?[^?#\s]*(?:\?[^#\s]*)?(?:#\S*)?)"
)

#: A DNS label: of a namespace or a name.
Label = Annotated[
    str,
    Pattern(
        r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?",
        "up to 63 letters, digits and hyphens, with no hyphen at either end",
    ),
]
SemanticVersion = Annotated[str, Pattern(_SEMVER, "a semantic version such as 1.0.3", 256)]

#: Where the DSL expects an expression, bare text and `${ }` are both one.
Expression = str
#: Where the DSL insists on `${ }`.
RuntimeExpression = Annotated[str, Pattern(_EXPRESSION, "an expression in ${ }")]
Uri = Annotated[str, Pattern(_URI, "a URI or a URI template")]
UriOrExpression = Annotated[
    str, Pattern(f"{_URI}|{_EXPRESSION}", "a URI, a URI template or an expression in ${ }")
]
#: `continue`, `exit`, `end`, or the name of a task in the same list.
FlowDirective = str

#: Texts by name, or one expression that gives them.
Texts = Annotated[
    Annotated[dict[str, str], Tag("object")] | Annotated[RuntimeExpression, Tag("string")],
    by_type("a mapping of strings or an expression in ${ }"),
]
#: Data that may hold expressions at any depth, or one expression.
DataOrExpression = Annotated[
    Annotated[dict[str, Any], Tag("object")] | Annotated[Expression, Tag("string")],
    by_type("an expression or a mapping"),
]
#: The same with at least one key.
FilledDataOrExpression = Annotated[
    Annotated[NonEmptyMap[Any], Tag("object")] | Annotated[Expression, Tag("string")],
    by_type("an expression or a mapping"),
]


def _whole(value: Any) -> Any:
    """JSON Schema takes 5.0 for an integer, so it is one here."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: What is said of a text that is no duration.
DURATION_WORDS: Final = "an ISO 8601 duration such as PT15M"

#: What is said of a value that is neither text nor units.
DURATION_RULE: Final = ByType(
    "a mapping such as {seconds: 5}, an ISO 8601 string or an expression in ${ }"
)

Integer = Annotated[int, BeforeValidator(_whole)]


class DurationUnits(Closed):
    """The object form of a duration; a count may be negative. Source: DSL reference, Duration."""

    model_config = also(minProperties=1)

    days: Maybe[Integer] = None
    hours: Maybe[Integer] = None
    minutes: Maybe[Integer] = None
    seconds: Maybe[Integer] = None
    milliseconds: Maybe[Integer] = None


def _checked_duration(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip().startswith("${"):
        return value
    try:
        parse_duration(value)
    except ValueError as fault:
        raise PydanticCustomError("wrong_duration", "{reason}", {"reason": str(fault)}) from fault
    return value


#: Kept as the author wrote it: units by name, or text. `parse_duration` reads both.
Duration = Annotated[
    Annotated[dict[str, int], Kept(DurationUnits), AfterValidator(_checked_duration), Tag("object")]
    | Annotated[
        str,
        Pattern(f"{ISO_8601}|{_EXPRESSION}", DURATION_WORDS),
        AfterValidator(_checked_duration),
        Tag("string"),
    ],
    Discriminator(DURATION_RULE),
]


class Timeout(Closed):
    """After how long a workflow or a task is interrupted. Source: DSL reference, Timeout."""

    after: Duration


#: A time-out, or the name of one in `use.timeouts`.
TimeoutOrName = Annotated[
    Annotated[Timeout, Tag("object")] | Annotated[str, Tag("string")],
    by_type("a timeout or the name of one in use.timeouts"),
]
