"""Processes as short texts: the flows are drawn, the nodes are named beside them.

    process(
        '''
        start -> split -> a -> join -> end
        split -> b -> join
        ''',
        split=fork(),
        join=join(),
    )

A chain of names is a chain of flows with the ids `a->b` (`a->b#2` for a second one). A flow may
have a condition, `a -[.n > 1]-> b`, or carry several tokens, `a -3-> b`. What is not named beside
the drawing is a `Start` where it is called start..., an `End` where it is called end..., and else
a task of the job type `work` whose result becomes variables. A scope begins at the first name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from diglot.compiler import graph as g

#: Adds a node with this id to this scope of a drawing.
Part = Callable[["Drawing", str, str], None]

_ARROW = re.compile(r"\s*(?:-\[(?P<when>.*?)\]->|-(?P<quantity>\d+)->|->)\s*")


def jq(text: str) -> g.Expression:
    """A value computed from the variables in sight."""
    return g.Expression(text=text, of="variables")


def true_if(text: str) -> g.Expression:
    """A condition on the variables in sight."""
    return g.Expression(text=text, of="variables", yields="boolean")


#: The members of a result are variables.
RESULTS = g.DataRules(
    export=g.Expression(text='if type == "object" then . else null end'), export_mode="variables"
)
#: The members of an event's data are variables.
EVENT_DATA = g.DataRules(
    export=g.Expression(text='.[0] | if type == "object" then . else null end'),
    export_mode="variables",
)


def process(
    flows: str,
    /,
    variables: dict[str, Any] | None = None,
    name: str = "one",
    named: dict[str, Part] | None = None,
    **parts: Part,
) -> g.Graph:
    """A whole definition; its input and its output are its variables."""
    drawing = Drawing()
    drawing.lay("/", flows, {**(named or {}), **parts}, form="process", variables=variables)
    return g.Graph(
        namespace="test",
        name=name,
        version="1.0.0",
        scopes=tuple(drawing.scopes),
        nodes=tuple(drawing.nodes),
        flows=tuple(drawing.flows),
        handlers=tuple(drawing.handlers),
        data=g.DataRules(write=jq(".")),
    )


class Drawing:
    """The parts of a graph while it is drawn."""

    def __init__(self) -> None:
        self.scopes: list[g.Scope] = []
        self.nodes: list[g.Node] = []
        self.flows: list[g.Flow] = []
        self.handlers: list[g.Handler] = []

    def lay(
        self,
        scope: str,
        flows: str,
        parts: dict[str, Part],
        *,
        form: Any,
        parent: str | None = None,
        variables: dict[str, Any] | None = None,
    ) -> None:
        """Draw one scope."""
        names = dict.fromkeys(name for line in flows.splitlines() for name in self._chain(line))
        self.scopes.append(
            g.Scope(
                id=scope,
                parent=parent,
                form=form,
                start=next(iter(names)),
                variables=tuple(
                    g.Variable(name=name, value=g.Constant(value))
                    for name, value in (variables or {}).items()
                ),
                binds_input=parent is None,
            )
        )
        for name in [*names, *(name for name in parts if name not in names)]:
            parts.get(name, _default(name))(self, name, scope)

    def _chain(self, line: str) -> list[str]:
        pieces = [(piece or "").strip() for piece in _ARROW.split(line.strip())]
        names = pieces[0::3] if line.strip() else []
        for place in range(1, len(names)):
            when, quantity = _ARROW.findall(line)[place - 1]
            self.flow(
                names[place - 1],
                names[place],
                condition=true_if(when) if when else None,
                quantity=int(quantity or 1),
            )
        return names

    def flow(self, source: str, target: str, **members: Any) -> str:
        """Add a flow and give its id."""
        before = sum((flow.source, flow.target) == (source, target) for flow in self.flows)
        id = f"{source}->{target}" + (f"#{before + 1}" if before else "")
        self.flows.append(g.Flow(id=id, source=source, target=target, **members))
        return id

    def leaving(self, node: str) -> tuple[str, ...]:
        """The flows that leave a node."""
        return tuple(flow.id for flow in self.flows if flow.source == node)


def _default(name: str) -> Part:
    if name.startswith("start"):
        return node(g.Start)
    return node(g.End) if name.startswith("end") else task()


def node(kind: Callable[..., g.Node], /, **members: Any) -> Part:
    """A node of any kind."""

    def add(drawing: Drawing, id: str, scope: str) -> None:
        drawing.nodes.append(kind(id=id, scope=scope, pointer=id, name=id, **members))

    return add


def task(type: str = "work", *, data: g.DataRules | None = RESULTS, **members: Any) -> Part:
    """A job; its worker sees every variable."""
    return node(g.Task, action=g.Action(type=type, arguments=jq(".")), data=data, **members)


def sets(**values: str) -> Part:
    """Sets variables to what jq programs make of the variables."""
    record = g.Record(tuple((name, jq(text)) for name, text in values.items()))
    return node(g.Pass, data=g.DataRules(export=record, export_mode="variables"))


def passes() -> Part:
    """Does nothing."""
    return node(g.Pass)


def end(effect: Literal["none", "terminate", "instance"] = "none") -> Part:
    """An end with an effect."""
    return node(g.End, effect=effect)


def wait(duration: str) -> Part:
    """Waits for a time, such as PT1S."""
    return node(g.Wait, timer=g.TimerTrigger(form="duration", value=g.Constant(duration)))


def when(condition: str) -> Part:
    """Waits for a condition."""
    return node(g.Wait, condition=true_if(condition))


def receive(type: str, kind: g.EventKind = "message") -> Part:
    """Waits for a message, whose members become variables."""
    return node(g.Receive, strategy=one(type, kind), data=EVENT_DATA)


def one(type: str, kind: g.EventKind = "message") -> g.EventStrategy:
    """One event of a type."""
    attributes = (g.Attribute(name="type", value=g.Constant(type)),)
    return g.EventStrategy(mode="one", filters=(g.EventFilter(kind=kind, attributes=attributes),))


def fork() -> Part:
    """Every flow gets a token."""
    return node(g.Fork)


def join(need: int | None = None, rest: Literal["wait", "cancel", "ignore"] = "wait") -> Part:
    """Waits for one token on each flow, or on `need` of them."""
    return node(g.Join, need=need, rest=rest)


def choice(default: str | None = None) -> Part:
    """Exclusive; `default` is the node the default flow leads to."""
    return _deciding(g.Choice, default)


def inclusive(default: str | None = None) -> Part:
    """Inclusive; `default` is the node the default flow leads to."""
    return _deciding(g.Inclusive, default)


def complex_gate(activation: str, default: str | None = None) -> Part:
    """Complex, with the condition of its activation."""
    return _deciding(g.Inclusive, default, activation=true_if(activation))


def _deciding(kind: Callable[..., g.Node], default: str | None, **members: Any) -> Part:
    def add(drawing: Drawing, id: str, scope: str) -> None:
        chosen = next(
            (flow.id for flow in drawing.flows if (flow.source, flow.target) == (id, default)), None
        )
        part = node(kind, branches=drawing.leaving(id), default=chosen, **members)
        part(drawing, id, scope)

    return add


def race() -> Part:
    """The first of what follows withdraws the others."""
    return node(g.Race)


def raises(code: str) -> Part:
    """Raises a BPMN error."""
    return node(
        g.Raise,
        error=g.ErrorTemplate(
            type=g.Constant(code), status=g.Constant(500), title=g.Constant(code)
        ),
    )


def sub(
    flows: str,
    /,
    variables: dict[str, Any] | None = None,
    form: str = "sub-process",
    multi: g.MultiInstance | None = None,
    loop: g.Loop | None = None,
    ad_hoc: g.AdHoc | None = None,
    data: g.DataRules | None = None,
    named: dict[str, Part] | None = None,
    **parts: Part,
) -> Part:
    """A sub-process with its own drawing."""

    def add(drawing: Drawing, id: str, scope: str) -> None:
        body = f"{id}#body"
        part = node(g.ScopeNode, body=body, multi=multi, loop=loop, ad_hoc=ad_hoc, data=data)
        part(drawing, id, scope)
        inner = {**(named or {}), **parts}
        drawing.lay(body, flows, inner, form=form, parent=scope, variables=variables)

    return add


def boundary(
    at: str, trigger: g.Trigger, *, interrupts: bool = True, data: g.DataRules | None = None
) -> Part:
    """A boundary event on the activity `at`: a node that the handler's flow leads to."""

    def add(drawing: Drawing, id: str, scope: str) -> None:
        flow = drawing.flow(at, id, role="handler")
        drawing.handlers.append(
            g.Handler(
                id=id, node=at, trigger=trigger, is_interrupting=interrupts, flow=flow, data=data
            )
        )
        node(g.Pass)(drawing, id, scope)

    return add


