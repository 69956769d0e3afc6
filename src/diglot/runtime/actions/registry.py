"""Which function performs which kind of action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .contract import ActionContext, ActionError

Action = Callable[[dict[str, Any], ActionContext], Any]

_ACTIONS: dict[str, Action] = {}


def performs(kind: str) -> Callable[[Action], Action]:
    """Register the decorated function for `kind`.

    Raises:
        ValueError: Another function has the kind already.
    """

    def register(action: Action) -> Action:
        if kind in _ACTIONS:
            raise ValueError(f"two functions perform {kind!r}")
        _ACTIONS[kind] = action
        return action

    return register


def kinds() -> frozenset[str]:
    """Every kind of action that in-process workers perform."""
    return frozenset(_ACTIONS)


def execute(kind: str, arguments: dict[str, Any], context: ActionContext) -> Any:
    """Perform one action and return its output, a JSON value.

    `arguments` hold no expression any more: they are JSON values, secrets included.

    Raises:
        ActionError: The action failed, or no action has this kind.
    """
    action = _ACTIONS.get(kind)
    if action is None:
        raise ActionError(
            "configuration",
            400,
            "Unknown Action",
            f"no action is called {kind!r}; known are {', '.join(sorted(_ACTIONS))}",
        )
    return action(arguments, context)
