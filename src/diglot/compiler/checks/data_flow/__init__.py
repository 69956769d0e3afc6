"""Who writes which variable, who reads it, and in which order: what a run finds where it looks.

`jq.py` finds the names in an expression and `made.py` those of what it makes; `variables.py` says
which variable a name is, and `collecting.py` what happens to it at each node. `points.py` lays the
nodes of all scopes out as one net of points, over which `flow.py` follows what is known forwards
and backwards; `lanes.py` says which nodes may run at the same time, `beside.py` what they do to
each other. The findings are in `missing.py`, `unread.py`, `replaced.py` and `races.py`.
"""

from .check import check_data_flow

__all__ = ["check_data_flow"]
