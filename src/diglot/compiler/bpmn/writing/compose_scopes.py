"""Scopes and what stands in them: nodes by their rules, flows as lines.

Source: BPMN 2.0.2 10.3.5, 10.3.6.
"""

from __future__ import annotations

from typing import Final

from ...graph import (
    Choice,
    End,
    Flow,
    Inclusive,
    Node,
    Receive,
    Scope,
    ScopeNode,
    Start,
)
from . import decisions, hidden, labels, notes, words
from .canvas import Shape, Sheet, join, turn
from .compose_handlers import add_handlers, add_scope_handlers, follow
from .composition import Composition, rules, writes
from .parts import Value
from .plan import Fold
from .tag import Tag
from .write_activities import loop_tag, multi_tag
from .write_events import add_catches

#: Sub-processes in each other; with what stands around and inside it is what a reader takes.
DEEPEST: Final = 40
_ELEMENTS: Final = {"transaction": "transaction", "ad-hoc": "adHocSubProcess"}


def draw_scope(scope: Scope, sheet: Sheet, into: Composition) -> None:
    """Everything that stands in a scope, but not what enters it."""
    sheet.scopes.append(scope.id)
    nodes: list[Node] = []
    for node in into.lookup.nodes_of(scope.id):
        if node.id in into.hidden:
            into.carry(sheet.owner, everything_of(node, into))
        else:
            nodes.append(node)
    for node in nodes:
        draw_node(node, sheet, into)
    for node in nodes:
        add_handlers(node, sheet, into)
    add_scope_handlers(scope, sheet, into)
    for node in nodes:
        for flow in into.lookup.all_leaving(node.id):
            if not into.is_shown(flow):
                _draw_flow(flow, node, sheet, into)
    _begin(scope, sheet, into)


def draw_node(node: Node, sheet: Sheet, into: Composition) -> None:
    """One node by its rule, with the question before it."""
    if node.id in into.mains:
        return
    question: Shape | None = None
    if node.guard is not None:
        question = into.drawn(sheet, "exclusiveGateway", "question", wish=f"{node.id}#if")
        question.label = decisions.guarded(node.guard, labels.node_label(node)).question
        question.entry = question.exit = node.id
    if isinstance(node, End) and _is_idle(node, into):
        into.carry(sheet.owner, [node])
        return
    handler = into.lookup.caught.get(node.id)
    if handler is not None:
        shape = into.node(sheet, "boundaryEvent", node)
        into.events[handler.id] = shape
    else:
        shape = rules()[type(node)](node, sheet, into)
    into.mains[node.id] = shape
    into.entries.setdefault(node.id, shape)
    into.exits.setdefault(node.id, shape)
    if into.is_undoing(node):
        shape.attributes["isForCompensation"] = "true"
    if node.start_quantity != 1 and shape.is_activity:
        shape.attributes["startQuantity"] = str(node.start_quantity)
    shape.notes.extend(notes.of_node(node, into.view))
    if question is not None:
        _ask(question, node, into)


def _is_idle(node: End, into: Composition) -> bool:
    """Whether nothing leads to an end: a reader gives a scope one in any case."""
    is_made = node.construct == "" and node.id.endswith("#end")
    return is_made and not any(True for _ in into.lookup.leading(node.id))


def _ask(question: Shape, node: Node, into: Composition) -> None:
    assert node.guard is not None
    line = join(question, into.entries[node.id], "question")
    asked = decisions.guarded(node.guard, labels.node_label(node))
    line.condition, line.label = node.guard.condition, asked.taken
    into.entries[node.id] = into.questions[node.id] = question
    stamp = next((one for one in into.mains[node.id].stamps if one.value is node), None)
    if stamp is not None:
        stamp.question = question
    if node.guard.skip is None or node.guard.skip not in into.lookup.flows:
        follow(node, question, question.sheet, into, "skip")
        question.default = question.outs[-1]
        question.default.label = asked.skipped


