"""Namespaces as files write them: known variants, prefixes nobody declared, other notations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .document import BPMN, BPMNDI, DC, DI, STANDARD, XSI

XML: Final = "http://www.w3.org/XML/1998/namespace"

#: What a prefix means where a file forgot to declare it: the habit of nearly every tool.
USUAL_PREFIXES: Final[Mapping[str, str]] = {
    "bpmn": BPMN,
    "bpmn2": BPMN,
    "semantic": BPMN,
    "model": BPMN,
    "bpmndi": BPMNDI,
    "dc": DC,
    "omgdc": DC,
    "di": DI,
    "omgdi": DI,
    "xsi": XSI,
    "activiti": "http://activiti.org/bpmn",
    "bioc": "http://bpmn.io/schema/bpmn/biocolor/1.0",
    "camunda": "http://camunda.org/schema/1.0/bpmn",
    "color": "http://www.omg.org/spec/BPMN/non-normative/color/1.0",
    "drools": "http://www.jboss.org/drools",
    "flowable": "http://flowable.org/bpmn",
    "modeler": "http://camunda.org/schema/modeler/1.0",
    "operaton": "http://operaton.org/schema/1.0/bpmn",
    "spiffworkflow": "http://spiffworkflow.org/bpmn/schema/1.0/core",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
}

#: The namespace of BPMN 2.0, of its drafts, and spelt a little otherwise.
_BPMN: Final = re.compile(
    r"https?://(?:www\.|schema\.)?omg\.org/"
    r"(?:spec/bpmn/(?:20(?:09|1\d)\d{4}|2\.0(?:\.[12])?)(/model|/di|di)?|bpmn20)"
    r"/?(?:bpmn20\.xsd)?",
    re.IGNORECASE,
)
_DD: Final = re.compile(
    r"https?://(?:www\.)?omg\.org/spec/dd/2010\d\d\d\d/(dc|di)(?:-xmi)?/?", re.IGNORECASE
)

#: Beginnings of other notations' namespaces, lower case.
_NOTATIONS: Final = (
    ("www.wfmc.org/", "an XPDL package, which BPMN 1.x was kept in"),
    ("www.omg.org/spec/dmn/", "a DMN decision model"),
    ("www.omg.org/spec/cmmn/", "a CMMN case model"),
    ("www.omg.org/spec/sdmn", "an SDMN model of shared data"),
    ("www.omg.org/spec/bpmn/", "a model of an unknown version of BPMN"),
    ("www.omg.org/xmi", "an XMI file"),
    ("schema.omg.org/spec/xmi", "an XMI file"),
    ("docs.oasis-open.org/wsbpel/", "a BPEL process"),
    ("schemas.xmlsoap.org/ws/2003/03/business-process", "a BPEL process"),
    ("schemas.xmlsoap.org/wsdl", "a WSDL description"),
    ("www.w3.org/ns/wsdl", "a WSDL description"),
    ("www.w3.org/1999/xhtml", "an HTML page"),
    ("www.w3.org/2000/svg", "an SVG drawing"),
    ("www.w3.org/2001/xmlschema", "an XML schema"),
    ("www.w3.org/1999/xsl", "an XSLT stylesheet"),
    ("www.w3.org/2005/07/scxml", "an SCXML state machine"),
    ("schemas.microsoft.com/visio", "a Visio drawing"),
    ("www.pnml.org/", "a PNML net"),
    ("jbpm.org/", "a jPDL process"),
)
#: Names of other notations' root elements, lower case.
_ROOTS: Final = {
    "html": "an HTML page",
    "package": "an XPDL package, which BPMN 1.x was kept in",
    "mxfile": "a draw.io diagram",
    "mxgraphmodel": "a draw.io diagram",
    "svg": "an SVG drawing",
    "pnml": "a PNML net",
    "process-definition": "a jPDL process",
    "xpdl": "an XPDL package, which BPMN 1.x was kept in",
    "xmi": "an XMI file",
    "project": "a project file",
    "decision": "a DMN decision model",
}


class Namespaces(Mapping[str, str]):
    """The prefixes in force at an element; what it does not declare its parent's say."""

    __slots__ = ("_declared", "_outer")

    def __init__(self, declared: dict[str, str], outer: Namespaces | None = None) -> None:
        self._declared = declared
        self._outer = outer

    def __getitem__(self, prefix: str) -> str:
        scope: Namespaces | None = self
        while scope is not None:
            if prefix in scope._declared:
                return scope._declared[prefix]
            scope = scope._outer
        raise KeyError(prefix)

    def __iter__(self) -> Iterator[str]:
        seen: set[str] = set()
        scope: Namespaces | None = self
        while scope is not None:
            yield from (prefix for prefix in scope._declared if prefix not in seen)
            seen.update(scope._declared)
            scope = scope._outer

    def __len__(self) -> int:
        return sum(1 for _ in self)


def canonical(uri: str) -> str:
    """A namespace of the standard in its own spelling; any other one as it is.

    Drafts of BPMN 2.0 had other dates in their namespaces, and some files have `https`, another
    case, or a slash too many.
    """
    if uri in STANDARD:
        return uri
    plain = uri.strip()
    if found := _BPMN.fullmatch(plain):
        return BPMN if (found[1] or "/model").lower() == "/model" else BPMNDI
    if found := _DD.fullmatch(plain):
        return DC if found[1].lower() == "dc" else DI
    return uri


def notation(namespace: str, root: str) -> str:
    """What a document is whose root is no `definitions` of BPMN 2.0."""
    if namespace == BPMN:
        return f"a `{root}` without the `definitions` around it"
    place = re.sub(r"^\w+:/*", "", namespace.strip().lower())
    for beginning, words in _NOTATIONS:
        if place.startswith(beginning):
            return words
    if root.lower() in _ROOTS:
        return _ROOTS[root.lower()]
    return f"an XML file whose root is `{root}`"
