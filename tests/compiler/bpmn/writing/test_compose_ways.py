"""How ways that part and meet are drawn."""

# ruff: noqa: E501
from __future__ import annotations

from support.outlines import drawn, lines


def test_cases_that_compare_the_same_data_answer_one_question() -> None:
    workflow = """
        do:
        - processOrder:
            switch:
            - case1: {when: .orderType == "electronic", then: deliver}
            - case2: {when: .orderType == "physical", then: ship}
            - default: {then: refuse}
        - deliver: {run: {shell: {command: deliver}}, then: end}
        - ship: {run: {shell: {command: ship}}, then: end}
        - refuse: {run: {shell: {command: refuse}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> processOrder
        processOrder: exclusiveGateway 'Order type?' -> deliver (electronic), ship (physical), refuse* (otherwise)
        deliver: scriptTask 'Deliver' -> stop_merge
        ship: scriptTask 'Ship' -> stop_merge
        refuse: scriptTask 'Refuse' -> end
        end: endEvent 'End'
        stop_merge: exclusiveGateway -> stop
        stop: endEvent 'End'
        """
    )


def test_a_decision_that_its_author_asked_for_keeps_its_question_and_names() -> None:
    workflow = """
        do:
        - checkAmount:
            switch:
            - large: {when: .amount > 1000, then: approve}
        - ship: {run: {shell: {command: ship}}, then: end}
        - approve: {run: {shell: {command: approve}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> checkAmount
        checkAmount: exclusiveGateway 'Amount?' -> approve (large), ship* (otherwise)
        ship: scriptTask 'Ship' -> stop
        approve: scriptTask 'Approve' -> end
        end: endEvent 'End'
        stop: endEvent 'End'
        """
    )


def test_cases_without_names_are_told_by_their_conditions() -> None:
    workflow = """
        do:
        - isItMuch:
            switch:
            - case1: {when: .amount > 1000, then: approve}
            - case2: {when: .amount > 100 and .isNew, then: ask}
        - ship: {run: {shell: {command: ship}}, then: end}
        - approve: {run: {shell: {command: approve}}, then: end}
        - ask: {run: {shell: {command: ask}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> isItMuch
        isItMuch: exclusiveGateway 'Is it much?' -> approve (amount > 1000), ask (amount > 100 and is new), ship* (otherwise)
        ship: scriptTask 'Ship' -> stop_merge
        approve: scriptTask 'Approve' -> stop_merge
        ask: scriptTask 'Ask' -> end
        end: endEvent 'End'
        stop_merge: exclusiveGateway -> stop
        stop: endEvent 'End'
        """
    )


def test_no_jq_is_shown_to_a_business_reader() -> None:
    workflow = """
        do:
        - checkPets:
            switch:
            - case1: {when: '[.pets[] | .age] | max > 3', then: feed}
        - ship: {run: {shell: {command: ship}}, then: end}
        - feed: {run: {shell: {command: feed}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> checkPets
        checkPets: exclusiveGateway 'Pets?' -> feed (yes), ship* (no)
        ship: scriptTask 'Ship' -> stop
        feed: scriptTask 'Feed' -> end
        end: endEvent 'End'
        stop: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> checkPets
        checkPets: exclusiveGateway 'Pets?' -> feed ([.pets[] | .age] | max > 3), ship* (otherwise)
        ship: scriptTask 'Ship' -> stop | shell command: "ship", return: "stdout"
        feed: scriptTask 'Feed' -> end | shell command: "feed", return: "stdout"
        end: endEvent 'End'
        stop: endEvent 'End'
        """
    )


def test_an_if_is_a_question_around_its_task() -> None:
    workflow = """
        do:
        - greet: {if: .customer != null, run: {shell: {command: greet}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> greet_if
        greet_if: exclusiveGateway 'Customer given?' -> greet (yes), end_merge* (no)
        greet: scriptTask 'Greet' -> end_merge
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> greet_if
        greet_if: exclusiveGateway 'Customer given?' -> greet (yes), end_merge* (no)
        greet: scriptTask 'Greet' -> end_merge | If .customer != null; shell command: "greet", return: "stdout"
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        """
    )


def test_a_question_is_not_asked_the_wrong_way_round() -> None:
    workflow = """
        do:
        - remind: {if: .order.paid | not, run: {shell: {command: remind}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> remind_if
        remind_if: exclusiveGateway 'Order paid?' -> remind (no), end_merge* (yes)
        remind: scriptTask 'Remind' -> end_merge
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        """
    )


