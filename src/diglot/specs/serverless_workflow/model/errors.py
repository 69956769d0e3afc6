"""Errors, how they are told apart and when the work is tried again.

Source: DSL reference, Error, Catch, Retry.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Tag, model_validator

from .base import Closed, Loose, Maybe, also, by_key, by_type, refuse_if_empty
from .scalars import Duration, Expression, Integer, UriOrExpression


class Error(Closed):
    """An error that a workflow raises itself."""

    type: UriOrExpression
    status: Integer
    instance: Maybe[str] = None
    title: Maybe[str] = None
    detail: Maybe[str] = None


ErrorOrName = Annotated[
    Annotated[Error, Tag("object")] | Annotated[str, Tag("string")],
    by_type("an error or the name of one in use.errors"),
]


class ErrorFilter(Closed):
    """Every property given must equal that of the error; `details` is 1.0.3's name of `detail`."""

    model_config = also(minProperties=1)

    type: Maybe[str] = None
    status: Maybe[Integer] = None
    instance: Maybe[str] = None
    title: Maybe[str] = None
    detail: Maybe[str] = None
    details: Maybe[str] = None

    @model_validator(mode="after")
    def _names_something(self) -> ErrorFilter:
        refuse_if_empty(self)
        return self


class CatchErrors(Closed):
    """The static filter of a catch; without it, every error passes."""

    with_: Maybe[ErrorFilter] = Field(default=None, alias="with")


class BackoffSettings(Loose):
    """A back-off has no settings of its own: the delay alone is its measure."""


class ConstantBackoff(Closed):
    """The delay stays the same."""

    constant: BackoffSettings


class LinearBackoff(Closed):
    """The delay grows by itself with each attempt."""

    linear: BackoffSettings


class ExponentialBackoff(Closed):
    """The delay doubles with each attempt."""

    exponential: BackoffSettings


Backoff = Annotated[
    Annotated[ConstantBackoff, Tag("constant")]
    | Annotated[LinearBackoff, Tag("linear")]
    | Annotated[ExponentialBackoff, Tag("exponential")],
    by_key("constant", "linear", "exponential"),
]


class AttemptLimit(Closed):
    """How often the work is tried again, and how long one attempt may take."""

    count: Maybe[Integer] = None
    duration: Maybe[Duration] = None


class RetryLimit(Closed):
    """When trying again ends; `duration` is the time of all attempts together."""

    attempt: Maybe[AttemptLimit] = None
    duration: Maybe[Duration] = None


class Jitter(Closed):
    """The range of a random time that is added to each delay."""

    from_: Duration = Field(alias="from")
    to: Duration


class RetryPolicy(Closed):
    """Whether and when a failed task is tried again."""

    when: Maybe[Expression] = None
    exceptWhen: Maybe[Expression] = None
    delay: Maybe[Duration] = None
    backoff: Maybe[Backoff] = None
    limit: Maybe[RetryLimit] = None
    jitter: Maybe[Jitter] = None


RetryOrName = Annotated[
    Annotated[RetryPolicy, Tag("object")] | Annotated[str, Tag("string")],
    by_type("a retry policy or the name of one in use.retries"),
]