def event_sub(
    trigger: g.Trigger,
    flows: str,
    /,
    *,
    interrupts: bool = True,
    variables: dict[str, Any] | None = None,
    data: g.DataRules | None = None,
    named: dict[str, Part] | None = None,
    **parts: Part,
) -> Part:
    """An event sub-process of the scope it stands in."""

    def add(drawing: Drawing, id: str, scope: str) -> None:
        drawing.handlers.append(
            g.Handler(
                id=id, scope=scope, trigger=trigger, is_interrupting=interrupts, run=f"{id}#body",
                data=data,
            )
        )  # fmt: skip
        inner = {**(named or {}), **parts}
        drawing.lay(
            f"{id}#body", flows, inner, form="event-sub-process", parent=scope, variables=variables
        )

    return add


def after(duration: str) -> g.TimerTrigger:
    """A timer."""
    return g.TimerTrigger(form="duration", value=g.Constant(duration))


def error(code: str | None = None) -> g.ErrorTrigger:
    """Takes errors of one code, or of every code."""
    return g.ErrorTrigger(match=() if code is None else (("type", g.Constant(code)),))


def undoes(at: str, part: Part | None = None) -> Part:
    """The activity that undoes the activity `at` once it is done: a task, or another part."""

    def add(drawing: Drawing, id: str, scope: str) -> None:
        drawing.handlers.append(
            g.Handler(id=f"{at}#undo", node=at, trigger=g.CompensationTrigger(), activity=id)
        )
        (part or task())(drawing, id, scope)

    return add


