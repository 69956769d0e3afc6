"""The closed set of node kinds. They are ours, not a standard's, and none is subclassed further."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..source import Span
from .data import DataRules, Expression, Guard, Value
from .triggers import (
    Correlation,
    ErrorTemplate,
    EventKind,
    EventStrategy,
    ReadMode,
    TimerTrigger,
    Trigger,
)


class _Node(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What every node has.

    `pointer` is the place in the author's document (JSON pointer, element id): it is what errors
    and expressions see. `id` is unique in the graph; a construct that stands at one place but is
    laid out several times has one pointer and several ids. `subject` is the node that expressions
    of this one see as the current task, where it is not itself: the task an extension extends.
    `start_quantity` tokens, on whatever flows, begin one visit.
    """

    id: str
    scope: str
    pointer: str = ""
    name: str = ""
    #: The construct the author wrote, in the words of the source's catalogue.
    construct: str = ""
    documentation: str = ""
    span: Span | None = None
    guard: Guard | None = None
    data: DataRules | None = None
    subject: str = ""
    start_quantity: int = 1


class MultiInstance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An activity runs once per item of `collection`, or `cardinality` times (items are null).

    Both are computed once. `is_chained`: the output of one run is the input of the next, and the
    last output is the result (Serverless Workflow's `for`); otherwise every run gets the same input
    and the outputs are collected in item order. `condition` is tested before each run; the first
    false one ends it. `completion` is asked whenever a run is done; true cancels the others.
    At most `limit` runs at a time. `index` counts from `first`; an item without a name is unseen.
    With `counts` the body also sees numberOfInstances, numberOfActiveInstances,
    numberOfCompletedInstances and numberOfTerminatedInstances as variables.

    `output` is computed in the body's scope when a run is done; the array of all of them, null for
    runs that never ended, becomes the variable `output_to`, nearest scope first, at the end.

    Source: DSL reference, For; BPMN 2.0.2 13.3.7, Table 10.30.
    """

    collection: Value | None = None
    cardinality: Value | None = None
    item: str = "item"
    index: str = "index"
    first: int = 0
    is_sequential: bool = True
    is_chained: bool = False
    counts: bool = False
    condition: Expression | None = None
    completion: Expression | None = None
    limit: int | None = None
    output: Expression | None = None
    output_to: str = ""


class Loop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An activity runs again while `condition` is true, at most `maximum` times.

    The body sees the number of the run, from `first`, in `index`.

    Source: BPMN 2.0.2 13.3.6, Table 10.28.
    """

    condition: Expression | None = None
    is_tested_before: bool = False
    maximum: Value | None = None
    index: str = "loopCounter"
    first: int = 0


class AdHoc(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The activities of the body need no flows: those without incoming ones are enabled at once.

    One at a time where they are `is_sequential`. After each, `completion` is asked: true completes
    the body, and what still runs is cancelled, or awaited unless `cancels_remaining`.

    Source: BPMN 2.0.2 13.3.5.
    """

    is_sequential: bool = False
    completion: Expression | None = None
    cancels_remaining: bool = True


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a job asks of its worker; `type` names the workers that may take it.

    A type that is an expression is computed when the job opens, and has to be a text then.
    """

    type: str | Expression
    arguments: Value


class Start(_Node, frozen=True, tag="Start"):
    """Where the tokens of a scope begin; `triggers` start instances of the root scope.

    Source: BPMN 2.0.2 10.5.2, 13.5.1; DSL reference, Schedule.
    """

    triggers: tuple[Trigger, ...] = ()


class End(_Node, frozen=True, tag="End"):
    """A token ends here and leaves its data as the result of its scope.

    `terminate` ends the whole scope at once, `instance` the whole instance from any depth.
    (A cancel end event is a `Compensate` that cancels.)

    Source: BPMN 2.0.2 13.5.6; DSL reference, Flow Directive.
    """

    effect: Literal["none", "terminate", "instance"] = "none"


class Task(_Node, frozen=True, tag="Task"):
    """Work that somebody outside the machine does: it opens a job and waits for its result.

    Source: BPMN 2.0.2 13.3.3; DSL reference, Call, Run.
    """

    action: Action
    #: Whether the token waits for the result; if not, the input leaves as the output.
    waits: bool = True


class Assign(_Node, frozen=True, tag="Assign"):
    """Pure data: the value becomes the output.

    Source: DSL reference, Set.
    """

    value: Value


class Choice(_Node, frozen=True, tag="Choice"):
    """Takes the first of its branches whose condition holds; where none does, the default.

    Source: BPMN 2.0.2 13.4.2; DSL reference, Switch.
    """

    branches: tuple[str, ...]
    default: str | None = None


class Fork(_Node, frozen=True, tag="Fork"):
    """Every outgoing flow gets a token.

    Source: BPMN 2.0.2 13.4.1; DSL reference, Fork.
    """


class Join(_Node, frozen=True, tag="Join"):
    """Waits for one token on `need` of its incoming flows (on each, where `need` is not given).

    With `collects` the output is the array of the tokens' data in the order of the incoming flows;
    otherwise the data of the last one passes.

    Source: BPMN 2.0.2 13.4.1, Table 13.1; DSL reference, Fork.
    """

    need: int | None = None
    rest: Literal["wait", "cancel", "ignore"] = "wait"
    collects: bool = False


class Inclusive(_Node, frozen=True, tag="Inclusive"):
    """Every flow whose condition is true is taken; as a merge it waits for what can still come.

    A flow of `branches` without a condition is always taken; the default where no condition is
    true. With `activation` it is a complex gateway: it fires as soon as that is true of what has
    come (`activationCount` incoming flows hold a token, `activationCounts` has the number of each),
    and is reset once what can still come has come, which gives no token to flows without a
    condition. Conditions see in `waitingForStart` which of both it is.

    Source: BPMN 2.0.2 13.4.3, Table 13.3; 13.4.5, Table 13.5.
    """

    branches: tuple[str, ...] = ()
    default: str | None = None
    activation: Expression | None = None


class Race(_Node, frozen=True, tag="Race"):
    """The nodes its flows lead to all begin; the first that is triggered withdraws the others.

    Source: BPMN 2.0.2 13.4.4, Table 13.4.
    """


class Wait(_Node, frozen=True, tag="Wait"):
    """Waits for the clock, or for a condition to be true; the input is the output.

    Source: BPMN 2.0.2 10.5.4; DSL reference, Wait.
    """

    timer: TimerTrigger | None = None
    condition: Expression | None = None


class Receive(_Node, frozen=True, tag="Receive"):
    """Waits for events; the output is the array of what was read, in order of arrival.

    `body` is a scope that runs once per event, strictly in order, while the subscription stays
    open; its result takes the event's place. The event stands in `item`, its number in `index`.

    Source: DSL reference, Listen, Subscription Iterator.
    """

    strategy: EventStrategy
    read: ReadMode = "data"
    body: str | None = None
    item: str = "item"
    index: str = "index"
    each: DataRules | None = None


class Emit(_Node, frozen=True, tag="Emit"):
    """Publishes an event; the output is its envelope.

    `keys` are shared correlation keys that the event gives a value where they have none yet.
    A signal that is `is_local` reaches those who catch it in its own instance, and nobody else.

    Source: DSL reference, Emit; BPMN 2.0.2 8.4.2, 10.5.1.
    """

    event: Value
    kind: EventKind = "event"
    keys: tuple[Correlation, ...] = ()
    is_local: bool = False


class Raise(_Node, frozen=True, tag="Raise"):
    """Raises an error here; with `again` the error that came as the token's data.

    Or an escalation with this code, after which the token goes on unless a handler interrupts it;
    `payload` goes with it.

    Source: DSL reference, Raise; BPMN 2.0.2 10.5.1, 10.5.6.
    """

    error: ErrorTemplate | None = None
    again: bool = False
    escalation: str | None = None
    payload: Value | None = None


class Compensate(_Node, frozen=True, tag="Compensate"):
    """Asks for the compensation of one activity (a node's id) or of the whole scope.

    With `cancels` it first stops everything else in the nearest transaction, and when all of that
    is compensated the transaction is left by its cancel handler.

    Source: BPMN 2.0.2 13.5.5, 13.5.6.
    """

    activity: str | None = None
    waits: bool = True
    cancels: bool = False


class Call(_Node, frozen=True, tag="Call"):
    """Starts another definition as a child instance and waits for its end.

    `version` is `latest` or exact. Without `input` the child gets the activity's input. A process
    that is not found in `namespace` is looked for in `bpmn`; from `bpmn` in `default`.

    Source: DSL reference, Run, Workflow Process; BPMN 2.0.2 13.3.4.
    """

    namespace: str
    process: str
    version: str = "latest"
    input: Value | None = None
    waits: bool = True


class ScopeNode(_Node, frozen=True, tag="Scope"):
    """Enters a child scope; the scope's result is the output.

    Source: BPMN 2.0.2 13.3.4; DSL reference, Do, For, Fork, Try.
    """

    body: str
    multi: MultiInstance | None = None
    loop: Loop | None = None
    ad_hoc: AdHoc | None = None


class Pass(_Node, frozen=True, tag="Pass"):
    """Does nothing: the input is the output.

    Source: BPMN 2.0.2 13.3.3 (abstract and manual task).
    """


Node = (
    Start
    | End
    | Task
    | Assign
    | Choice
    | Fork
    | Join
    | Inclusive
    | Race
    | Wait
    | Receive
    | Emit
    | Raise
    | Compensate
    | Call
    | ScopeNode
    | Pass
)
