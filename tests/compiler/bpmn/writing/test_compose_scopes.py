"""How steps in steps, and what guards them, are drawn."""

# ruff: noqa: E501
from __future__ import annotations

from support.outlines import drawn, lines


def test_a_few_steps_that_have_a_name_together_need_no_frame_for_a_business_reader() -> None:
    workflow = """
        do:
        - prepare: {do: [{wash: {run: {shell: {command: wash}}}}, {cut: {run: {shell: {command: cut}}}}]}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> wash
        wash: scriptTask 'Wash' -> cut
        cut: scriptTask 'Cut' -> end
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> prepare
        prepare: subProcess 'Prepare' -> end
          prepare_start: startEvent 'Start' -> wash
          wash: scriptTask 'Wash' -> cut | shell command: "wash", return: "stdout"
          cut: scriptTask 'Cut' -> prepare_end | shell command: "cut", return: "stdout"
          prepare_end: endEvent 'End'
        end: endEvent 'End'
        """
    )


def test_a_loop_over_one_step_is_that_step_with_its_sign() -> None:
    workflow = """
        do:
        - packAll:
            for: {each: item, in: .order.items}
            while: .stock > 0
            do: [{pack: {run: {shell: {command: pack}}}}]
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pack
        pack: scriptTask+multi 'Pack' -> end | For each item of order items; As long as stock > 0
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> packAll
        packAll: subProcess+multi 'Pack all' -> end | For each item of order items; As long as stock > 0
          packAll_start: startEvent 'Start' -> pack
          pack: scriptTask 'Pack' -> packAll_end | shell command: "pack", return: "stdout"
          packAll_end: endEvent 'End'
        end: endEvent 'End'
        """
    )


def test_a_loop_over_steps_is_a_sub_process() -> None:
    workflow = """
        do:
        - careForAll:
            for: {each: pet, in: .pets}
            do: [{wash: {run: {shell: {command: wash}}}}, {feed: {run: {shell: {command: feed}}}}]
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> careForAll
        careForAll: subProcess+multi 'Care for all' -> end | For each pet
          careForAll_start: startEvent 'Start' -> wash
          wash: scriptTask 'Wash' -> feed
          feed: scriptTask 'Feed' -> careForAll_end
          careForAll_end: endEvent 'End'
        end: endEvent 'End'
        """
    )


def test_an_error_that_is_caught_is_an_event_at_the_border() -> None:
    workflow = """
        do:
        - attempt:
            try: [{pay: {run: {shell: {command: pay}}}}]
            catch:
              errors:
                with: {type: https://open-workflow-specification.org/spec/1.0.0/errors/communication}
              retry: {delay: {seconds: 3}, backoff: {exponential: {}}, limit: {attempt: {count: 5}}}
              do: [{mend: {run: {shell: {command: mend}}}}]
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pay
        pay: scriptTask 'Pay' -> end_merge
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        attempt_catch: boundaryEvent/error 'Communication error' at pay -> mend | Tried again up to 5 times, first after 3 seconds, doubling
        mend: scriptTask 'Mend' -> end_merge
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> attempt
        attempt: subProcess 'Attempt' -> end_merge
          attempt_start: startEvent 'Start' -> pay
          pay: scriptTask 'Pay' -> attempt_end | shell command: "pay", return: "stdout"
          attempt_end: endEvent 'End'
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        attempt_catch: boundaryEvent/error 'Communication error' at attempt -> mend | Tried again up to 5 times, first after 3 seconds, doubling; type = "https://open-workflow-specification.org/spec/1.0.0/errors/communication"
        mend: scriptTask 'Mend' -> end_merge | shell command: "mend", return: "stdout"
        """
    )


def test_what_is_done_about_an_error_leads_where_its_author_says() -> None:
    workflow = """
        do:
        - attempt:
            try: [{pay: {run: {shell: {command: pay}}}}, {ship: {run: {shell: {command: ship}}}}]
            catch:
              do: [{mend: {run: {shell: {command: mend}}}}, {tell: {run: {shell: {command: tell}}}}]
              then: end
        - goOn: {run: {shell: {command: go}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> attempt
        attempt: subProcess 'Attempt' -> goOn
          attempt_start: startEvent 'Start' -> pay
          pay: scriptTask 'Pay' -> ship
          ship: scriptTask 'Ship' -> attempt_end
          attempt_end: endEvent 'End'
        goOn: scriptTask 'Go on' -> end
        end: endEvent 'End'
        stop: endEvent 'End'
        attempt_catch: boundaryEvent/error 'Any error' at attempt -> mend
        mend: scriptTask 'Mend' -> tell
        tell: scriptTask 'Tell' -> stop
        """
    )


