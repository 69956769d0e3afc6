"""What is found in small documents of both standards: the code, and the text it points at."""

from __future__ import annotations

from diglot.compiler import Compiled, compile_source

WORKFLOW = "document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}\n"
DEFINITIONS = (
    "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
    "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
    "xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' "
    "xmlns:camunda='http://camunda.org/schema/1.0/bpmn' "
    "targetNamespace='https://diglot.example/checks'>"
)


def in_workflow(text: str, *codes: str) -> list[tuple[str, str]]:
    """The findings of these codes (or beginnings of codes) in a workflow without its head."""
    return told(compile_source(f"{WORKFLOW}{text}", "it.yaml"), *codes)


def in_task(task: str, *codes: str) -> list[tuple[str, str]]:
    """The same for a workflow of one task `a`."""
    return in_workflow(f"do: [{{a: {{{task}}}}}]\n", *codes)


def in_file(body: str, *codes: str) -> list[tuple[str, str]]:
    """The same for a BPMN file with these elements; of a start tag only its id is given."""
    return told(compile_source(f"{DEFINITIONS}{body}</definitions>", "it.bpmn"), *codes)


def in_process(body: str, *codes: str, around: str = "") -> list[tuple[str, str]]:
    """The same for a file with one executable process; `around` stands beside it."""
    return in_file(f"{around}<process id='order' isExecutable='true'>{body}</process>", *codes)


def told(compiled: Compiled, *codes: str) -> list[tuple[str, str]]:
    """Code and place of each finding, in order of their places."""
    found: list[tuple[str, str]] = []
    for one in compiled.diagnostics:
        if one.code.startswith(codes) and one.span is not None:
            start, end = (compiled.source.offset(at) for at in (one.span.start, one.span.end))
            text = compiled.source.text[start:end]
            found.append((one.code, one.pointer if text.startswith("<") else text))
    return found