def compensate(activity: str | None = None, *, waits: bool = True) -> Part:
    """Undoes one activity, or everything of its scope."""
    return node(g.Compensate, activity=activity, waits=waits)


def cancel() -> Part:
    """Cancels the transaction around it."""
    return node(g.Compensate, cancels=True)


def moment(text: str) -> g.TimerTrigger:
    """A timer at a date and time."""
    return g.TimerTrigger(form="instant", value=g.Constant(text))


def cycle(text: str) -> g.TimerTrigger:
    """A timer that comes again, such as R3/PT5S."""
    return g.TimerTrigger(form="cycle", value=g.Constant(text))


def heard(*types: str, kind: g.EventKind = "message", mode: Any = "any") -> g.EventTrigger:
    """Events of some types: one of them, or with the mode `all` each."""
    filters = tuple(one(type, kind).filters[0] for type in types)
    return g.EventTrigger(strategy=g.EventStrategy(mode=mode, filters=filters))


def turns(condition: str) -> g.ConditionTrigger:
    """A condition that becomes true."""
    return g.ConditionTrigger(condition=true_if(condition))


def escalation(code: str | None = None) -> g.EscalationTrigger:
    """Takes escalations of one code, or of every code."""
    return g.EscalationTrigger(code=code)


def any_of(*triggers: g.Trigger) -> g.SeveralTrigger:
    """One of several."""
    return g.SeveralTrigger(triggers=triggers)


def all_of(*triggers: g.Trigger) -> g.SeveralTrigger:
    """Each of several."""
    return g.SeveralTrigger(triggers=triggers, needs_all=True)


def escalates(code: str, payload: str | None = None) -> Part:
    """Raises an escalation; a payload is computed from the variables."""
    return node(g.Raise, escalation=code, payload=None if payload is None else jq(payload))


def key(
    name: str, read: str, expect: g.Value | None = None, *, is_shared: bool = True
) -> g.Correlation:
    """A correlation key, shared unless it says otherwise; `read` looks at the envelope."""
    return g.Correlation(
        name=name, read=g.Expression(text=read), expect=expect, is_shared=is_shared
    )


def told(type: str, *keys: g.Correlation, kind: g.EventKind = "message") -> g.EventTrigger:
    """A message of a type, or a signal, with these keys."""
    return g.EventTrigger(strategy=g.EventStrategy(mode="one", filters=(_told(type, keys, kind),)))


def told_all(*triggers: g.EventTrigger) -> g.EventTrigger:
    """All of several messages and signals."""
    filters = tuple(filter for trigger in triggers for filter in trigger.strategy.filters)
    return g.EventTrigger(strategy=g.EventStrategy(mode="all", filters=filters))


def _told(type: str, keys: tuple[g.Correlation, ...], kind: g.EventKind) -> g.EventFilter:
    attributes = (g.Attribute(name="type", value=g.Constant(type)),)
    return g.EventFilter(kind=kind, attributes=attributes, correlations=keys)


def waits_for(type: str, *keys: g.Correlation, kind: g.EventKind = "message") -> Part:
    """Waits for a message, or a signal, with these keys; its data become variables."""
    strategy = told(type, *keys, kind=kind).strategy
    return node(g.Receive, strategy=strategy, data=EVENT_DATA)


def starts(*triggers: g.Trigger) -> Part:
    """A start with triggers; the data of an event, or what somebody gave it, become variables."""
    given = 'if type == "array" then .[0] else . end | if type == "object" then . else null end'
    data = g.DataRules(export=g.Expression(text=given), export_mode="variables")
    return node(g.Start, triggers=triggers, data=data)


def sends(type: str, data: str = "{}", *keys: g.Correlation, kind: g.EventKind = "message") -> Part:
    """Sends a message, or throws a signal, with what a jq program makes of the variables."""
    event = g.Record((("type", g.Constant(type)), ("data", jq(data))))
    return node(g.Emit, event=event, kind=kind, keys=keys)


def calls(process: str, namespace: str = "test", input: str = "{}") -> Part:
    """Runs another definition, whose output becomes variables."""
    return node(g.Call, namespace=namespace, process=process, input=jq(input), data=RESULTS)