def _draw_flow(flow: Flow, node: Node, sheet: Sheet, into: Composition) -> None:
    """The line of a flow; where it cannot be drawn its source has it."""
    lookup = into.lookup
    source = into.exits.get(flow.source)
    if flow.role == "skip":
        source = into.questions.get(flow.source)
    elif flow.role == "handler":
        source = _event_of(flow, into)
    target = into.entries.get(flow.target)
    is_near = source is not None and target is not None and source.sheet is target.sheet
    to = lookup.nodes.get(flow.target)
    if source is None or target is None or not is_near or to is None:
        into.carry(into.mains.get(flow.source), [flow])
        return
    if source.name in ("endEvent",) or target.name in ("startEvent", "boundaryEvent"):
        into.carry(source, [flow])
        return
    default = node.default if isinstance(node, Choice | Inclusive) else None
    is_default = flow.id == default and flow.role == "sequence"
    if isinstance(node, Choice | Inclusive) and flow.role == "sequence":
        label = into.decision(node).answers.get(flow.id, "")
    elif flow.role == "skip" and node.guard is not None:
        label = decisions.guarded(node.guard, labels.node_label(node)).skipped
    else:
        label = words.choice(flow.name)
    line = into.leads(source, target, flow, label=label)
    if is_default or flow.role == "skip":
        source.default = line
    if flow.quantity != 1 and source.is_activity:
        source.attributes["completionQuantity"] = str(flow.quantity)


def _event_of(flow: Flow, into: Composition) -> Shape | None:
    for handler in into.lookup.guarding_node(flow.source):
        if handler.flow == flow.id:
            return into.events.get(handler.id)
    return None


def _begin(scope: Scope, sheet: Sheet, into: Composition) -> None:
    """Draw a start where the first node of a scope is none."""
    first = into.lookup.nodes.get(scope.start)
    if first is None or isinstance(first, Start) or sheet.is_ad_hoc:
        return
    entry = into.entries.get(first.id)
    if entry is not None and entry.sheet is sheet:
        start = into.drawn(sheet, "startEvent", "start", label="Start")
        join(start, entry, "way")


# -- nodes that enter scopes


@writes(ScopeNode)
def write_scope(node: ScopeNode, sheet: Sheet, into: Composition) -> Shape:
    """A scope as a sub-process, or drawn where it is entered."""
    scope = into.lookup.scopes.get(node.body)
    is_free = scope is not None and not into.is_shown(scope)
    fold = into.plan.fold(scope) if scope is not None and is_free else Fold.EMPTY
    if scope is None or sheet.depth >= DEEPEST or not is_free:
        fold = Fold.EMPTY
    if fold is Fold.EMPTY or scope is None:
        shape = into.node(sheet, "task", node)
        if scope is not None and is_free:
            into.hosts[scope.id] = shape
            into.carry(shape, everything(scope, into))
        return _with_loops(shape, node)
    if fold is Fold.ALONE or fold is Fold.FLAT:
        return _draw_flat(node, scope, sheet, into)
    shape = into.node(sheet, _ELEMENTS.get(scope.form, "subProcess"), node)
    into.show(shape, scope)
    into.hosts[scope.id] = shape
    shape.content = Sheet(shape, sheet.depth + 1, is_ad_hoc=scope.form == "ad-hoc")
    _with_loops(shape, node)
    if node.ad_hoc is not None:
        _be_ad_hoc(shape, node)
        _carry_start(scope, shape, into)
    if hidden.gives_up(into.lookup, scope, into.hidden):
        shape.notes.append(notes.of_race())
    draw_scope(scope, shape.content, into)
    return shape


def _with_loops(shape: Shape, node: ScopeNode) -> Shape:
    if node.multi is not None:
        shape.loop = multi_tag(node.multi)
    elif node.loop is not None:
        shape.loop = loop_tag(node.loop)
    return shape


def _be_ad_hoc(shape: Shape, node: ScopeNode) -> None:
    from .formal import expression

    ad_hoc = node.ad_hoc
    assert ad_hoc is not None
    shape.attributes["ordering"] = "Sequential" if ad_hoc.is_sequential else "Parallel"
    if not ad_hoc.cancels_remaining:
        shape.attributes["cancelRemainingInstances"] = "false"
    if ad_hoc.completion is not None:
        shape.inside.append(expression("completionCondition", ad_hoc.completion))


def _carry_start(scope: Scope, shape: Shape, into: Composition) -> None:
    """What is enabled at once in an ad-hoc sub-process has no flows from a start."""
    start = into.lookup.start_of(scope)
    if start is None:
        return
    into.carry(shape, [start, *into.lookup.all_leaving(start.id)])
    into.mains[start.id] = shape


