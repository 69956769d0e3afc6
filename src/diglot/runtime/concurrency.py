"""What threads of one engine share: locks by instance, cached states, and the commit they wait for.

Between processes none of this holds: there the store finds out who came second.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .state import State
from .store import Save

#: Writes saves in one transaction and says for each what was wrong, or nothing.
Write = Callable[[list[Save]], list[Exception | None]]


class Bell(threading.Event):
    """An event that also wakes everybody who waits for the next time it is set."""

    def __init__(self) -> None:
        super().__init__()
        self._turned = threading.Condition()
        self.rung = 0

    def set(self) -> None:
        """Set it, and wake who waits."""
        super().set()
        with self._turned:
            self.rung += 1
            self._turned.notify_all()

    def wait_beyond(self, rung: int, seconds: float) -> None:
        """Wait until it has been set more often than this, but no longer than so many seconds."""
        with self._turned:
            self._turned.wait_for(lambda: self.rung > rung, seconds)


class InstanceLocks:
    """A lock for each instance somebody works on; gone when nobody does."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def of(self, instances: Sequence[str]) -> Generator[None, None, None]:
        """Wait until nobody else works on these instances, and let nobody until this is left.

        They stand in the order of their ids, in which everybody takes them: nobody waits in a ring.
        """
        held: list[threading.Lock] = []
        try:
            with self._guard:
                locks = [self._ask_for(instance) for instance in instances]
            for lock in locks:
                lock.acquire()
                held.append(lock)
            yield
        finally:
            for lock in held:
                lock.release()
            with self._guard:
                for instance in instances:
                    self._leave(instance)

    def _ask_for(self, instance: str) -> threading.Lock:
        lock, users = self._locks.get(instance) or (threading.Lock(), 0)
        self._locks[instance] = (lock, users + 1)
        return lock

    def _leave(self, instance: str) -> None:
        lock, users = self._locks[instance]
        if users == 1:
            del self._locks[instance]
        else:
            self._locks[instance] = (lock, users - 1)


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


@dataclass(slots=True, eq=False)
class _Waiting:
    """A save, and what was wrong with it once it has been written, or nothing."""

    save: Save
    outcome: BaseException | None = None


class GroupCommit:
    """Saves of many threads in as few transactions as the disk allows.

    A save waits for the transaction that is being written; whoever may write next takes along
    everything that has gathered. No save waits for a timer.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._guard = threading.Lock()
        self._writer = threading.Lock()
        self._waiting: list[_Waiting] = []

    def commit(self, saves: list[Save]) -> list[BaseException | None]:
        """Put saves on disk; for each what was wrong with it, or nothing."""
        mine = [_Waiting(save) for save in saves]
        with self._guard:
            self._waiting.extend(mine)
        with self._writer:
            with self._guard:
                batch, self._waiting = self._waiting, []
            if batch:
                self._write_batch(batch)
        return [one.outcome for one in mine]

    def _write_batch(self, batch: list[_Waiting]) -> None:
        try:
            refusals = self._write([one.save for one in batch])
        except BaseException as error:
            for one in batch:
                one.outcome = error
            raise
        for one, refusal in zip(batch, refusals, strict=True):
            one.outcome = refusal
