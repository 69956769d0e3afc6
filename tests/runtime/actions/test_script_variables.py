"""Scripts on variables: what a script task sees, sets, gives and throws."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import ActionContext, ActionError, execute

if TYPE_CHECKING:
    from conftest import ContextMaker

LANGUAGES = [
    "python",
    pytest.param(
        "javascript",
        marks=pytest.mark.skipif(
            shutil.which("node") is None, reason="NODE IS MISSING: JavaScript is not run"
        ),
    ),
]


@pytest.fixture
def context(make_context: ContextMaker) -> ActionContext:
    return make_context(allow_processes=True)


def run(context: ActionContext, language: str, code: str, **variables: Any) -> Any:
    return execute("script", {"language": language, "code": code, "variables": variables}, context)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_sees_variables_and_gives_those_it_sets(
    context: ActionContext, language: str
) -> None:
    found = run(context, language, "total = price * 2", price=21, other="kept")

    assert found["variables"] == {"total": 42}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_member_of_a_variable_is_a_change(context: ActionContext, language: str) -> None:
    found = run(context, language, "order['done'] = 1", order={"id": 7}, same=[1])

    assert found["variables"] == {"order": {"id": 7, "done": 1}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_expression_is_the_result(context: ActionContext, language: str) -> None:
    assert run(context, language, "x + 1", x=1)["result"] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_can_throw_a_business_error(context: ActionContext, language: str) -> None:
    word = "raise" if language == "python" else "throw new"

    with pytest.raises(ActionError) as caught:
        run(context, language, f"{word} BpmnError('LATE', 'too late')")

    assert (caught.value.type, caught.value.title) == ("LATE", "too late")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_that_fails_says_how(context: ActionContext, language: str) -> None:
    with pytest.raises(ActionError) as caught:
        run(context, language, "nowhere.to.be.found")

    assert caught.value.title == "Script Failed"
    assert "nowhere" in caught.value.detail


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_failure_names_the_line_of_the_script_and_nothing_around_it(
    context: ActionContext, language: str
) -> None:
    with pytest.raises(ActionError) as caught:
        run(context, language, "x = 1\nnowhere")

    expected = {
        "python": "NameError: name 'nowhere' is not defined in line 2",
        "javascript": "ReferenceError: nowhere is not defined in line 2",
    }
    assert caught.value.detail == expected[language]


def test_what_is_no_json_is_no_variable(context: ActionContext) -> None:
    found = run(
        context, "python", "import math\ndef f(): pass\ny = {1, 2}\nz = float('nan')\nx = 1"
    )

    assert found["variables"] == {"x": 1}


def test_a_script_on_variables_needs_leave_to_run(make_context: ContextMaker) -> None:
    with pytest.raises(ActionError) as caught:
        run(make_context(allow_processes=False), "python", "x = 1")

    assert caught.value.title == "Processes Not Allowed"


def test_variables_beyond_the_limit_are_refused(make_context: ContextMaker) -> None:
    context = make_context(allow_processes=True, max_output_bytes=1000)

    with pytest.raises(ActionError) as caught:
        run(context, "python", "x = 'a' * 2000")

    assert caught.value.title == "Output Too Large"


def test_javascript_has_the_execution_object_of_its_kin(context: ActionContext) -> None:
    if shutil.which("node") is None:
        pytest.skip("NODE IS MISSING: JavaScript is not run")

    found = run(context, "js", "execution.setVariable('y', execution.getVariable('x') + 1)", x=1)

    assert found["variables"] == {"y": 2}
