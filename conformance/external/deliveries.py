"""The orders in which messages may come, as model checkers of collaborations tell them apart.

A queue is first in, first out; there may be one for two processes, for one that receives, for one
that sends, or for all. In causal order a message comes after those to the same process that its
sender could know of. Or one message is under way at a time, as if sending were taking.

Source: Chevrou, Hurault, Quéinnec, On the diversity of asynchronous communication (2016).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from diglot.compiler.checks.soundness.collaboration import Delivery
from diglot.compiler.checks.soundness.composition import Step, Whole

Order = TypeVar("Order", bound=Hashable)
#: What the order is once a message is sent or taken; `None` where it cannot be.
_Change = Callable[[Order, int], Order | None]
#: Of each process, in their order, how many of its messages under way are known.
_Known = tuple[int, ...]


class _Route(NamedTuple):
    """The process that sends a message, and the one that takes it."""

    sender: str
    receiver: str


class _Causal(NamedTuple):
    """By process its messages under way, each with what was known when it was sent; what is now."""

    sent: tuple[tuple[tuple[int, _Known], ...], ...]
    known: tuple[_Known, ...]


def pairs(whole: Whole) -> Delivery:
    """From one process to another messages come as they were sent."""
    return _queued(whole, lambda route: route)


def inboxes(whole: Whole) -> Delivery:
    """To one process they come as they were sent, whoever has sent them."""
    return _queued(whole, lambda route: route.receiver)


def outboxes(whole: Whole) -> Delivery:
    """From one process they are taken as they were sent, whoever takes them."""
    return _queued(whole, lambda route: route.sender)


def one_queue(whole: Whole) -> Delivery:
    """All are taken as they were sent."""
    return _queued(whole, lambda _: "")


def one_by_one(whole: Whole) -> Delivery:
    """No message is sent before the one that is under way is taken.

    So an execution could as well be one of synchronous communication.
    """

    def send(order: tuple[int, ...], message: int) -> tuple[int, ...] | None:
        return None if order else (message,)

    def take(order: tuple[int, ...], message: int) -> tuple[int, ...] | None:
        return () if order == (message,) else None

    return _delivery(whole, (), send, take)


def causally(whole: Whole) -> Delivery:
    """To one process no message comes before one whose sending its own sending follows from.

    What a process does follows from all that it has done before, and what it does with a message
    from the sending of it.
    """
    routes = _routes(whole)
    processes = sorted({process for route in routes.values() for process in route})
    number = {process: at for at, process in enumerate(processes)}

    def send(order: _Causal, message: int) -> _Causal:
        at = number[routes[message].sender]
        queue = (*order.sent[at], (message, order.known[at]))
        known = _with(order.known[at], at, len(queue))
        return _Causal(_with(order.sent, at, queue), _with(order.known, at, known))

    def take(order: _Causal, message: int) -> _Causal | None:
        sender, receiver = routes[message]
        source, target = number[sender], number[receiver]
        queue = order.sent[source]
        at = next(at for at, (one, _) in enumerate(queue) if one == message)
        before = queue[at][1]
        for sent, count in zip(order.sent, before, strict=True):
            if any(routes[one].receiver == receiver for one, _ in sent[:count]):
                return None
        learnt = _with(order.known, target, tuple(map(max, order.known[target], before)))
        left = _with(order.sent, source, (*queue[:at], *queue[at + 1 :]))

        def without(known: _Known) -> _Known:
            return _with(known, source, known[source] - (known[source] > at))

        return _Causal(
            tuple(tuple((one, without(known)) for one, known in sent) for sent in left),
            tuple(map(without, learnt)),
        )

    nothing = (0,) * len(processes)
    begins = _Causal(((),) * len(processes), (nothing,) * len(processes))
    return _delivery(whole, begins, send, take)


def _queued(whole: Whole, by: Callable[[_Route], Hashable]) -> Delivery:
    queue = {message: str(by(route)) for message, route in _routes(whole).items()}

    def send(order: tuple[int, ...], message: int) -> tuple[int, ...]:
        # How messages of different queues are mixed means nothing, and is not kept.
        return tuple(sorted((*order, message), key=queue.__getitem__))

    def take(order: tuple[int, ...], message: int) -> tuple[int, ...] | None:
        at = next(at for at, one in enumerate(order) if queue[one] == queue[message])
        return (*order[:at], *order[at + 1 :]) if order[at] == message else None

    return _delivery(whole, (), send, take)


def _delivery(whole: Whole, begins: Order, send: _Change[Order], take: _Change[Order]) -> Delivery:
    """A step takes its messages in whichever order it can, and then sends its own."""

    def after(order: Order, step: Step) -> Order | None:
        taken = Counter(place for place in step.takes if place in whole.messages)
        given = Counter(place for place in step.gives if place in whole.messages)
        # A race looks at the message that decides it, and who waits behind it takes it.
        if any(take(order, message) is None for message in taken & given):
            return None
        awaited = list((taken - given).elements())
        while awaited:
            ways = ((message, take(order, message)) for message in awaited)
            message, left = next((way for way in ways if way[1] is not None), (0, None))
            if left is None:
                return None
            order = left
            awaited.remove(message)
        for message in (given - taken).elements():
            sent = send(order, message)
            if sent is None:
                return None
            order = sent
        return order

    return Delivery(begins, after)


def _routes(whole: Whole) -> Mapping[int, _Route]:
    """Who sends each message, and who takes it: one process each, as a message flow has them."""
    found: dict[int, _Route] = {}
    for message in whole.messages:
        # A race gives back what it looks at.
        takers = {step.process for step in whole.steps if message in step.takes}
        givers = {
            step.process
            for step in whole.steps
            if message in step.gives and message not in step.takes
        }
        (sender,), (receiver,) = givers, takers
        found[message] = _Route(sender, receiver)
    return found


_Item = TypeVar("_Item")


def _with(items: tuple[_Item, ...], at: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:at], item, *items[at + 1 :])


#: The names under which verdicts are published, each with how messages come; first, in any order.
NETWORKS: Final[Mapping[str, Callable[[Whole], Delivery | None]]] = MappingProxyType(
    {
        "Network01Bag": lambda _: None,
        "Network02FifoPair": pairs,
        "Network03Causal": causally,
        "Network04Inbox": inboxes,
        "Network05Outbox": outboxes,
        "Network06Fifo": one_queue,
        "Network07RSC": one_by_one,
    }
)
