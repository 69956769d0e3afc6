"""Calls of the document's own functions: the function's task is laid out where it is called.

Source: DSL reference, Call, Use; DSL, Using Cataloged Functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .. import codes
from ..graph import Assign, Pass, ScopeNode
from ..pointers import join_pointer
from .lanes import add_scope
from .reading import Entry, Place, Reading, reads
from .support import refuse
from .values import value

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import tasks as model


#: The catalog that a runtime may have without a declaration. Source: DSL, Default Catalog.
_DEFAULT_CATALOG: Final = "default"


@reads("call-function")
def read_function(task: model.CallFunction, at: Place, reading: Reading) -> None:
    """A scope in which the function's task runs; `with` is what the task gets."""
    name = task.call
    function: model.Task | None = reading.names.find("functions", name)
    if function is None:
        _report_unknown(reading, name, f"{at.pointer}/call")
    elif name in reading.calling:
        cycle = " -> ".join((*reading.calling[reading.calling.index(name) :], name))
        reading.find(codes.RECURSIVE_FUNCTION, f"{at.pointer}/call", cycle=cycle)
    else:
        reading.calling.append(name)
        _lay_out(reading, task, function, at)
        reading.calling.pop()
        return
    reading.into.add(Pass(**at.common))


def _lay_out(reading: Reading, task: model.CallFunction, function: model.Task, at: Place) -> None:
    pointer = "/use/functions" + join_pointer(task.call)
    prefix = f"{at.id}~"
    scope = f"{prefix}{pointer}#scope"
    reading.into.add(ScopeNode(**at.common, body=scope))
    given = None
    if task.with_ is not None:
        given = Assign(
            id=f"{at.id}#with",
            scope=scope,
            pointer=at.pointer,
            value=value(reading, task.with_, f"{at.pointer}/with"),
        )
    add_scope(
        reading,
        [Entry(task.call, function, pointer)],
        id=scope,
        form="function",
        parent=at.scope,
        pointer=pointer,
        inside=at,
        prefix=prefix,
        first=given,
    )


def _report_unknown(reading: Reading, name: str, pointer: str) -> None:
    """A name that is no function's may be the address of one, which is not fetched."""
    if "@" in name or "://" in name:
        catalog = name.rpartition("@")[2]
        is_known = reading.names.find("catalogs", catalog) is not None
        if "@" in name and "://" not in name and not is_known and catalog != _DEFAULT_CATALOG:
            reading.unknown("catalogs", catalog, pointer)
            return
        refuse(reading, "call-function/cataloged", f"the cataloged function `{name}`", pointer)
    else:
        reading.unknown("functions", name, pointer)
