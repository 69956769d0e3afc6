"""The parts of a plan: rules, policies, filters and repetitions, each compiled once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from diglot.compiler import graph as g

from .evaluate import (
    Compiled,
    compile_condition,
    compile_due,
    compile_listing,
    compile_value,
    compile_watch,
)
from .schemas import Validator, validator

if TYPE_CHECKING:
    from .semantics.frame import Frame
    from .semantics.step import Step

    Condition = Callable[[Step, Frame, Any], bool]


def optional(value: g.Value | None) -> Compiled | None:
    """The function that computes a value, where there is one."""
    return None if value is None else compile_value(value)


def condition(expression: g.Expression | None) -> Condition | None:
    """The truth of an expression, where there is one."""
    return None if expression is None else compile_condition(expression)


def schema(found: g.Schema | None, resources: dict[str, Any]) -> Validator | None:
    """What a schema finds wrong, where there is one."""
    return None if found is None else validator(found, resources)


class RulesPlan:
    """The data rules of one activity, compiled."""

    __slots__ = (
        "export",
        "export_mode",
        "export_schema",
        "export_to",
        "input_schema",
        "needs",
        "output_schema",
        "read",
        "write",
    )

    def __init__(self, rules: g.DataRules, resources: dict[str, Any]) -> None:
        self.needs = None if rules.needs is None else compile_watch(rules.needs)
        self.input_schema = schema(rules.input_schema, resources)
        self.read = optional(rules.read)
        self.write = optional(rules.write)
        self.output_schema = schema(rules.output_schema, resources)
        self.export = optional(rules.export)
        self.export_to = rules.export_to
        self.export_mode = rules.export_mode
        self.export_schema = schema(rules.export_schema, resources)


class RetryPlan:
    """A retry policy, compiled; durations are given as functions from now to a moment."""

    __slots__ = ("attempt_due", "delay", "except_when", "jitter", "policy", "total_limit", "when")

    def __init__(self, policy: g.RetryPolicy) -> None:
        self.policy = policy
        self.when = condition(policy.when)
        self.except_when = condition(policy.except_when)
        self.delay = optional(policy.delay)
        self.attempt_due = (
            None if policy.attempt_limit is None else compile_due(policy.attempt_limit)
        )
        self.total_limit = optional(policy.total_limit)
        self.jitter = (
            None
            if policy.jitter_from is None or policy.jitter_to is None
            else (compile_value(policy.jitter_from), compile_value(policy.jitter_to))
        )


class RunsPlan:
    """How an activity runs once per item, compiled."""

    __slots__ = ("cardinality", "collection", "completion", "condition", "multi", "output")

    def __init__(self, multi: g.MultiInstance) -> None:
        self.multi = multi
        self.collection = None if multi.collection is None else compile_listing(multi.collection)
        self.cardinality = optional(multi.cardinality)
        self.condition = condition(multi.condition)
        self.completion = condition(multi.completion)
        self.output = optional(multi.output)


class LoopPlan:
    """How an activity runs again and again, compiled."""

    __slots__ = ("condition", "loop", "maximum")

    def __init__(self, loop: g.Loop) -> None:
        self.loop = loop
        self.condition = condition(loop.condition)
        self.maximum = optional(loop.maximum)


class ErrorPlan:
    """An error template, compiled."""

    __slots__ = ("detail", "status", "title", "type")

    def __init__(self, template: g.ErrorTemplate) -> None:
        self.type = compile_value(template.type)
        self.status = compile_value(template.status)
        self.title = optional(template.title)
        self.detail = optional(template.detail)


class KeyPlan:
    """A correlation key, compiled."""

    __slots__ = ("expect", "is_shared", "name", "read")

    def __init__(self, key: g.Correlation) -> None:
        self.name = key.name
        self.read = compile_value(key.read)
        self.expect = optional(key.expect)
        self.is_shared = key.is_shared


class FilterPlan:
    """An event filter, compiled. `type` is the one event type it can match, if that is known."""

    __slots__ = ("attributes", "correlations", "filter", "patterns", "type")

    def __init__(self, filter: g.EventFilter) -> None:
        self.filter = filter
        self.attributes = [
            (
                attribute.name,
                attribute,
                compile_condition(attribute.value)
                if isinstance(attribute.value, g.Expression)
                else compile_value(attribute.value),
            )
            for attribute in filter.attributes
        ]
        #: By attribute, whether a text fits its constant as a regular expression (A25).
        self.patterns = {
            attribute.name: _fits(attribute.value.document)
            for attribute in filter.attributes
            if attribute.is_pattern
            and isinstance(attribute.value, g.Constant)
            and isinstance(attribute.value.document, str)
            and not is_literal(attribute.value.document)
        }
        self.correlations = [KeyPlan(key) for key in filter.correlations]
        self.type = self._only_type()

    def _only_type(self) -> str | None:
        for name, attribute, _ in self.attributes:
            value = attribute.value
            if name == "type" and isinstance(value, g.Constant) and isinstance(value.document, str):
                return value.document if is_literal(value.document) else None
        return None


def _fits(pattern: str) -> Condition:
    """Whether a whole text fits a pattern; asked of jq, whose evaluator can be stopped.

    A pattern may take for ever on a text made for it, and whoever sends events chooses the text.
    """
    whole = json.dumps(rf"\A(?:{pattern})\z")
    return compile_condition(g.Expression(text=f"test({whole})"))


def is_literal(text: str) -> bool:
    """Whether a filter's text can only mean itself: a dotted name is not a pattern (A25)."""
    return all(character.isalnum() or character in "._-/:~" for character in text)
