"""The pools of one file played together, as findings: who waits for a message that never comes.

Each process runs once and all messages between them come from the file, so that this is said only
where somebody asks for it.

Source: BPMN 2.0.2 9.2, 9.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report, Severity, TraceStep
from diglot.compiler.graph import Choice, Emit, Graph, Race, ScopeNode

from ..definitions import Definitions, calls_of
from ..listeners import listeners, senders
from .check import BROKEN
from .collaboration import MOST_TOKENS, Collaboration, Marking, Run, run_together
from .composition import ARMED, BROKEN_OFF, ENDED, INSIDE, MESSAGE, Step, Whole, whole_of
from .fault import is_step
from .scope_net import BEFORE, Untold
from .surroundings import Surroundings
from .telling import Teller

_BY_ITSELF: Final = frozenset(
    {codes.MAY_GET_STUCK.id, codes.MAY_RUN_TWICE.id, codes.MAY_NEVER_FINISH.id}
)
#: What places stand for at which no node waits.
_NOBODY: Final = frozenset({INSIDE, ARMED, BROKEN_OFF, ENDED, MESSAGE})
_MOST_NAMES: Final = 5
_SCOPE: Final = "the collaboration of the pools"
_REMEDY: Final = (
    "Send a message on every way that the other pool may go, or let this one go on without it: "
    "with an event-based gateway, a timer, or a message that says no."
)


def check_pools(graphs: Sequence[Graph], report: Report) -> None:
    """Report what gets stuck, goes on for ever or is left over where processes run side by side.

    Each of them has been checked by itself. What one of them calls is not looked into.
    """
    known = Definitions(graphs)
    called = {id(known.called_by(call)) for graph in graphs for call in calls_of(graph)}
    pools = [graph for graph in graphs if id(graph) not in called]
    if len(pools) < 2 or any(found.code in BROKEN for found in report):
        return
    doubted = {found.pointer for found in report if found.severity is Severity.ERROR}
    telling = _Telling(pools, doubted, report)
    callee = next((graph for graph in graphs if id(graph) in called and _talks(graph)), None)
    if any(found.code in _BY_ITSELF for found in report):
        telling.undecided(
            "what is wrong with one pool by itself has to be mended first",
            "Mend that, then ask again.",
        )
    elif callee is not None:
        telling.undecided(f"`{callee.name}` is called, and takes or sends messages itself")
    else:
        try:
            whole = whole_of(pools, doubted)
        except Untold as untold:
            telling.undecided(f"at `{untold.node.name or untold.node.id}` {untold.why}")
        else:
            telling.tell(whole, run_together(whole, is_sparing=True))


def _talks(graph: Graph) -> bool:
    """Whether a process exchanges messages."""
    return any(one.filter.kind == "message" for one in listeners(graph)) or any(
        one.kind == "message" for one in senders(graph)
    )


class _Telling:
    """Tells what is known of the pools of one file."""

    def __init__(self, pools: Sequence[Graph], doubted: Collection[str], report: Report) -> None:
        self._report = report
        self._graphs = {graph.name: graph for graph in pools}
        self._order = {name: number for number, name in enumerate(self._graphs)}
        self._tellers = {graph.name: Teller(graph, Surroundings(graph, doubted)) for graph in pools}
        self._nodes = {
            graph.name: {node.id: node for node in graph.nodes} for graph in self._graphs.values()
        }
        self._names = dict(_participants(pools[0]))
        self._senders = [
            (graph.name, one) for graph in pools for one in senders(graph) if one.kind == "message"
        ]

    def undecided(self, reason: str, hint: str = "") -> None:
        """Say why nothing is known."""
        first = next(iter(self._graphs.values()))
        root = next(scope for scope in first.scopes if scope.id == first.root)
        self._report.add(
            codes.NOT_DECIDED, root.span, root.pointer, hint=hint, scope=_SCOPE, reason=reason
        )

    def tell(self, whole: Whole, found: Collaboration) -> None:
        """Say what is wrong; nothing where nothing is."""
        if found.stuck is not None:
            self._tell_stuck(whole, found.stuck)
        elif not found.is_whole:
            reason = (
                f"more than {MOST_TOKENS} tokens or messages of one kind may come together, or two "
                "in one sub-process"
            )
            if found.is_wide:
                reason = f"it can be in more than {found.markings:,} states"
            self.undecided(reason, "Put fewer pools into one file, those that talk to each other.")
        elif found.late is not None:
            self._tell_late(whole, found.late)

    def _tell_stuck(self, whole: Whole, run: Run) -> None:
        waiting = sorted(self._waiting(whole, run.left), key=lambda one: not one.messages)
        if not waiting:
            self.undecided("it gets stuck, and no task or event is to blame")
            return
        first, *others = waiting
        teller = self._tellers[first.process]
        span, pointer = teller.place(first.node)
        self._report.add(
            codes.MAY_NEVER_FINISH if run.goes_on else codes.MAY_GET_STUCK,
            span,
            pointer,
            hint=_REMEDY,
            related=self._related(whole, run, first, others),
            trace=self._trace(whole, run),
            node=teller.name(first.node),
            reason=self._reason(run, first, others),
            scope=_SCOPE,
        )

    def _tell_late(self, whole: Whole, run: Run) -> None:
        left = {whole.places[place][2] for place in run.left if place in whole.messages}
        process, sender = next((process, one) for process, one in self._senders if one.name in left)
        span, pointer = self._tellers[process].place(sender.node.id)
        went = self._went(run)
        self._report.add(
            codes.MESSAGE_LEFT_OVER,
            span,
            pointer,
            trace=self._trace(whole, run),
            node=self._tellers[process].name(sender.node.id),
            pool=self._pool(process),
            reason=f"no pool takes it any more{f' once {went}' if went else ''}",
        )

    def _waiting(self, whole: Whole, left: Marking) -> Iterator[_Waiting]:
        """Who waits where a run ends, in order of the pools, with the messages waited for."""
        found: dict[tuple[str, str], list[str]] = {}
        for place in dict.fromkeys(left):
            process, _, node, flow = whole.places[place]
            if node not in self._nodes.get(process, ()) or flow in _NOBODY:
                continue
            messages = found.setdefault((process, node), [])
            for step in whole.steps:
                if place in step.takes:
                    messages += (whole.places[n][2] for n in step.takes if n in whole.messages)
        for process, node in sorted(found, key=lambda one: self._order[one[0]]):
            yield _Waiting(process, node, tuple(dict.fromkeys(found[process, node])))

    def _reason(self, run: Run, first: _Waiting, others: Sequence[_Waiting]) -> str:
        went = self._went(run)
        once = f" once {went}" if went else ""
        pool = f"in `{self._pool(first.process)}`"
        if not first.messages:
            return f"{pool} nothing that it waits for comes any more{once}"
        by_pool: dict[str, list[str]] = {}
        for process, one in self._senders:
            if one.name in first.messages:
                by_pool.setdefault(process, []).append(one.node.id)
        sent = " or ".join(
            f"{self._tellers[process].listed(nodes)} of `{self._pool(process)}`"
            for process, nodes in by_pool.items()
        )
        comes = "does not come any more" if went else "never comes"
        also = [one for one in others if one.process in by_pool] if not went else []
        while_waiting = "".join(
            f", while `{self._tellers[one.process].name(one.node)}` waits there" for one in also[:1]
        )
        return f"{pool} it waits for what is sent by {sent}, which {comes}{once}{while_waiting}"

    def _related(
        self, whole: Whole, run: Run, first: _Waiting, others: Iterable[_Waiting]
    ) -> Iterator[Related]:
        if run.decided is not None and is_step((step := run.steps[run.decided]).move):
            yield self._tellers[step.process].related_to("this decides it", step.move.node)
        for process, sender in self._senders:
            if sender.name in first.messages:
                message = "what is waited for would come from here"
                yield self._tellers[process].related_to(message, sender.node.id)
        for one in [*others][:_MOST_NAMES]:
            message = f"this waits as well, in `{self._pool(one.process)}`"
            yield self._tellers[one.process].related_to(message, one.node)

    def _went(self, run: Run) -> str:
        """The step from which on it could not go well any more."""
        if run.decided is None or not is_step(run.steps[run.decided].move):
            return ""
        step = run.steps[run.decided]
        return f"in `{self._pool(step.process)}` {self._step(step)}"

    def _trace(self, whole: Whole, run: Run) -> Iterator[TraceStep]:
        for number, step in enumerate(run.steps):
            if not is_step(step.move):
                continue
            span, pointer = self._tellers[step.process].place(step.move.node)
            node = self._nodes[step.process][step.move.node]
            meets = not whole.messages.isdisjoint((*step.takes, *step.gives))
            yield TraceStep(
                message=f"in `{self._pool(step.process)}` {self._step(step)}",
                process=self._graphs[step.process].key,
                node=step.move.node,
                flows=self._flows(whole, step),
                handler=step.move.handler,
                lane=self._order[step.process],
                matters=meets or number == run.decided or isinstance(node, Choice | Race),
                span=span,
                pointer=pointer,
            )

    def _step(self, step: Step) -> str:
        node = self._nodes[step.process][step.move.node]
        teller = self._tellers[step.process]
        if isinstance(node, ScopeNode) and not step.move.flows and len(step.gives) > 1:
            return f"`{teller.name(node.id)}` begins"
        if isinstance(node, Emit) and not step.move.flows:
            return f"a token ends at `{teller.name(node.id)}`"
        return teller.step(step.move)

    def _flows(self, whole: Whole, step: Step) -> tuple[str, ...]:
        """The flows that a token was given to; of `some` those that were chosen."""
        if not step.some:
            return step.move.flows
        given = {whole.places[place] for place in (*step.gives, *step.some)}
        targets = {flow.id: flow.target for flow in self._graphs[step.process].flows}
        return tuple(
            flow
            for flow in step.move.flows
            if any(
                place[2] == targets[flow] and place[3] in ("", flow, f"{BEFORE}{flow}")
                for place in given
            )
        )

    def _pool(self, process: str) -> str:
        return self._names.get(process) or self._graphs[process].title or process


class _Waiting(NamedTuple):
    """A node that waits, and the messages any of which would bring it on."""

    process: str
    node: str
    messages: tuple[str, ...]


def _participants(graph: Graph) -> Iterator[tuple[str, str]]:
    """The names of pools by the ids of their processes, as the file has them."""
    foreign = cast("dict[str, Any]", graph.foreign or {})
    for top in _inside(foreign.get("bpmn")):
        for one in _inside(top) if top[0] == "collaboration" else ():
            # A kept element has a tag, attributes, elements inside and text, as far as it has them.
            attributes: dict[str, str] = one[1] if len(one) > 1 else {}
            if one[0] == "participant" and attributes.get("processRef"):
                yield attributes["processRef"], attributes.get("name", "")


def _inside(element: Any) -> Iterable[Any]:
    return element[2] if element and len(element) > 2 else ()
