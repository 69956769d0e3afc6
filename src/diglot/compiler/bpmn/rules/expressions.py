"""Expressions: that they are formal where they are evaluated, and say something.

Source: BPMN 2.0.2 8.4.6, 10.3.8.
"""

from __future__ import annotations

import re
from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts, is_blank, is_formal
from .rule import Findings, found, rule

#: The elements that hold expressions, with the children that are expressions.
_HOLDERS: Final = {
    "sequenceFlow": ("conditionExpression",),
    "complexGateway": ("activationCondition",),
    "adHocSubProcess": ("completionCondition",),
    "standardLoopCharacteristics": ("loopCondition",),
    "multiInstanceLoopCharacteristics": ("loopCardinality", "completionCondition"),
    "timerEventDefinition": ("timeDate", "timeDuration", "timeCycle"),
    "conditionalEventDefinition": ("condition",),
    "assignment": ("from", "to"),
}
_EXPRESSIONS: Final = frozenset(one for some in _HOLDERS.values() for one in some)
#: Expressions that are formal without saying so.
_ALWAYS_FORMAL: Final = ("dataPath", "messagePath", "transformation", "formalExpression")
#: A number or a text in quotes, in whatever language.
_CONSTANT: Final = re.compile(r"""[+-]?[0-9]+(?:\.[0-9]+)?|"[^"\\]*"|'[^'\\]*'""")


@rule(*_HOLDERS, about=_EXPRESSIONS)
def an_expression_is_formal(holder: Element, facts: Facts) -> Findings:
    """What is evaluated in a process that is run is no prose."""
    expressions = [one for one in holder.each(*_HOLDERS[holder.name]) if not is_formal(one)]
    if not expressions or not facts.is_executable(holder):
        return
    for expression in expressions:
        yield found(codes.EXPRESSION_NOT_FORMAL, holder, expression=expression.name)


@rule(*_HOLDERS, "complexBehaviorDefinition", about=_EXPRESSIONS)
def a_formal_expression_says_something(holder: Element, facts: Facts) -> Findings:
    """A formal expression has text."""
    for expression in holder.each(*_HOLDERS.get(holder.name, ("condition",))):
        means_it = is_formal(expression) or holder.name == "complexBehaviorDefinition"
        if means_it and is_blank(expression):
            yield found(codes.EXPRESSION_EMPTY, expression, expression=expression.name)


@rule(*_ALWAYS_FORMAL)
def a_path_says_something(expression: Element, facts: Facts) -> Findings:
    """An expression that is always formal has text."""
    if is_blank(expression):
        yield found(codes.EXPRESSION_EMPTY, expression, expression=expression.name)


@rule("complexBehaviorDefinition")
def a_condition_is_true_or_false(behavior: Element, facts: Facts) -> Findings:
    """A condition is no constant of another type.

    This is about conditions that nobody evaluates, because the loop does not behave so; the others
    are looked at where they are translated.
    """
    loop = behavior.parent
    if loop is not None and loop.get("behavior") == "Complex":
        return
    for expression in behavior.each("condition"):
        text = expression.text.strip()
        if _CONSTANT.fullmatch(text):
            yield found(codes.CONDITION_CONSTANT, expression, expression=expression.name, text=text)