def test_an_error_that_only_leads_to_another_try_is_a_note() -> None:
    workflow = """
        do:
        - attempt:
            try: [{pay: {run: {shell: {command: pay}}}}]
            catch: {retry: {delay: {seconds: 3}, limit: {attempt: {count: 1}}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pay
        pay: scriptTask 'Pay' -> end | Tried again once, after 3 seconds
        end: endEvent 'End'
        """
    )


def test_a_time_limit_is_told_in_words() -> None:
    workflow = """
        timeout: {after: {hours: 1}}
        do:
        - pay: {run: {shell: {command: pay}}, timeout: {after: {seconds: 30}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pay
        pay: scriptTask 'Pay' -> end
        end: endEvent 'End'
        pay_timeout: boundaryEvent/timer 'After 30 seconds' at pay -> timeout_raised
        timeout_raised: endEvent/error 'Timeout error'
        timeout_handling: subProcess 'Time limit'
          timeout: startEvent/timer 'After 1 hour' -> end_2
          end_2: endEvent/error 'Timeout error'
        """
    )


def test_an_error_that_is_raised_is_an_end() -> None:
    workflow = """
        do:
        - refuse:
            raise: {error: {type: https://acme.com/errors/out-of-stock, status: 400, title: none left}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> refuse
        refuse: endEvent/error 'Refuse'
        """
    )


def test_the_first_or_all_of_several_events_are_waited_for() -> None:
    workflow = """
        do:
        - hearAny:
            listen: {to: {any: [{with: {type: order.paid}}, {with: {type: order.cancelled}}]}}
        - hearAll:
            listen: {to: {all: [{with: {type: order.paid}}, {with: {type: order.packed}}]}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> hearAny
        hearAny: eventBasedGateway -> inside, inside_2
        inside: intermediateCatchEvent/message 'Order paid received' -> hearAny_met
        inside_2: intermediateCatchEvent/message 'Order cancelled received' -> hearAny_met
        hearAny_met: exclusiveGateway -> hearAll
        hearAll: parallelGateway -> inside_3, inside_4
        inside_3: intermediateCatchEvent/message 'Order paid received' -> hearAll_met
        inside_4: intermediateCatchEvent/message 'Order packed received' -> hearAll_met
        hearAll_met: parallelGateway -> end
        end: endEvent 'End'
        """
    )


def test_what_is_done_for_each_event_runs_again_and_again() -> None:
    workflow = """
        do:
        - collect:
            listen: {to: {any: [{with: {type: order.placed}}], until: . | length > 3}}
            foreach: {item: order, do: [{post: {run: {shell: {command: post}}}}]}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> collect
        collect: subProcess+loop 'Collect' -> end | Until number of events > 3
          collect_start: startEvent 'Start' -> inside
          post: scriptTask 'Post' -> collect_end
          collect_end: endEvent 'End'
          inside: intermediateCatchEvent/message 'Order placed received' -> post
        end: endEvent 'End'
        """
    )


def test_an_extension_says_when_it_applies() -> None:
    workflow = """
        use:
          extensions:
          - logging:
              extend: run
              when: .verbose
              before: [{log: {set: {logged: true}}}]
        do:
        - pay: {run: {shell: {command: pay}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> pay
        pay: subProcess 'Pay' -> end
          extended_start: startEvent 'Start' -> pay_when-0
          pay_when-0: exclusiveGateway 'Does the extension apply?' -> log (verbose), inner_merge* (otherwise)
          log: scriptTask 'Log' -> inner_merge
          inner_merge: exclusiveGateway -> inner
          inner: scriptTask 'Pay' -> extended_end
          extended_end: endEvent 'End'
        end: endEvent 'End'
        """
    )
