"""Random scopes for the checker: every kind of gateway, boundary events, circles."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from diglot.compiler.graph import (
    Choice,
    End,
    ErrorTrigger,
    Expression,
    Flow,
    Fork,
    Graph,
    Handler,
    Inclusive,
    Join,
    Node,
    Pass,
    Race,
    Scope,
    Start,
)

KINDS = (
    "choice", "choice", "fork", "join", "join", "both", "task", "guarded", "watched",
    "inclusive", "inclusive", "default", "race",
)  # fmt: skip
_ASKED = Expression(text="true")


@st.composite
def scopes(draw: st.DrawFn, *, most_nodes: int = 7) -> Graph:
    """A process of every kind of gateway and of boundary events; few lead back, some nowhere."""
    count = draw(st.integers(2, most_nodes))
    kinds = [draw(st.sampled_from(KINDS)) for _ in range(count)]
    ends = draw(st.integers(1, 2))
    names = [f"n{number}" for number in range(count)]
    goals = [*names, *(f"e{number}" for number in range(ends))]
    flows = [Flow(id="begin", source="start", target="n0")]
    nodes: list[Node] = [Start(id="start", scope="/")]
    handlers: list[Handler] = []

    def leave(number: int, role: Any = "sequence", *, asked: bool = False) -> str:
        near = st.integers(number + 1, min(len(goals) - 1, number + 3))
        target = goals[draw(near if draw(st.integers(0, 4)) else st.integers(0, len(goals) - 1))]
        id = f"f{len(flows)}"
        condition = _ASKED if asked else None
        flows.append(
            Flow(id=id, source=names[number], target=target, role=role, condition=condition)
        )
        return id

    for number, kind in enumerate(kinds):
        name = names[number]
        many = range(draw(st.integers(1, 3)))
        match kind:
            case "choice":
                branches = tuple(leave(number, asked=True) for _ in many)
                nodes.append(Choice(id=name, scope="/", branches=branches))
            case "fork" | "join" | "both":
                for _ in many if kind != "join" else range(1):
                    leave(number)
                made = Fork(id=name, scope="/") if kind == "fork" else Join(id=name, scope="/")
                nodes.append(made)
            case "inclusive" | "default":
                asked = [leave(number, asked=draw(st.integers(0, 3)) > 0) for _ in many]
                default = leave(number) if kind == "default" else None
                nodes.append(Inclusive(id=name, scope="/", branches=tuple(asked), default=default))
            case "race":
                # What it leads to is its own, so that it is a race of events.
                for _ in many:
                    event, id = f"r{len(flows)}", f"f{len(flows)}"
                    flows.append(Flow(id=id, source=name, target=event))
                    nodes.append(Pass(id=event, scope="/"))
                    onward = leave(number)
                    flows[-1] = Flow(id=onward, source=event, target=flows[-1].target)
                nodes.append(Race(id=name, scope="/"))
            case _:
                leave(number)
                nodes.append(Pass(id=name, scope="/"))
                if kind != "task":
                    flow = leave(number, "handler")
                    handlers.append(
                        Handler(
                            id=f"h{number}",
                            trigger=ErrorTrigger(),
                            node=name,
                            is_interrupting=kind == "guarded",
                            flow=flow,
                        )
                    )
    effect: Any = "terminate" if draw(st.integers(0, 5)) == 0 else "none"
    nodes += [
        End(id=f"e{number}", scope="/", effect=effect if number else "none")
        for number in range(ends)
    ]
    return Graph(
        namespace="test",
        name="scope",
        version="1",
        scopes=(Scope(id="/", form="process", start="start"),),
        nodes=tuple(nodes),
        flows=tuple(flows),
        handlers=tuple(handlers),
    )
