"""Names in the words of somebody who reads a diagram."""

from __future__ import annotations

import pytest

from diglot.compiler.bpmn.writing import words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("reserveItem", "Reserve item"),
        ("reserve_item", "Reserve item"),
        ("reserve-item", "Reserve item"),
        ("RESERVE_ITEM", "Reserve item"),
        ("getURLOfStep2", "Get URL of step 2"),
        ("wait30Seconds", "Wait 30 seconds"),
        ("sendB2BOrder", "Send B2B order"),
        ("Reserve the item", "Reserve the item"),
        ("Réserver l'article", "Réserver l'article"),
        ("  two   blanks ", "two blanks"),
        ("---", "---"),
        ("", ""),
    ],
)
def test_a_name_of_a_program_becomes_words(name: str, expected: str) -> None:
    assert words.spoken(name) == expected


def test_a_name_that_fits_into_no_box_is_cut() -> None:
    assert words.spoken("word " * 100) == "word " * 23 + "word…"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("checkAmount", "Amount?"),
        ("isApproved", "Is approved?"),
        ("Is it paid?", "Is it paid?"),
        ("check", "Check?"),
        ("Check the amount", "Check the amount?"),
        ("", ""),
    ],
)
def test_a_decision_becomes_a_question(name: str, expected: str) -> None:
    assert words.question(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("electronicOrder", "electronic order"),
        ("VIP", "VIP"),
        ("The customer pays", "The customer pays"),
        ("", ""),
    ],
)
def test_a_way_has_its_name_in_words(name: str, expected: str) -> None:
    assert words.choice(name) == expected


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("com.acme.order.placed.v1", "Order placed"),
        ("order.placed", "Order placed"),
        ("https://acme.com/events/order-placed", "Order placed"),
        ("orderPlaced", "Order placed"),
        ("an order was placed", "An order was placed"),
    ],
)
def test_the_type_of_an_event_becomes_words(type: str, expected: str) -> None:
    assert words.event(type) == expected


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("https://open-workflow-specification.org/spec/1.0.0/errors/communication",
         "Communication error"),
        ("https://serverlessworkflow.io/spec/1.0.0/errors/timeout", "Timeout error"),
        ("https://acme.com/errors/out-of-stock", "Out of stock error"),
        ("PAYMENT_FAILED", "Payment failed"),
    ],
)  # fmt: skip
def test_the_type_of_an_error_becomes_words(type: str, expected: str) -> None:
    assert words.error(type) == expected