def test_an_if_that_has_no_words_asks_for_its_task() -> None:
    workflow = """
        do:
        - feedPets: {if: '[.pets[] | .age] | max > 3', run: {shell: {command: feed}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> feedPets_if
        feedPets_if: exclusiveGateway 'Feed pets?' -> feedPets (yes), end_merge* (no)
        feedPets: scriptTask 'Feed pets' -> end_merge
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> feedPets_if
        feedPets_if: exclusiveGateway 'Feed pets?' -> feedPets (yes), end_merge* (no)
        feedPets: scriptTask 'Feed pets' -> end_merge | If [.pets[] | .age] | max > 3; shell command: "feed", return: "stdout"
        end_merge: exclusiveGateway -> end
        end: endEvent 'End'
        """
    )


def test_a_jump_backwards_leads_to_a_gateway_where_ways_meet() -> None:
    workflow = """
        do:
        - poll: {run: {shell: {command: poll}}}
        - check: {switch: [{again: {when: .open, then: poll}}]}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> poll_merge
        poll_merge: exclusiveGateway -> poll
        poll: scriptTask 'Poll' -> check
        check: exclusiveGateway 'Check?' -> poll_merge (again), end* (otherwise)
        end: endEvent 'End'
        """
    )


def test_branches_are_between_parallel_gateways() -> None:
    workflow = """
        do:
        - both:
            fork:
              branches:
              - left: {run: {shell: {command: left}}}
              - right: {do: [{one: {run: {shell: {command: one}}}}, {two: {run: {shell: {command: two}}}}]}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> both_fork
        both_fork: parallelGateway -> left, one_2
        left: scriptTask 'Left' -> both_join
        one_2: scriptTask 'One' -> two
        two: scriptTask 'Two' -> both_join
        both_join: parallelGateway -> end
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> both_fork
        both_fork: parallelGateway -> left, right
        left: scriptTask 'Left' -> both_join | shell command: "left", return: "stdout"
        right: subProcess 'Right' -> both_join
          right_start: startEvent 'Start' -> one_2
          one_2: scriptTask 'One' -> two | shell command: "one", return: "stdout"
          two: scriptTask 'Two' -> right_end | shell command: "two", return: "stdout"
          right_end: endEvent 'End'
        both_join: parallelGateway -> end
        end: endEvent 'End'
        """
    )


def test_the_first_of_competing_branches_ends_them_all() -> None:
    workflow = """
        do:
        - race:
            fork:
              compete: true
              branches:
              - left: {run: {shell: {command: left}}}
              - right: {wait: {seconds: 30}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> race
        race: subProcess 'Race' -> end | The first branch to end decides; only when all fail it fails
          race_start: startEvent 'Start' -> race_fork
          race_fork: parallelGateway -> left, right
          left: scriptTask 'Left' -> race_won_2
          right: intermediateCatchEvent/timer 'Right (30 seconds)' -> race_won
          race_won: endEvent/terminate 'End'
          race_won_2: endEvent/terminate 'End'
        end: endEvent 'End'
        """
    )

    assert drawn(workflow, "technical") == lines(
        """
        start: startEvent 'Start' -> race
        race: subProcess 'Race' -> end
          race_start: startEvent 'Start' -> race_fork
          race_fork: parallelGateway -> left, right_branch
          left: scriptTask 'Left' -> race_won_2 | shell command: "left", return: "stdout"
          right_branch: subProcess 'Right' -> race_won
            right_start: startEvent 'Start' -> right
            right: intermediateCatchEvent/timer 'Right (30 seconds)' -> right_end
            right_end: endEvent 'End'
          race_won: endEvent/terminate 'End'
          race_won_2: endEvent/terminate 'End'
          race_lost: parallelGateway -> race_all-lost
          race_all-lost: endEvent/error 'The same error'
          branch_lost: boundaryEvent/error 'Any error' at left -> race_lost
          branch_lost_2: boundaryEvent/error 'Any error' at right_branch -> race_lost
        end: endEvent 'End'
        """
    )


def test_an_end_within_steps_says_what_it_ends() -> None:
    workflow = """
        do:
        - all:
            for: {each: item, in: .items}
            do:
            - pack: {run: {shell: {command: pack}}}
            - stop: {if: .enough, run: {shell: {command: stop}}, then: end}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> all
        all: subProcess+multi 'All' -> end | For each item
          all_start: startEvent 'Start' -> pack
          pack: scriptTask 'Pack' -> stop_if
          stop_if: exclusiveGateway 'Enough?' -> stop (yes), all_end* (no)
          stop: scriptTask 'Stop' -> all_stop
          all_end: endEvent 'End'
          all_stop: endEvent 'End of the process'
        end: endEvent 'End'
        """
    )


def test_what_nothing_leads_to_is_not_drawn() -> None:
    workflow = """
        do:
        - first: {run: {shell: {command: first}}, then: last}
        - never: {run: {shell: {command: never}}}
        - last: {run: {shell: {command: last}}}
        """

    assert drawn(workflow) == lines(
        """
        start: startEvent 'Start' -> first
        first: scriptTask 'First' -> last
        last: scriptTask 'Last' -> end
        end: endEvent 'End'
        """
    )
