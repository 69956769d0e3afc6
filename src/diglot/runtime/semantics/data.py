"""Data of an activity: what its rules make of the input and the output, and what they export.

Source: DSL, Data Flow; BPMN 2.0.2 10.4.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.runtime import events as e
from diglot.runtime.evaluate import type_name
from diglot.runtime.faults import fault

from .variables import holder_of

if TYPE_CHECKING:
    from diglot.runtime.parts import RulesPlan

    from .frame import Frame
    from .step import Step


def read_input(step: Step, frame: Frame, rules: RulesPlan) -> None:
    """Apply the input half of data rules: what the activity gets.

    Raises:
        Fault: the input is not what it has to be, or cannot be computed.
    """
    if rules.input_schema is not None:
        rules.input_schema(frame.raw, "input")
    if rules.read is not None:
        frame.input = rules.read(step, frame, frame.raw)


def write_output(step: Step, frame: Frame, rules: RulesPlan, raw: Any) -> Any:
    """Apply the output half of data rules: the transformed output; exports are recorded.

    Raises:
        Fault: the output is not what it has to be, or it or an export cannot be computed.
    """
    frame.output = frame.raw_output = raw
    output = raw if rules.write is None else rules.write(step, frame, raw)
    if rules.output_schema is not None:
        rules.output_schema(output, "output")
    if rules.export is not None or rules.export_schema is not None:
        frame.output = output
        _export(step, frame, rules, output)
    return output


def _export(step: Step, frame: Frame, rules: RulesPlan, output: Any) -> None:
    """Put what the rules export of `output` into variables.

    Raises:
        Fault: it cannot be computed, or is no object where its members are to be variables.
    """
    if rules.export_mode in ("variables", "local"):
        assert rules.export is not None
        _set_variables(step, frame, rules.export(step, frame, output), rules.export_mode)
        return
    holder = holder_of(step, frame.scope, rules.export_to)
    if holder is None:
        raise fault("runtime", f"no scope holds the variable {rules.export_to}")
    value = holder.variables[rules.export_to]
    if rules.export is not None:
        exported = rules.export(step, frame, output)
        if rules.export_mode == "merge" and isinstance(value, dict):
            exported = cast("dict[str, Any]", value) | exported
        value = exported
    if rules.export_schema is not None:
        rules.export_schema(value, "exported context")
    if rules.export is not None:
        step.emit(e.VariableSet(holder.id, rules.export_to, value))


def _set_variables(step: Step, frame: Frame, exported: Any, mode: str) -> None:
    if exported is None:
        return
    if not isinstance(exported, dict):
        raise fault("expression", f"variables come as an object, not as {type_name(exported)}")
    for name, value in cast("dict[str, Any]", exported).items():
        holder = holder_of(step, frame.scope, name) if mode == "variables" else None
        if holder is not None:
            scope = holder.id
        else:
            scope = frame.scope if mode == "local" else step.root_scope()
        step.emit(e.VariableSet(scope, name, value))
