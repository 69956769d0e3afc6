"""What threads of one engine share: locks by instance, cached states, and the commit they wait for.

Between processes none of this holds: there the store finds out who came second.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future

from .state import State
from .store import Save

#: Writes saves in one transaction and says for each what was wrong, or nothing.
Write = Callable[[list[Save]], list[Exception | None]]


class InstanceLocks:
    """A lock for each instance somebody works on; gone when nobody does."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    def of(self, instance: str) -> _InstanceLock:
        """The instance's lock, to be used in a `with`."""
        return _InstanceLock(self, instance)

    def take(self, instance: str) -> None:
        """Wait until nobody else works on the instance."""
        with self._guard:
            lock, users = self._locks.get(instance) or (threading.Lock(), 0)
            self._locks[instance] = (lock, users + 1)
        lock.acquire()

    def give(self, instance: str) -> None:
        """Let the next one work on the instance."""
        with self._guard:
            lock, users = self._locks[instance]
            if users == 1:
                del self._locks[instance]
            else:
                self._locks[instance] = (lock, users - 1)
        lock.release()


class _InstanceLock:
    __slots__ = ("_instance", "_locks")

    def __init__(self, locks: InstanceLocks, instance: str) -> None:
        self._locks = locks
        self._instance = instance

    def __enter__(self) -> None:
        self._locks.take(self._instance)

    def __exit__(self, *_: object) -> None:
        self._locks.give(self._instance)


class StateCache:
    """The states worked on last; what is in it may be behind the store and is then found out."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._guard = threading.Lock()
        self._states: OrderedDict[str, State] = OrderedDict()

    def get(self, instance: str) -> State | None:
        """The instance's state, if it is here."""
        with self._guard:
            state = self._states.get(instance)
            if state is not None:
                self._states.move_to_end(instance)
            return state

    def put(self, state: State) -> None:
        """Keep a state, and let go of the one that was not used for longest."""
        with self._guard:
            self._states[state.id] = state
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def forget(self, instance: str) -> None:
        """Let go of an instance's state."""
        with self._guard:
            self._states.pop(instance, None)


class GroupCommit:
    """Saves of many threads in as few transactions as the disk allows.

    A save waits for the transaction that is being written; whoever may write next takes along
    everything that has gathered. No save waits for a timer.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._guard = threading.Lock()
        self._writer = threading.Lock()
        self._waiting: list[tuple[Save, Future[None]]] = []

    def commit(self, saves: list[Save]) -> list[BaseException | None]:
        """Put saves on disk; for each what was wrong with it, or nothing."""
        mine = [(save, Future[None]()) for save in saves]
        with self._guard:
            self._waiting.extend(mine)
        with self._writer:
            with self._guard:
                batch, self._waiting = self._waiting, []
            if batch:
                self._write_batch(batch)
        return [future.exception() for _, future in mine]

    def _write_batch(self, batch: list[tuple[Save, Future[None]]]) -> None:
        try:
            refusals = self._write([save for save, _ in batch])
        except BaseException as error:
            for _, future in batch:
                future.set_exception(error)
            raise
        for (_, future), refusal in zip(batch, refusals, strict=True):
            if refusal is None:
                future.set_result(None)
            else:
                future.set_exception(refusal)