def _draw_flat(node: ScopeNode, scope: Scope, sheet: Sheet, into: Composition) -> Shape:
    """A scope where it is entered: what enters it is absorbed by the first shape in it."""
    first = Shape("", sheet, wish=node.id, absorbs="forward", documentation=node.documentation)
    into.show(first, node)
    into.show(first, scope)
    sheet.add(first)
    _with_loops(first, node)
    last = Shape("", sheet, wish=node.id, absorbs="backward", exit=node.id)
    into.hosts[scope.id] = first
    into.entries[node.id] = first
    into.exits[node.id] = last
    draw_flat_scope(scope, first, last, sheet, into)
    sheet.add(last)
    if into.plan.fold(scope) is Fold.ALONE and scope.form == "function":
        _rename(node, scope, into)
    return first


def draw_flat_scope(
    scope: Scope, first: Shape, last: Shape, sheet: Sheet, into: Composition
) -> None:
    """The nodes of a scope between two shapes that others absorb."""
    draw_scope(scope, sheet, into)
    for node in into.lookup.nodes_of(scope.id):
        shape = into.mains.get(node.id)
        if shape is None:
            continue
        if isinstance(node, Start):
            shape.name, shape.absorbs = "", "forward"
            join(first, shape)
        elif isinstance(node, End):
            shape.name, shape.absorbs = "", "backward"
            join(shape, last)
        elif scope.form == "function" and node.id.endswith("#with"):
            shape.name, shape.absorbs = "", "forward"


def _rename(node: ScopeNode, scope: Scope, into: Composition) -> None:
    """Let the shape of a function have the name of the task that calls it."""
    only = into.plan.only(scope)
    shape = into.mains.get(only.id) if only is not None else None
    if shape is None:
        return
    shape.label = labels.node_label(node)
    for stamp in shape.stamps:
        stamp.is_named = False
    first = into.mains.get(node.id) or into.entries[node.id]
    for stamp in first.stamps:
        if stamp.value is node:
            stamp.is_named = stamp.keeps_name = True


def everything(scope: Scope, into: Composition) -> list[Value]:
    """A scope with all that is in it, however deep."""
    found: list[Value] = []
    lookup = into.lookup
    todo, seen = [scope], {scope.id}
    while todo:
        one = todo.pop()
        found.append(one)
        handlers = list(lookup.guarding_scope(one.id))
        bodies: list[str | None] = []
        for node in lookup.nodes_of(one.id):
            found.extend((node, *lookup.all_leaving(node.id)))
            handlers.extend(lookup.guarding_node(node.id))
            bodies.append(node.body if isinstance(node, ScopeNode | Receive) else None)
        found.extend(handlers)
        for id in (*bodies, *(handler.run for handler in handlers)):
            if id in lookup.scopes and id not in seen:
                seen.add(id)
                todo.append(lookup.scopes[id])
    return found


def everything_of(node: Node, into: Composition) -> list[Value]:
    """A node with what leaves it, what guards it, and all that is in it."""
    lookup = into.lookup
    found: list[Value] = [node, *lookup.all_leaving(node.id), *lookup.guarding_node(node.id)]
    body = node.body if isinstance(node, ScopeNode | Receive) else None
    for id in (body, *(handler.run for handler in lookup.guarding_node(node.id))):
        if id in lookup.scopes:
            found.extend(everything(lookup.scopes[id], into))
    return found


# -- listening again and again


def write_listening(node: Receive, sheet: Sheet, into: Composition) -> Shape:
    """A sub-process that begins with what is waited for, and runs again for the next of it."""
    shape = into.node(sheet, "subProcess", node)
    content = shape.content = Sheet(shape, sheet.depth + 1)
    if node.strategy.mode != "one":
        shape.loop = Tag("standardLoopCharacteristics", {"testBefore": "false"})
    scope = into.lookup.scopes.get(node.body or "")
    if scope is None or into.is_shown(scope) or sheet.depth >= DEEPEST:
        from .write_events import enclose

        first, last = add_catches(node, content, into)
        enclose(content, first, last, into)
        return shape
    into.show(shape, scope)
    into.hosts[scope.id] = shape
    draw_scope(scope, content, into)
    start = into.mains.get(scope.start)
    first, last = add_catches(node, content, into)
    if start is not None:
        for line in list(start.outs):
            turn(line, source=last)
        join(start, first, "way")
        last.exit = scope.start
    return shape
