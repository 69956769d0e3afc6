"""Exceptions: only what the caller or the machine did wrong.

An author's mistakes are diagnostics and a run's faults are history; neither is raised.

    DiglotError
    +-- CallerError                 the call was wrong; the engine is unchanged
    |   +-- UnknownDefinition       no such definition or version is published
    |   +-- UnknownInstance         no such instance
    |   +-- DefinitionHasErrors     what has errors is not published
    |   +-- UnrunnableGraph         the graph has a kind no rule runs, or a broken reference
    |   +-- StaleAttempt            a result came from an attempt that is not the current one
    |   +-- AlreadyEnded            the instance is over
    |   +-- MessageGone             somebody else took the message, or it is kept no longer
    +-- MachineError                the machine under the engine failed
        +-- Conflict                another node changed the instance first; the command is retried
        +-- StoreError              the database said no
        +-- CorruptState            history and rows of an instance disagree, or cannot be read
"""

from __future__ import annotations


class DiglotError(Exception):
    """Everything the engine raises on purpose."""


class CallerError(DiglotError):
    """The call was wrong; the engine is unchanged."""


class UnknownDefinition(CallerError):
    """No such definition or version is published."""


class UnknownInstance(CallerError):
    """No such instance."""


class DefinitionHasErrors(CallerError):
    """The document has errors; what has errors is not published."""


class UnrunnableGraph(CallerError):
    """The graph has a kind no rule runs, or a broken reference."""


class StaleAttempt(CallerError):
    """A result came from an attempt that is not the current one: the job went to another worker."""


class AlreadyEnded(CallerError):
    """The instance is over."""


class MessageGone(CallerError):
    """Somebody else took the message, or it is kept no longer."""


class MachineError(DiglotError):
    """The machine under the engine failed."""


class Conflict(MachineError):
    """Another node changed the instance first; the command is decided again."""


class StoreError(MachineError):
    """The database said no."""


class CorruptState(MachineError):
    """History and rows of an instance disagree, or cannot be read."""
