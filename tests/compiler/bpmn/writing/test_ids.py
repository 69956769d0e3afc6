from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.bpmn.writing.ids import Ids, fit


@pytest.mark.parametrize(
    ("wish", "id"),
    [
        ("price", "price"),
        ("/do/0/price", "price"),
        ("/do/0/price#catch", "price_catch"),
        ("/do/0/order/do/3/price", "price"),
        ("größe", "gr_e"),
        ("1st", "_1st"),
        ("a b:c", "a_b_c"),
        ("com.x.Paid", "com.x.Paid"),
        ("---", ""),
        ("", ""),
        ("x" * 200, "x" * 80),
    ],
)
def test_an_id_is_what_of_a_wish_every_reader_takes(wish: str, id: str):
    assert fit(wish) == id


@given(st.text())
def test_whatever_is_wished_for_an_id_is_one_that_readers_take(wish: str):
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.\-]{0,80}", Ids().take(wish, "task"))


def test_the_same_wish_gets_numbers():
    ids = Ids()

    assert [ids.take("price", "task") for _ in range(3)] == ["price", "price_2", "price_3"]


def test_a_number_that_somebody_wished_for_is_given_once():
    ids = Ids()

    assert [ids.take(one, "task") for one in ("price_1", "price", "price", "price_1")] == [
        "price_1",
        "price",
        "price_2",
        "price_1_2",
    ]


def test_a_wish_that_leaves_nothing_is_the_kind_of_the_element():
    ids = Ids()

    assert [ids.take("", "task"), ids.take("?", "task")] == ["task", "task_2"]


@given(st.lists(st.sampled_from(["a", "a_1", "a_1_1", "b", "", "?"]), max_size=12))
def test_no_id_is_given_twice(wishes: list[str]):
    ids = Ids()
    taken = [ids.take(wish, "a") for wish in wishes]

    assert len(set(taken)) == len(taken)
