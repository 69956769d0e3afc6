"""The constraints of the BPMN standard, tried on a few lines of XML."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from diglot.compiler.bpmn.rules import check_rules
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Code, Diagnostic, Report, Severity

_HEAD = (
    "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
    "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
    "xmlns:tool='https://diglot.example/tool' xmlns:other='https://diglot.example/other' "
    "targetNamespace='https://diglot.example/rules'>"
)


def findings(
    body: str, *, strict: bool = False, resolve: Callable[[str], bytes | None] | None = None
) -> list[Diagnostic]:
    """What the rules say of the elements inside `definitions`."""
    report = Report()
    document = read_xml(definitions(body), "rules.bpmn", report)
    assert document is not None
    check_rules(document, report, strict=strict, resolve=resolve)
    return report.sorted()


def definitions(body: str) -> str:
    """A whole file around these elements."""
    return f"{_HEAD}{body}</definitions>"


def process(body: str, attributes: str = "isExecutable='true'") -> str:
    """A process around these elements."""
    return f"<process id='order' {attributes}>{body}</process>"


def flows(path: str) -> str:
    """The sequence flows along a path: `a b c` has the flows `a-b` and `b-c`."""
    nodes = path.split()
    return "".join(
        f"<sequenceFlow id='{source}-{target}' sourceRef='{source}' targetRef='{target}'/>"
        for source, target in pairwise(nodes)
    )


def weights(body: str, code: Code, *, strict: bool = False) -> list[Severity]:
    """How much each finding of a code weighs."""
    return [found.severity for found in findings(body, strict=strict) if found.code == code.id]


def breaks(body: str, code: Code) -> bool:
    """Whether a constraint is broken, and then an error in strict reading."""
    lenient, strict = weights(body, code), weights(body, code, strict=True)
    assert len(lenient) == len(strict)
    assert set(strict) <= {Severity.ERROR}
    return bool(lenient)
