"""jBPM and Kogito: work items by name, data through the standard's own data associations.

Source: the extension schema http://www.jboss.org/drools.
"""

from __future__ import annotations

from typing import Final

from ..document import Element
from .contract import Profile, VendorCall, VendorProcess, VendorScript, VendorTask
from .finding import attribute, extension, extensions, inside, script, without_empty, written

NAMESPACES: Final = ("http://www.jboss.org/drools",)


def task(element: Element) -> VendorTask:
    """The name of a work item or of a rule group, and the scripts around a task."""
    operation = attribute(element, NAMESPACES, "serviceoperation")
    interface = attribute(element, NAMESPACES, "serviceinterface")
    service = ".".join(part for part in (interface, operation) if part)
    return VendorTask(
        job_type=attribute(element, NAMESPACES, "taskName") or service,
        headers=metadata(element),
        decision=written(element, NAMESPACES, "ruleFlowGroup", "text"),
        before=_script(element, "onEntry-script"),
        after=_script(element, "onExit-script"),
    )


def metadata(element: Element) -> dict[str, str]:
    """The names and values of an element's metadata."""
    found: dict[str, str] = {}
    for one in extensions(element, NAMESPACES, "metaData"):
        value = next((child.text.strip() for child in inside(one, "metaValue")), "")
        if one.get("name") and value:
            found.setdefault(one.get("name"), value)
    return found


def _script(element: Element, name: str) -> VendorScript | None:
    found = extension(element, NAMESPACES, name)
    holder = next(inside(found, "script"), None)
    if found is None or holder is None:
        return script(found)
    made = script(holder)
    if made is None:
        return None
    return VendorScript(code=made.code, language=found.get("scriptFormat"))


def called(element: Element) -> VendorCall:
    """A call activity moves what its data associations say, and nothing by itself."""
    return VendorCall()


def process(element: Element) -> VendorProcess:
    """The version and the package of a process."""
    names = ("packageName", "adHoc")
    facts = {name: attribute(element, NAMESPACES, name) for name in names}
    return VendorProcess(
        version=attribute(element, NAMESPACES, "version"),
        metadata=without_empty(facts) | metadata(element),
    )


DROOLS: Final = Profile(
    name="drools", expression_profile="drools", task=task, called=called, process=process
)
