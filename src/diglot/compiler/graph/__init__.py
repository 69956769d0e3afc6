"""The intermediate graph: the only thing compiler and runtime both know."""

from .canonical import UnknownFormat, digest, from_json, json_schema, to_json
from .data import (
    Constant,
    DataRules,
    Duration,
    Expression,
    Guard,
    Listing,
    Record,
    Schema,
    SecretValue,
    UriTemplate,
    Value,
)
from .model import FORMAT, Declarations, Flow, Graph, Handler, Origin, Scope, Variable
from .nodes import (
    Action,
    Assign,
    Call,
    Choice,
    Compensate,
    Emit,
    End,
    Fork,
    Inclusive,
    Join,
    MultiInstance,
    Node,
    Pass,
    Race,
    Raise,
    Receive,
    ScopeNode,
    Start,
    Task,
    Wait,
)
from .triggers import (
    Attribute,
    Correlation,
    ErrorTemplate,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    ReadMode,
    RetryPolicy,
    TimerTrigger,
    Trigger,
)

__all__ = [
    "FORMAT", "Action", "Assign", "Attribute", "Call", "Choice", "Compensate", "Constant",
    "Correlation", "DataRules", "Declarations", "Duration", "Emit", "End", "ErrorTemplate",
    "ErrorTrigger", "EventFilter", "EventStrategy", "EventTrigger", "Expression", "Flow", "Fork",
    "Graph", "Guard", "Handler", "Inclusive", "Join", "Listing", "MultiInstance", "Node",
    "Origin", "Pass", "Race", "Raise", "ReadMode", "Receive", "Record", "RetryPolicy", "Schema",
    "Scope", "ScopeNode", "SecretValue", "Start", "Task", "TimerTrigger", "Trigger",
    "UnknownFormat", "UriTemplate", "Value", "Variable", "Wait", "digest", "from_json",
    "json_schema", "to_json",
]  # fmt: skip
