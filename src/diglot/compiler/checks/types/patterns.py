"""What the patterns behind `as` bind."""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import Env, Inference
from .model import NOTHING, OBJECT, ODD_ANYTHING, Type, numbers
from .stepping import step


def bound_by(
    inference: Inference, patterns: tuple[tree.Pattern, ...], type: Type, dot: Type, env: Env
) -> tuple[dict[str, Type] | None, bool]:
    """The variables of patterns for values of a type, and whether each value binds them once.

    None where no value fits.
    """
    if len(patterns) != 1:
        # Which of the alternatives fits is open, and the others give null.
        names = (name for pattern in patterns for name in tree.bound_names(pattern))
        return dict.fromkeys(names, ODD_ANYTHING), False
    bound: dict[str, Type] = {}
    is_one = _bind(inference, patterns[0], type, dot, env, bound)
    return (None if any(one == NOTHING for one in bound.values()) else bound), is_one


def _bind(
    inference: Inference,
    pattern: tree.Pattern,
    type: Type,
    dot: Type,
    env: Env,
    bound: dict[str, Type],
) -> bool:
    """Whether there is one way to bind a value."""
    match pattern:
        case tree.Bound(name):
            bound[name] = type
        case tree.ArrayPattern(items):
            for place, item in enumerate(items):
                found, _ = step(type, numbers((place,)))
                if not _bind(inference, item, found, dot, env, bound):
                    return False
        case tree.ObjectPattern(entries):
            for key, variable, inner in entries:
                # A key sees the input of the whole expression, and what was bound before it.
                keys = inference.of(key, dot, env.with_variables(bound))
                found = ODD_ANYTHING
                if keys.is_one and not keys.type.kinds & ~(OBJECT - 1):
                    found, _ = step(type, keys.type)
                if variable is not None:
                    bound[variable] = found
                if inner is not None and not _bind(inference, inner, found, dot, env, bound):
                    return False
                if not keys.is_one:
                    bound.update(dict.fromkeys(tree.bound_names(pattern), ODD_ANYTHING))
                    return False
        case _:
            bound.update(dict.fromkeys(tree.bound_names(pattern), ODD_ANYTHING))
    return True
