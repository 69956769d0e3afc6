"""The documents of the scenarios, each in both languages."""

from __future__ import annotations

HEAD = "document: {{dsl: 1.0.3, namespace: acceptance, name: {name}, version: 1.0.0}}\n"
CALL = "call: http\n{pad}with: {{method: get, endpoint: 'https://example.com/{name}'}}"


def yaml(name: str, body: str) -> str:
    """A Serverless Workflow document; `CALL a` is a task that a worker does."""
    lines: list[str] = []
    for line in body.splitlines():
        before, mark, task = line.partition("CALL ")
        pad = " " * len(before)
        lines.append(before + CALL.format(name=task, pad=pad) if mark else line)
    return HEAD.format(name=name) + "\n".join(lines) + "\n"


def bpmn(name: str, elements: str, *flows: str) -> str:
    """A BPMN file: elements as XML, and flows as `a -> b` or `a -> b when CONDITION`."""
    written: list[str] = []
    for number, flow in enumerate(flows):
        ways, _, condition = flow.partition(" when ")
        source, _, target = ways.partition(" -> ")
        told = f"<conditionExpression>{condition}</conditionExpression>" if condition else ""
        written.append(
            f'<sequenceFlow id="f{number}" sourceRef="{source}" targetRef="{target}">'
            f"{told}</sequenceFlow>"
        )
    return (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        f' id="{name}-file" targetNamespace="acceptance">'
        f'<message id="paid" name="paid"/><process id="{name}" isExecutable="true">'
        f'<startEvent id="start"/><endEvent id="end"/>{elements}{"".join(written)}'
        "</process></definitions>"
    )


def _tasks(*names: str) -> str:
    return "".join(f'<serviceTask id="{name}" name="{name}"/>' for name in names)


def _timer(text: str) -> str:
    return f"<timerEventDefinition><timeDuration>{text}</timeDuration></timerEventDefinition>"


#: A document of each scenario, by its name and by the language.
DOCUMENTS: dict[str, dict[str, str]] = {
    "one": {
        "yaml": yaml("one", "do:\n- a:\n    CALL a"),
        "bpmn": bpmn("one", _tasks("a"), "start -> a", "a -> end"),
    },
    "sequence": {
        "yaml": yaml("sequence", "do:\n- a:\n    CALL a\n- b:\n    CALL b"),
        "bpmn": bpmn("sequence", _tasks("a", "b"), "start -> a", "a -> b", "b -> end"),
    },
    "choice": {
        "yaml": yaml(
            "choice",
            """do:
- choose:
    switch:
    - much: {when: .amount > 100, then: a}
    - little: {then: b}
- a:
    CALL a
    then: end
- b:
    CALL b""",
        ),
        "bpmn": bpmn(
            "choice",
            _tasks("a", "b") + '<exclusiveGateway id="choose" default="f2"/>',
            "start -> choose",
            "choose -> a when amount &gt; 100",
            "choose -> b",
            "a -> end",
            "b -> end",
        ),
    },
    "parallel": {
        "yaml": yaml(
            "parallel",
            """do:
- both:
    fork:
      branches:
      - a:
          CALL a
      - b:
          CALL b
- c:
    CALL c""",
        ),
        "bpmn": bpmn(
            "parallel",
            _tasks("a", "b", "c") + '<parallelGateway id="split"/><parallelGateway id="join"/>',
            "start -> split",
            "split -> a",
            "split -> b",
            "a -> join",
            "b -> join",
            "join -> c",
            "c -> end",
        ),
    },
    "event": {
        "yaml": yaml(
            "event",
            """do:
- wait:
    listen: {to: {one: {with: {type: paid}}}}
- a:
    CALL a""",
        ),
        "bpmn": bpmn(
            "event",
            _tasks("a") + '<intermediateCatchEvent id="wait">'
            '<messageEventDefinition messageRef="paid"/></intermediateCatchEvent>',
            "start -> wait",
            "wait -> a",
            "a -> end",
        ),
    },
    "task-limit": {
        "yaml": yaml(
            "task-limit",
            """do:
- try-it:
    try:
    - a:
        CALL a
        timeout: {after: {minutes: 1}}
    catch:
      errors: {with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout'}}
      do:
      - b:
          CALL b""",
        ),
        "bpmn": bpmn(
            "task-limit",
            _tasks("a", "b")
            + f'<boundaryEvent id="late" attachedToRef="a">{_timer("PT1M")}</boundaryEvent>',
            "start -> a",
            "a -> end",
            "late -> b",
            "b -> end",
        ),
    },
    "whole-limit": {
        "yaml": yaml("whole-limit", "timeout: {after: {minutes: 1}}\ndo:\n- a:\n    CALL a"),
        "bpmn": bpmn(
            "whole-limit",
            _tasks("a")
            + '<subProcess id="limit" triggeredByEvent="true">'
            + f'<startEvent id="over">{_timer("PT1M")}</startEvent>'
            + '<sequenceFlow id="to-ended" sourceRef="over" targetRef="ended"/>'
            + '<endEvent id="ended"><errorEventDefinition errorRef="too-late"/></endEvent>'
            + "</subProcess>",
            "start -> a",
            "a -> end",
        ).replace(
            '<message id="paid"',
            '<error id="too-late" name="too late" errorCode="timeout"/><message id="paid"',
        ),
    },
    "retry": {
        "yaml": yaml(
            "retry",
            """do:
- try-it:
    try:
    - a:
        CALL a
    catch:
      errors: {with: {status: 503}}
      retry:
        delay: {seconds: 10}
        backoff: {exponential: {}}
        limit: {attempt: {count: 3}}""",
        ),
    },
}
