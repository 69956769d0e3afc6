"""Random workflows: valid documents as plain data that end, or wait for something that can come.

Every workflow is bounded: jumps backwards are counted in `$context`, loops run over short lists,
retries have a count, and the number of tasks has a budget.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from diglot.compiler import compile_source
from diglot.compiler.graph import Graph

Document = dict[str, Any]
Tasks = list[dict[str, Any]]

#: The types and keys of the events that workflows send and wait for.
EVENT_TYPES = ("ev.a", "ev.b", "ev.c")
EVENT_KEYS = ("k1", "k2")

_STANDARD = "https://open-workflow-specification.org/spec/1.0.0/errors/"
ERROR_TYPES = (
    "https://example.com/oops",
    f"{_STANDARD}communication",
    f"{_STANDARD}runtime",
    f"{_STANDARD}validation",
)
STATUSES = (400, 404, 500, 503)

#: Expressions over any data; some fail on some data, and that is wanted.
_VALUES = (
    ".", "1", "2", ".n", "(.n? // 0) + 1", "{n: 3}", "[.n?]", "[., 1]", "length", "type", "keys",
    ".a.b", "null", "$context", "$context.v", "$input", "[.[]?]", "has(\"n\")", "empty", "1, 2",
    "{n: (.n? // 1), v: $context.v}", "\"é\\n\"", "[range(0; 3)]", ".[0]?", "tostring",
    "[2, 3] | map(. + 1)", "if type == \"object\" then .n else 7 end", "error(\"no\")", "not",
)  # fmt: skip
_SAFE_VALUES = (
    ".", "1", ".n?", "{n: 3}", "[.n?]", "[., 1]", "type", "$context", "$context.v", "[.[]?]",
    "{n: (.n? // 1), v: $context.v}", "[range(0; 3)]", "tostring", "empty", "not",
)  # fmt: skip
_CONDITIONS = (
    "true", "false", ".n > 1", ".n == null", "type == \"object\"", "null", "(.n? // 0) < 3",
    "$context.v == null", "empty", ".a.b.c", "(.n, true)", "0", "length > 1",
)  # fmt: skip
_SAFE_CONDITIONS = ("true", "false", 'type == "object"', "(.n? // 0) == 1", "empty", "0")
_COLLECTIONS = (
    "[1, 2, 3]", "[range(0; 2)]", "[.n?, 5]", ".", "1, 2", "[]", ".items? // [4]", "[.[]?] | .[:3]",
)  # fmt: skip
_SAFE_COLLECTIONS = ("[1, 2, 3]", "[range(0; 2)]", "[.n?, 5]", "1, 2", "[]", "[.[]?] | .[:3]")


@dataclass(frozen=True)
class Case:
    """A workflow, the children it may call, and its input."""

    main: Document
    children: tuple[Document, ...]
    input: Any

    def __repr__(self) -> str:
        return f"Case(main={self.main!r}, children={self.children!r}, input={self.input!r})"


@dataclass(frozen=True)
class Wanted:
    """What the workflows of a test may contain.

    `is_pure`: nothing waits for the outside. `has_races`: what ends first may matter (competing
    branches, time-outs, branches that fail). `has_events`: they listen and emit.
    """

    is_pure: bool = False
    has_races: bool = True
    has_events: bool = True
    size: int = 18


EVERYTHING = Wanted()
PURE = Wanted(is_pure=True)
NO_RACES = Wanted(has_races=False, has_events=False)


@dataclass
class _Maker:
    """The state of making one document."""

    random: random.Random
    wanted: Wanted
    budget: int
    children: tuple[Document, ...] = ()
    #: Names bound by loops, listeners and catches around the place that is being written.
    bound: list[str] = field(default_factory=list[str])
    names: int = 0
    jumps: int = 0
    depth: int = 0
    durations: int = 0
    branches: int = 0
    #: A body that sends what it listens for would never end.
    is_listening: bool = False

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, options: tuple[Any, ...] | list[Any]) -> Any:
        return options[self.random.randrange(len(options))]

    def name(self) -> str:
        self.names += 1
        # Names need escaping in pointers, and are not always ASCII.
        ending = ("", "", "", "/x", "~y", " é")[self.random.randrange(6)]
        return f"t{self.names}{ending}"

    @property
    def is_careful(self) -> bool:
        """Whether nothing may fail here: where branches fail, the first one to do so matters."""
        return self.branches > 0 and not self.wanted.has_races

    def value(self, *, before: bool = False) -> str:
        """An expression; `before` the task has an input."""
        if self.bound and self.chance(25):
            return f"${self.pick(self.bound)}"
        found = self.out_of(_SAFE_VALUES, _VALUES)
        return "." if before and found == "$input" else found

    def condition(self) -> str:
        return self.out_of(_SAFE_CONDITIONS, _CONDITIONS)

    def collection(self) -> str:
        return self.out_of(_SAFE_COLLECTIONS, _COLLECTIONS)

    def out_of(self, safe: tuple[str, ...], all: tuple[str, ...]) -> str:
        """Mostly an expression that cannot fail: most runs should come far."""
        return str(self.pick(safe if self.is_careful or self.chance(75) else all))

    def duration(self) -> dict[str, int]:
        """A duration that no other of the document has, so that no two timers meet."""
        self.durations += 1
        return {"milliseconds": 100 * self.random.randrange(1, 9) + 1000 * 2**self.durations}

    def event(self) -> dict[str, Any]:
        return {"with": {"type": self.pick(EVENT_TYPES)}}


def make_case(random: random.Random, wanted: Wanted = EVERYTHING) -> Case:
    """A case drawn from `random`; the same random gives the same case."""
    children: list[Document] = []
    if not wanted.is_pure:
        for number in range(random.randrange(3)):
            maker = _Maker(random, wanted, 3, tuple(children), depth=1)
            children.append(_document(maker, f"child{number}"))
    budget = 4 + random.randrange(wanted.size)
    maker = _Maker(random, wanted, budget, tuple(children))
    main = _document(maker, "main")
    inputs: list[Any] = [
        {},
        {"n": 1},
        {"n": 5, "items": [1, 2]},
        {"a": {"b": "text"}},
        [1, 2],
        "text",
        None,
    ]
    return Case(main, tuple(children), inputs[random.randrange(len(inputs))])


@st.composite
def cases(draw: st.DrawFn, wanted: Wanted = EVERYTHING) -> Case:
    """Cases that Hypothesis can shrink."""
    return make_case(draw(st.randoms(use_true_random=False)), wanted)


def graph_of(document: Document) -> Graph:
    """The graph of a document, which must have no errors."""
    compiled = compile_source(json.dumps(document), "random.yaml")
    assert compiled.graph is not None, compiled.diagnostics
    assert not compiled.has_errors, (compiled.diagnostics, document)
    return compiled.graph


def _document(maker: _Maker, name: str) -> Document:
    document: Document = {
        "document": {"dsl": "1.0.3", "namespace": "test", "name": name, "version": "1.0.0"},
    }
    if maker.chance(10):
        document["input"] = {"from": maker.pick((".", "{n: 2}", ".items? // ."))}
    document["do"] = _tasks(maker, 7 if name == "main" else 3)
    if maker.chance(15):
        document["output"] = {"as": maker.pick((".", "[.]", "{out: ., v: $context.v}"))}
    if maker.wanted.has_races and not maker.wanted.is_pure and maker.chance(8):
        document["timeout"] = {"after": maker.duration()}
    return document


def _tasks(maker: _Maker, most: int = 4) -> Tasks:
    """A list of tasks, with directives that stay inside it."""
    maker.depth += 1
    tasks: Tasks = []
    for _ in range(1 + maker.random.randrange(most)):
        if len(tasks) > 1 and maker.budget <= 0:
            break
        tasks.append({maker.name(): _task(maker)})
    _direct(maker, tasks)
    maker.depth -= 1
    return tasks


def _direct(maker: _Maker, tasks: Tasks) -> None:
    """Give some tasks a `then`, and at times close a counted loop over the list."""
    names = [next(iter(task)) for task in tasks]
    for number, task in enumerate(tasks):
        (body,) = task.values()
        later = names[number + 1 :]
        if "switch" in body:
            for case in body["switch"]:
                (arm,) = case.values()
                arm["then"] = _directive(maker, later)
        elif "catch" in body and maker.chance(30):
            body["catch"]["then"] = _directive(maker, later)
        if maker.chance(15):
            body["then"] = _directive(maker, later)
    if maker.jumps < 2 and maker.chance(15):
        maker.jumps += 1
        counter = f"c{maker.jumps}"
        tasks.append(
            {
                maker.name(): {
                    "switch": [
                        {
                            "again": {
                                "when": f"($context.{counter} // 0) < 2",
                                "then": maker.pick(names),
                            }
                        }
                    ],
                    "export": {"as": f"$context + {{{counter}: (($context.{counter} // 0) + 1)}}"},
                }
            }
        )


def _directive(maker: _Maker, later: list[str]) -> str:
    if later and maker.chance(50):
        return str(maker.pick(later))
    ending = "exit" if maker.is_careful else "end"
    return str(maker.pick(("continue", "continue", "continue", "exit", ending)))


def _task(maker: _Maker) -> dict[str, Any]:
    maker.budget -= 1
    kinds: list[Callable[[_Maker], dict[str, Any]]] = [_set, _set, _switch]
    if not maker.is_careful and maker.chance(40):
        kinds.append(_raise)
    if maker.budget > 0 and maker.depth < 5:
        kinds += [_do, _for, _fork, _fork, _try, _try, _try, _try]
    if not maker.wanted.is_pure:
        kinds += [_wait, _wait, _call, _call, _call, _call, _shell]
        if maker.children and not maker.is_careful:
            kinds.append(_child)
        if maker.wanted.has_events:
            kinds += [_listen, _listen] if maker.is_listening else [_listen, _listen, _emit]
    body = maker.pick(kinds)(maker)
    if maker.chance(12):
        body["if"] = maker.condition()
    if maker.chance(12):
        body["input"] = {"from": maker.value(before=True)}
    if maker.chance(15):
        body["output"] = {"as": maker.value()}
    if maker.chance(12):
        body["export"] = {"as": f"$context + {{v: ({maker.pick(('.', '.n? // 0', '1', '[.]'))})}}"}
    if maker.wanted.has_races and not maker.wanted.is_pure and maker.chance(8):
        body["timeout"] = {"after": maker.duration()}
    return body


def _set(maker: _Maker) -> dict[str, Any]:
    if maker.chance(30):
        return {"set": f"${{ {maker.value()} }}"}
    members: dict[str, Any] = {}
    for name in ("n", "a", "items")[: 1 + maker.random.randrange(3)]:
        plain = maker.pick((0, 1, 4, "text", None, [1, 2], {"b": {"c": True}}))
        members[name] = f"${{ {maker.value()} }}" if maker.chance(50) else plain
    return {"set": members}


def _switch(maker: _Maker) -> dict[str, Any]:
    arms: Tasks = [
        {f"arm{number}": {"when": maker.condition()}}
        for number in range(1 + maker.random.randrange(2))
    ]
    if maker.chance(40):
        arms.append({"otherwise": {}})
    return {"switch": arms}


def _raise(maker: _Maker) -> dict[str, Any]:
    error = {"type": maker.pick(ERROR_TYPES), "status": maker.pick(STATUSES)}
    if maker.chance(30):
        error["title"] = "Oops"
    return {"raise": {"error": error}}


def _do(maker: _Maker) -> dict[str, Any]:
    return {"do": _tasks(maker)}


def _within(maker: _Maker, names: list[str]) -> Tasks:
    """Tasks that may use some more names."""
    maker.bound += names
    tasks = _tasks(maker, 3)
    del maker.bound[len(maker.bound) - len(names) :]
    return tasks


def _for(maker: _Maker) -> dict[str, Any]:
    item, index = f"x{maker.depth}", f"i{maker.depth}"
    body: dict[str, Any] = {
        "for": {"each": item, "in": maker.collection(), "at": index},
    }
    if maker.chance(30):
        body["while"] = maker.pick((f"${index} < 1", maker.condition(), f"${item} != 3"))
    body["do"] = _within(maker, [item, index])
    return body


def _fork(maker: _Maker) -> dict[str, Any]:
    branches: Tasks = []
    maker.branches += 1
    for _ in range(1 + maker.random.randrange(3)):
        name = maker.name()
        body = _task(maker)
        for arm in body.get("switch", ()):
            next(iter(arm.values()))["then"] = _directive(maker, [])
        branches.append({name: body})
    maker.branches -= 1
    fork: dict[str, Any] = {"branches": branches}
    if maker.wanted.has_races and not maker.wanted.is_pure and maker.chance(40):
        fork["compete"] = True
    return {"fork": fork}


def _try(maker: _Maker) -> dict[str, Any]:
    name = f"e{maker.depth}"
    catch: dict[str, Any] = {"as": name}
    if maker.chance(50):
        common = ("type", ERROR_TYPES[:1])
        chosen = maker.pick((("status", STATUSES), ("type", ERROR_TYPES), common))
        catch["errors"] = {"with": {chosen[0]: maker.pick(chosen[1])}}
    if maker.chance(15):
        catch["when"] = maker.pick((f"${name}.status >= 500", maker.condition()))
    if maker.chance(10):
        catch["exceptWhen"] = maker.pick((f"${name}.status == 404", maker.condition()))
    if maker.chance(50):
        retry: dict[str, Any] = {"limit": {"attempt": {"count": maker.random.randrange(3)}}}
        if not maker.wanted.is_pure:
            retry["delay"] = {"milliseconds": 0} if maker.chance(30) else maker.duration()
            retry["backoff"] = {maker.pick(("constant", "linear", "exponential")): {}}
            if maker.wanted.has_races and maker.chance(25):
                retry["limit"]["attempt"]["duration"] = maker.duration()
        if maker.chance(20):
            retry["when"] = maker.pick((f"${name}.status == 503", maker.condition()))
        catch["retry"] = retry
    if maker.chance(60):
        catch["do"] = _within(maker, [f"{name}.status", f"{name}.instance"])
    elif not catch.keys() & {"errors", "when", "exceptWhen", "retry"}:
        catch["errors"] = {"with": {"status": maker.pick(STATUSES)}}
    body: dict[str, Any] = {"try": _tasks(maker, 3), "catch": catch}
    return body


def _wait(maker: _Maker) -> dict[str, Any]:
    return {"wait": {"milliseconds": 0} if maker.chance(15) else maker.duration()}


def _call(maker: _Maker) -> dict[str, Any]:
    wanted = {"method": "post", "endpoint": "https://example.com/", "body": {"n": "${ .n? }"}}
    return {"call": "http", "with": wanted}


def _shell(maker: _Maker) -> dict[str, Any]:
    run: dict[str, Any] = {"shell": {"command": "true"}}
    if maker.chance(50):
        run["await"] = False
    return {"run": run}


def _child(maker: _Maker) -> dict[str, Any]:
    named = maker.pick(list(maker.children))["document"]
    called = {name: named[name] for name in ("namespace", "name", "version")}
    if maker.chance(50):
        called["input"] = {"n": "${ .n? }"}
    run: dict[str, Any] = {"workflow": called}
    if maker.chance(20):
        run["await"] = False
    return {"run": run}


def _emit(maker: _Maker) -> dict[str, Any]:
    data = {"n": "${ .n? }", "key": maker.pick(EVENT_KEYS)}
    return {"emit": {"event": {"with": {"type": maker.pick(EVENT_TYPES), "data": data}}}}


def _listen(maker: _Maker) -> dict[str, Any]:
    strategy: dict[str, Any]
    match maker.random.randrange(6):
        case 0:
            strategy = {"one": maker.event()}
        case 1:
            strategy = {"all": [maker.event(), maker.event()]}
        case 2:
            keyed: dict[str, Any] = {"correlate": {"key": {"from": ".data.key"}}}
            if maker.chance(30):
                keyed["correlate"]["key"]["expect"] = maker.pick(("k1", '${ "k1" }'))
            strategy = {"all": [{**maker.event(), **keyed}, {**maker.event(), **keyed}]}
        case 3:
            condition = maker.pick((". | length >= 2", "true"))
            strategy = {"any": [maker.event()], "until": condition}
        case 4:
            ending = maker.pick(({"one": maker.event()}, {"all": [maker.event(), maker.event()]}))
            strategy = {"any": [maker.event()], "until": ending}
        case _:
            strategy = {"any": [maker.event(), maker.event()]}
    body: dict[str, Any] = {"listen": {"to": strategy}}
    if maker.chance(30):
        body["listen"]["read"] = maker.pick(("data", "envelope", "raw"))
    if maker.chance(40):
        item, index = f"v{maker.depth}", f"j{maker.depth}"
        was_listening, maker.is_listening = maker.is_listening, True
        each: dict[str, Any] = {"item": item, "at": index, "do": _within(maker, [item, index])}
        maker.is_listening = was_listening
        if maker.chance(30):
            each["output"] = {"as": maker.pick((".", "1", f"[${index}]"))}
        if maker.chance(20):
            each["export"] = {"as": "$context + {v: .}"}
        body["foreach"] = each
    return body
