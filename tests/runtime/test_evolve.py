"""Events: each is applied by one function, and history of any age can be read."""

from __future__ import annotations

import random
from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.runtime import commands as c
from diglot.runtime import decide as deciding
from diglot.runtime import events as e
from diglot.runtime import evolve as evolving
from diglot.runtime.appliers import appliers
from diglot.runtime.evolve import fold
from diglot.runtime.state import State
from support import json_values
from support.play import Play
from support.random_workflows import EVERYTHING, make_case

EVENTS: list[type[Any]] = list(get_args(e.Event))
COMMANDS: list[type[Any]] = list(get_args(c.Command))

by_type = pytest.mark.parametrize("type", EVENTS, ids=lambda type: type.__name__)


def some(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of the type of a member."""
    if annotation is Any:
        return json_values.values
    if annotation is int:
        return st.integers(0, 2**62)
    if annotation is bool:
        return st.booleans()
    if annotation is str:
        return json_values.texts
    if annotation is type(None):
        return st.none()
    if get_origin(annotation) is tuple:
        return st.lists(some(get_args(annotation)[0]), max_size=3).map(tuple)
    if get_origin(annotation) is dict:
        return st.dictionaries(json_values.texts, some(get_args(annotation)[1]), max_size=3)
    if isinstance(annotation, UnionType):
        return st.one_of(*map(some, get_args(annotation)))
    return of(annotation)


def of(struct: type[Any]) -> st.SearchStrategy[Any]:
    """Values of a struct, any member of which may be anything of its type."""
    members = {field.name: some(field.type) for field in msgspec.structs.fields(struct)}
    return st.builds(struct, **members)


def nothing(*_: object) -> None:
    """A function that does nothing."""


@by_type
def test_an_event_is_applied_by_exactly_one_function(type: type[Any]) -> None:
    assert type in appliers
    with pytest.raises(RuntimeError, match="twice"):
        evolving.applies(type)(nothing)


def test_only_events_of_the_union_are_applied() -> None:
    assert set(appliers) == set(EVENTS)


def test_a_command_is_decided_by_exactly_one_function() -> None:
    deciders = deciding._deciders  # pyright: ignore[reportPrivateUsage]
    assert set(deciders) == set(COMMANDS)
    with pytest.raises(RuntimeError, match="twice"):
        deciding.decides(c.FireTimer)(nothing)


def test_no_two_events_are_written_under_one_name() -> None:
    names = [type.__struct_config__.tag for type in EVENTS]
    assert len(names) == len(set(names))


@by_type
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_an_event_is_read_as_it_was_written(type: type[Any], data: st.DataObject) -> None:
    event = data.draw(of(type))
    assert e.decode(e.encode([event])) == [event]
    assert e.encode(e.decode(e.encode([event]))) == e.encode([event])


@by_type
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_an_event_from_before_its_newer_members_has_their_defaults(
    type: type[Any], data: st.DataObject
) -> None:
    event = data.draw(of(type))
    fields = msgspec.structs.fields(type)
    required = sum(field.required for field in fields)
    (written,) = msgspec.json.decode(e.encode([event]))

    for count in range(required, len(fields) + 1):
        older = msgspec.json.encode([written[: 1 + count]])
        missing = {field.name: _default(field) for field in fields[count:]}
        assert e.decode(older) == [msgspec.structs.replace(event, **missing)]


def _default(field: msgspec.structs.FieldInfo) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


@by_type
def test_members_with_a_default_stand_at_the_end(type: type[Any]) -> None:
    required = [field.required for field in msgspec.structs.fields(type)]
    assert required == sorted(required, reverse=True)


def test_an_event_of_no_known_name_is_refused() -> None:
    with pytest.raises(msgspec.MsgspecError):
        e.decode(b'[["visit.teleported",1]]')


@pytest.mark.parametrize("seed", range(8))
def test_applying_events_changes_none_of_them(seed: int) -> None:
    play = Play(make_case(random.Random(seed), EVERYTHING))
    play.run()
    history = play.history("main")
    before = e.encode(history)

    first = fold("main", history).snapshot()
    second = fold("main", history).snapshot()

    assert e.encode(history) == before
    assert first == second
    play.engine.close()


def test_a_state_begins_with_nothing_and_says_so() -> None:
    state = State("one")
    assert (state.status, state.sequence, state.is_over) == ("pending", 0, False)
    assert fold("one", []).snapshot() == state.snapshot()
