"""The output half of data rules: what is written, held against a schema, put into variables.

Source: DSL, Data Flow; BPMN 2.0.2 10.4.2; our decisions A52 to A54.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import Node, Receive
from diglot.compiler.graph.data import DataRules

from .frames import Frame
from .joining import lay_over, union
from .model import ANYTHING, NOTHING, OBJECT, Type, only

if TYPE_CHECKING:
    from .flowing import Flowing


def written(flowing: Flowing, rules: DataRules, frame: Frame, raw: Type, node: Node | None) -> Type:
    """The output half of data rules; exports go into variables. `NOTHING` where it always fails."""
    is_each = isinstance(node, Receive)
    output = raw
    if rules.write is not None:
        output = flowing.compute(rules.write, "each-write" if is_each else "write", raw, frame)
    output = flowing.fitted(rules.output_schema, output, "output", node)
    if output == NOTHING:
        return NOTHING
    frame.output = output
    if rules.export is not None:
        exported = flowing.compute(
            rules.export, "each-export" if is_each else "export", output, frame
        )
        _export(flowing, rules, frame, exported, node)
    return output


def _export(
    flowing: Flowing, rules: DataRules, frame: Frame, exported: Type, node: Node | None
) -> None:
    variables = flowing.variables
    if rules.export_mode not in ("variables", "local"):
        value = exported
        if rules.export_mode == "merge":
            value = _merged(variables.get(frame.scope, rules.export_to), exported)
        value = flowing.fitted(rules.export_schema, value, "export", node)
        if value != NOTHING:
            variables.write(frame.scope, rules.export_to, value)
        return
    found = exported.object
    if found is None:
        return
    is_local = rules.export_mode == "local"
    for name, member in found.members.items():
        if is_local:
            variables.write_local(frame.scope, name, member.type)
        else:
            variables.write(frame.scope, name, member.type)
    if found.rest is None or found.rest != NOTHING:
        rest = ANYTHING if found.rest is None else found.rest
        variables.write_any(frame.scope, rest, is_local=is_local)


def _merged(before: Type, exported: Type) -> Type:
    found = only(exported, ~OBJECT) if before.kinds == OBJECT else exported
    if before.object is not None and exported.object is not None:
        found = union(found, lay_over(before.object, exported.object))
    return found
