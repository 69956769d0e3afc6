"""CloudEvents, what is listened for and how it belongs together.

Source: DSL reference, Event Consumption Strategy, Event Properties, Event Filter, Correlation.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Tag, model_validator

from .base import Closed, Items, Loose, Maybe, Open, also, by_key, by_type, refuse_if_empty
from .scalars import Expression, UriOrExpression

#: What of a consumed event becomes data.
ReadAs = Literal["data", "envelope", "raw"]


class EventAttributes(Open):
    """The attributes of a CloudEvent; further ones are extension attributes.

    `data` may be null: `model_fields_set` tells whether it is there.
    """

    id: Maybe[str] = None
    source: Maybe[UriOrExpression] = None
    time: Maybe[str] = None
    subject: Maybe[str] = None
    datacontenttype: Maybe[str] = None
    dataschema: Maybe[UriOrExpression] = None
    data: Any = None


class EventToEmit(EventAttributes):
    """The event that an emit task publishes; what it leaves out, the engine fills in."""

    type: str


class EventPattern(EventAttributes):
    """What an event must look like: constants, regular expressions or expressions."""

    model_config = also(minProperties=1)

    type: Maybe[str] = None

    @model_validator(mode="after")
    def _names_something(self) -> EventPattern:
        refuse_if_empty(self)
        return self


class Emission(Loose):
    """The event of an emit task."""

    with_: EventToEmit = Field(alias="with")


class Correlation(Loose):
    """A value drawn from an event, and what it must equal."""

    from_: Expression = Field(alias="from")
    expect: Maybe[str] = None


class EventFilter(Closed):
    """Which events are meant; a correlation has a name, which binds filters together."""

    with_: EventPattern = Field(alias="with")
    correlate: Maybe[dict[str, Correlation]] = None


class ConsumeAll(Closed):
    """One event for each filter."""

    all: Items[EventFilter]


class ConsumeAnyOnce(Closed):
    """One event that passes any of the filters; without filters, any event at all."""

    any: Items[EventFilter]


class ConsumeOne(Closed):
    """One event that passes the filter."""

    one: EventFilter


#: What ends a strategy that goes on: itself a strategy, but without such an end.
UntilConsumed = Annotated[
    Annotated[ConsumeAll, Tag("all")]
    | Annotated[ConsumeAnyOnce, Tag("any")]
    | Annotated[ConsumeOne, Tag("one")],
    by_key("all", "any", "one"),
]


class ConsumeAny(ConsumeAnyOnce):
    """Events that pass any of the filters, until a condition holds or other events have come."""

    until: Maybe[
        Annotated[
            Annotated[UntilConsumed, Tag("object")] | Annotated[Expression, Tag("string")],
            by_type("an expression or an event consumption strategy"),
        ]
    ] = None


EventConsumption = Annotated[
    Annotated[ConsumeAll, Tag("all")]
    | Annotated[ConsumeAny, Tag("any")]
    | Annotated[ConsumeOne, Tag("one")],
    by_key("all", "any", "one"),
]
