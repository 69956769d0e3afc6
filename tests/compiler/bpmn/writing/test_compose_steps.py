"""How single steps of a workflow are drawn."""

# ruff: noqa: E501
from __future__ import annotations

from support.outlines import drawn, lines


def test_work_of_another_system_is_a_service_task_named_by_verb_and_object() -> None:
    workflow = """
        do:
        - reserveItem: {call: http, with: {method: post, endpoint: http://localhost/items}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> reserveItem
        reserveItem: serviceTask 'Reserve item' -> end
        end: endEvent 'End'
        """
    )


def test_each_kind_of_work_has_its_task_or_event() -> None:
    workflow = """
        do:
        - listFiles: {run: {shell: {command: ls}}}
        - computePrice: {run: {script: {language: javascript, code: 'return 1'}}}
        - payOrder: {run: {workflow: {namespace: shop, name: pay, version: 1.0.0}}}
        - tellCustomer:
            emit: {event: {with: {type: com.acme.order.paid, source: http://localhost}}}
        - coolDown: {wait: {minutes: 5}}
        - hearAnswer: {listen: {to: {one: {with: {type: com.acme.order.answered}}}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> listFiles
        listFiles: scriptTask 'List files' -> computePrice
        computePrice: scriptTask 'Compute price' -> payOrder
        payOrder: callActivity 'Pay order' -> tellCustomer
        tellCustomer: intermediateThrowEvent/message 'Tell customer' -> coolDown
        coolDown: intermediateCatchEvent/timer 'Cool down (5 minutes)' -> hearAnswer
        hearAnswer: intermediateCatchEvent/message 'Hear answer' -> end
        end: endEvent 'End'
        """
    )


def test_a_wait_says_how_long_it_takes_and_once_only() -> None:
    workflow = """
        do:
        - wait: {wait: {seconds: 30}}
        - wait30Seconds: {wait: {seconds: 30}}
        - coolDown: {wait: {hours: 1, minutes: 30}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> wait
        wait: intermediateCatchEvent/timer 'Wait 30 seconds' -> wait30Seconds
        wait30Seconds: intermediateCatchEvent/timer 'Wait 30 seconds' -> coolDown
        coolDown: intermediateCatchEvent/timer 'Cool down (1 hour 30 minutes)' -> end
        end: endEvent 'End'
        """
    )


def test_the_technical_view_tells_what_work_is_given() -> None:
    workflow = """
        do:
        - reserveItem:
            input: {from: .order}
            call: http
            with: {method: post, endpoint: http://localhost/items, body: '${ .id }'}
            output: {as: .reservation}
            export: {as: '$context + {reserved: .}'}
        """

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> reserveItem
        reserveItem: serviceTask 'Reserve item' -> end | http method: "post", endpoint: {uri: uri "http://localhost/items"}, body: ${ .id }, output: "content", redirect: false; Reads .order; Gives .reservation; Sets context to $context + {reserved: .}
        end: endEvent 'End'
        """
    )


def test_data_shaping_is_a_note_in_the_business_view_and_a_step_in_the_technical_one() -> None:
    workflow = """
        do:
        - setTotal: {set: {total: 3}}
        - pay: {run: {shell: {command: pay}}}
        - setDone: {set: {done: true}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pay
        pay: scriptTask 'Pay' -> end | Before: set total; Then: set done
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> setTotal
        setTotal: scriptTask 'Set total' -> pay | {"total": 3}
        pay: scriptTask 'Pay' -> setDone | shell command: "pay", return: "stdout"
        setDone: scriptTask 'Set done' -> end | {"done": true}
        end: endEvent 'End'
        """
    )


def test_a_step_that_sets_data_under_a_name_of_its_own_stays_a_step() -> None:
    workflow = """
        do:
        - shipOrder: {set: {shipped: true}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> shipOrder
        shipOrder: scriptTask 'Ship order' -> end
        end: endEvent 'End'
        """
    )


def test_a_function_is_drawn_as_the_task_that_calls_it() -> None:
    workflow = """
        use: {functions: {greet: {run: {shell: {command: greet}}}}}
        do:
        - sayHello: {call: greet}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> greet
        greet: scriptTask 'Say hello' -> end
        end: endEvent 'End'
        """
    )


def test_a_schedule_is_a_start_event_in_words() -> None:
    workflow = """
        schedule: {cron: 0 8 * * 1-5}
        do:
        - pay: {run: {shell: {command: pay}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent/timer 'Every weekday at 8:00' -> pay
        pay: scriptTask 'Pay' -> end
        end: endEvent 'End'
        """
    )


def test_what_starts_an_instance_is_a_message() -> None:
    workflow = """
        schedule: {on: {one: {with: {type: com.acme.order.placed}}}}
        do:
        - pay: {run: {shell: {command: pay}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent/message 'Order placed received' -> pay
        pay: scriptTask 'Pay' -> end
        end: endEvent 'End'
        """
    )
