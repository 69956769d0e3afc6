"""Processes of any size, made by dice: sequences, decisions, forks, loops and sub-processes."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Scope:
    """A process or a sub-process while it is made."""

    nodes: list[str] = field(default_factory=list[str])
    flows: list[str] = field(default_factory=list[str])


class _Maker:
    """Blocks with one way in and one way out; `left` is how many nodes may still be made."""

    def __init__(self, size: int, seed: int) -> None:
        self.dice = random.Random(seed)
        self.left = size
        self.count = 0

    def name(self, kind: str) -> str:
        self.count += 1
        self.left -= 1
        return f"{kind}{self.count}"

    def node(self, scope: _Scope, element: str, inside: str = "", more: str = "") -> str:
        id = self.name(element)
        scope.nodes.append(
            f'<{element} id="{id}" name="Do step {self.count}"{more}>{inside}</{element}>'
        )
        return id

    def flow(self, scope: _Scope, source: str, target: str, label: str = "") -> None:
        self.count += 1
        name = f' name="{label}"' if label else ""
        scope.flows.append(
            f'<sequenceFlow id="f{self.count}" sourceRef="{source}" targetRef="{target}"{name}/>'
        )

    def block(self, scope: _Scope, depth: int) -> tuple[str, str]:
        """(first node, last node) of a block."""
        kinds = ["task", "task", "task", "choice", "fork", "loop", "sequence", "scope", "guarded"]
        kind = self.dice.choice(kinds) if depth < 6 and self.left > 8 else "task"
        match kind:
            case "choice" | "fork":
                return self.split(scope, depth, kind)
            case "loop":
                return self.loop(scope, depth)
            case "sequence":
                return self.sequence(scope, depth, self.dice.randint(2, 4))
            case "scope":
                id = self.node(scope, "subProcess", self.body(depth + 3, self.dice.randint(1, 3)))
                return id, id
            case "guarded":
                return self.guarded(scope, depth)
            case _:
                id = self.node(scope, self.dice.choice(["userTask", "serviceTask", "scriptTask"]))
                return id, id

    def sequence(self, scope: _Scope, depth: int, length: int) -> tuple[str, str]:
        blocks = [self.block(scope, depth + 1) for _ in range(length)]
        for (_, last), (first, _) in itertools.pairwise(blocks):
            self.flow(scope, last, first)
        return blocks[0][0], blocks[-1][1]

    def split(self, scope: _Scope, depth: int, kind: str) -> tuple[str, str]:
        gateway = "exclusiveGateway" if kind == "choice" else "parallelGateway"
        first, last = self.node(scope, gateway), self.node(scope, gateway)
        for number in range(self.dice.randint(2, 4)):
            label = f"case {number}" if kind == "choice" else ""
            if kind == "choice" and number == 1 and self.dice.random() < 0.3:
                self.flow(scope, first, last, label)
            else:
                begin, end = self.block(scope, depth + 1)
                self.flow(scope, first, begin, label)
                self.flow(scope, end, last)
        return first, last

    def loop(self, scope: _Scope, depth: int) -> tuple[str, str]:
        first = self.node(scope, "exclusiveGateway")
        begin, end = self.block(scope, depth + 1)
        last = self.node(scope, "exclusiveGateway")
        self.flow(scope, first, begin)
        self.flow(scope, end, last)
        self.flow(scope, last, first, "again")
        return first, last

    def guarded(self, scope: _Scope, depth: int) -> tuple[str, str]:
        """A task with a time limit, whose way joins again."""
        task = self.node(scope, "userTask")
        timer = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
        event = self.node(scope, "boundaryEvent", timer, f' attachedToRef="{task}"')
        begin, end = self.block(scope, depth + 1)
        last = self.node(scope, "exclusiveGateway")
        self.flow(scope, event, begin)
        self.flow(scope, end, last)
        self.flow(scope, task, last)
        return task, last

    def body(self, depth: int, blocks: int) -> str:
        scope = _Scope()
        start = self.node(scope, "startEvent")
        first, last = self.sequence(scope, depth, blocks)
        end = self.node(scope, "endEvent")
        self.flow(scope, start, first)
        self.flow(scope, last, end)
        return "".join((*scope.nodes, *scope.flows))

    def whole(self) -> str:
        """As many blocks as are needed, one behind the other."""
        scope = _Scope()
        before = self.node(scope, "startEvent")
        while self.left > 1:
            first, last = self.block(scope, 0)
            self.flow(scope, before, first)
            before = last
        self.flow(scope, before, self.node(scope, "endEvent"))
        return "".join((*scope.nodes, *scope.flows))


def process(size: int, seed: int) -> str:
    """A process of about `size` nodes, as XML without a diagram; the same for the same seed."""
    return (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="generated" '
        'targetNamespace="https://diglot.example/generated">'
        f'<process id="p{size}" isExecutable="false">{_Maker(size, seed).whole()}</process>'
        "</definitions>"
    )
