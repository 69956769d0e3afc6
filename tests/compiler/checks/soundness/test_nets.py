"""What the checker says of a net is what comes out when every marking is looked at."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings

from diglot.compiler.checks.soundness.decision import decide
from diglot.compiler.checks.soundness.net import Net, Shot, Unfit, replay
from diglot.compiler.checks.soundness.reduction import reduce
from diglot.compiler.checks.soundness.rest import Rest
from support.nets import faults_of, net, random_nets

SOUND = {
    "a row": "begin -> a\n a -> b\n b ->",
    "one of two ways": "begin -> a\n begin -> b\n a -> c\n b -> c\n c ->",
    "two ways at once": "begin -> a b\n a -> c\n b -> d\n c d -> e\n e ->",
    "two ways at once that end apart": "begin -> a b\n a ->\n b ->",
    "a loop": "begin -> a\n a -> b\n b -> a\n b ->",
    "a loop around two ways at once": "begin -> a\n a -> b c\n b c -> d\n d -> a\n d ->",
    "a choice in one of two ways": "begin -> a b\n a -> c\n a -> d\n c -> e\n d -> e\n b e ->",
    "an end of all from one of two ways": "begin -> a b\n a -> all\n a -> c\n b c ->",
    "an end of all where the other waits for ever": "begin -> a b\n a -> all\n b c ->",
    "some of two ways": "begin -> a? b?\n a -> c\n b -> d\n ? c d -> e\n e ->",
    "some of two ways, one inside the other": (
        "begin -> a? b?\n a -> c? d?\n ? c d -> e\n ? b e -> f\n f ->"
    ),
    "one of two ways, merged by what waits": "begin -> a\n begin -> b\n ? a b -> c\n c ->",
    "two ways at once, merged by what waits": "begin -> a b\n a -> c\n b -> d\n ? c d -> e\n e ->",
    "some of two ways that end apart": "begin -> a? b?\n a ->\n b ->",
    "some of two ways, of which one may end": (
        "begin -> a? b?\n a -> c\n b -> d\n b -> e\n e ->\n ? c d ->"
    ),
    "a loop around some of two ways": ("begin -> a\n a -> b? c?\n ? b c -> d\n d -> a\n d ->"),
    "unstructured ways": (
        "begin -> a b\n a -> c\n a -> d\n b -> e\n b -> f\nc e ->\n c f ->\n d e ->\n d f ->"
    ),
}

UNSOUND = {
    "a choice that is waited for whole": ("stuck", "begin -> a\n begin -> b\n a b ->"),
    "a way that leads nowhere": ("stuck", "begin -> a"),
    "two ways at once into one": ("doubled", "begin -> a b\n a -> c\n b -> c\n c ->"),
    "two ways at once into one before an end": ("doubled", "begin -> a b\n a -> b\n b ->"),
    "some of two ways into one": ("doubled", "begin -> a? b?\n a -> c\n b -> c\n c ->"),
    "some of two ways that are waited for whole": ("stuck", "begin -> a? b?\n a b ->"),
    "a merge that waits for itself": (
        "stuck", "begin -> a b\n a c -> d\n ? d b -> e\n e -> c f\n f ->",
    ),
    "a loop without a way out": ("endless", "begin -> a\n a -> b\n b -> a"),
    "a loop without a way out beside an end": ("endless", "begin -> a c\n a -> b\n b -> a\n c ->"),
    "a token that stays where it is": ("endless", "begin -> a\n a -> a"),
    "tokens that pile up beside a loop": (
        "doubled", "begin -> a\n a -> b c\n b -> a\n b ->\n c ->",
    ),
    "a fork at the beginning that comes back": (
        "doubled", "begin -> a b\n a -> b\n b -> c\n c ->",
    ),
    "two of three that are waited for": (
        "stuck", "begin -> a b\n a -> c\n a -> d\n b c -> e\n d e ->\n d -> f\n f b ->",
    ),
    "two tokens before the end of all": ("doubled", "begin -> a b\n a -> c\n b -> c\n c -> all"),
    "what needs nothing, and happens again": ("doubled", "begin ->\n -> a\n a -> b\n b ->"),
    "two tokens beside an end of all": (
        "doubled", "begin -> a b\n a -> all\n b -> c d\n c -> e\n d -> e\n e ->",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_a_sound_net_is_found_sound(text: str) -> None:
    assert faults_of(net(text)) == frozenset()

    assert decide(net(text)).kind == "sound"


@pytest.mark.parametrize(("kind", "text"), UNSOUND.values(), ids=UNSOUND)
def test_a_run_shows_what_is_wrong(kind: str, text: str) -> None:
    faulty = net(text)
    assert kind in (faults_of(faulty) or ())

    found = decide(faulty)

    assert found.kind == kind
    assert_it_shows(found.kind, faulty, found.run)


@settings(
    max_examples=5_000 if os.environ.get("DIGLOT_SWEEP") == "all" else 400,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(random_nets())
def test_the_verdict_is_that_of_looking_at_every_marking(any_net: Net) -> None:
    faults = faults_of(any_net)

    found = decide(any_net)

    if faults is not None:
        assert found.kind != "undecided"
        assert (found.kind == "sound") == (faults == frozenset())
    if found.kind not in ("sound", "undecided"):
        assert_it_shows(found.kind, any_net, found.run)


def assert_it_shows(kind: str, faulty: Net, run: tuple[Shot, ...]) -> None:
    """The run is one of the net, and at its end there is what it is said to show."""
    game = replay(faulty, run)
    if kind == "doubled":
        assert game.doubled is not None
    elif kind == "stuck":
        assert game.marking() != frozenset()
        assert game.enabled() == []
    else:
        assert game.enabled() != []
        rest = Net(faulty.places, faulty.transitions, tuple(place for place, _ in game.marking()))
        assert (faults_of(rest) or {"endless"}) == {"endless"}


def test_nothing_is_left_of_nested_blocks() -> None:
    text = "begin -> a\n"
    for depth in range(50):
        text += f"a{depth} -> b{depth} c{depth}\nb{depth} -> a{depth + 1}\n"
        text += f"d{depth + 1} c{depth} -> d{depth}\n"
    rest = Rest(net(text + "a -> a0\na50 -> d50\nd0 ->"))

    reduce(rest)

    assert not rest.places
    assert not rest.takes


def test_a_step_that_nothing_comes_to_is_dead() -> None:
    rest = Rest(net("begin -> a\n a ->\n b -> c\n c ->"))

    reduce(rest)

    assert 2 in rest.dead
    assert 1 not in rest.dead


def test_a_run_that_is_none_is_refused() -> None:
    with pytest.raises(Unfit, match="transition 1"):
        replay(net("begin -> a\n b ->"), (Shot(1),))
