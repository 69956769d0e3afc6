"""A tree that was kept of a file, made what the schemas and the readers of the field take.

Nothing here changes what the file means to our own reader: what cannot stay where it is is set
aside, and reading puts it back (`bpmn.aside`).
"""

from __future__ import annotations

from typing import Final

from ...diagnostics import Report
from .alterations import Alterations
from .completion import complete, put_in_order
from .conform import conform
from .drawn_aside import set_drawings_aside
from .flows import list_flows
from .loose import untie
from .mending import Mending
from .namespaces import encode_namespaces
from .naming import name_elements
from .participants import give_pools
from .tag import Tag

EXPORTER: Final = "Diglot"
_ROUNDS: Final = 5


def mend(root: Tag, report: Report) -> None:
    """Make the tree of a whole file valid; each change that somebody may see is in the report."""
    alterations = Alterations(report)
    encode_namespaces(root, alterations)
    mending = Mending(root, alterations)
    conform(mending)
    name_elements(mending)
    give_pools(mending)
    set_drawings_aside(mending)
    # What is set aside may have been what something else refers to or has to have.
    for _ in range(_ROUNDS):
        if not complete(mending) and not untie(mending):
            break
    list_flows(mending)
    put_in_order(mending)
    _sign(root)
    alterations.close()


def _sign(root: Tag) -> None:
    """Say who wrote the file, where nobody has."""
    if "exporter" not in root.attributes and "exporterVersion" not in root.attributes:
        # Late, because most of what is compiled is not written.
        from importlib.metadata import version

        root.attributes["exporter"] = EXPORTER
        root.attributes["exporterVersion"] = version("diglot")
