from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from diglot.runtime.actions import ActionContext, ActionError, execute, kinds, performs


def test_the_actions_are_http_openapi_script_and_shell():
    assert kinds() == {"http", "openapi", "script", "shell"}


def test_a_second_function_for_a_kind_is_an_error_at_import():
    def again(arguments: dict[str, Any], context: ActionContext) -> Any:
        return None

    with pytest.raises(ValueError, match="two functions perform 'http'"):
        performs("http")(again)


def test_an_unknown_kind_is_a_configuration_error(context: ActionContext):
    with pytest.raises(ActionError) as caught:
        execute("telepathy", {}, context)

    assert (caught.value.type, caught.value.status) == ("configuration", 400)


def test_importing_the_actions_imports_no_http_client():
    program = (
        "import sys, diglot.runtime.actions;print(sorted({'httpx', 'httpcore'} & set(sys.modules)))"
    )

    loaded = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert loaded.stdout == "[]\n"
