"""What vendors add to BPMN, each as one profile; a file has one.

A file says for which engine it was made; where it does not, the vendor whose extensions it uses
most is taken, and without any the standard alone holds.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..document import Document
from . import camunda, drools, flowable, spiffworkflow, zeebe
from .contract import STANDARD, Profile

__all__ = ["PROFILES", "STANDARD", "Profile", "profile_of"]

#: Every profile with the namespaces of its extensions; of two that are used alike the first wins.
_VENDORS: Final = (
    (zeebe.ZEEBE, zeebe.NAMESPACES),
    (camunda.CAMUNDA, camunda.NAMESPACES),
    (flowable.FLOWABLE, flowable.NAMESPACES),
    (spiffworkflow.SPIFFWORKFLOW, spiffworkflow.NAMESPACES),
    (drools.DROOLS, drools.NAMESPACES),
)
PROFILES: Final = tuple(profile for profile, _ in _VENDORS)
_PROFILE_OF: Final = {
    namespace: profile for profile, namespaces in _VENDORS for namespace in namespaces
}
_MODELER: Final = "http://camunda.org/schema/modeler/1.0"
_PLATFORMS: Final = {
    "camunda cloud": zeebe.ZEEBE,
    "camunda platform": camunda.CAMUNDA,
    "operaton": camunda.CAMUNDA,
    "flowable": flowable.FLOWABLE,
}


def profile_of(document: Document) -> Profile:
    """The profile of a file: its declared platform, else the extensions it uses most."""
    uses = _uses(document)
    platform = document.root.foreign.get(f"{{{_MODELER}}}executionPlatform", "")
    declared = _PLATFORMS.get(platform.strip().lower())
    # SpiffWorkflow's authors draw with Camunda's modeler, which declares its own platform.
    if declared is not None and not uses[spiffworkflow.SPIFFWORKFLOW.name]:
        return declared
    return max(PROFILES, key=lambda profile: uses[profile.name]) if uses else STANDARD


def _uses(document: Document) -> Counter[str]:
    """How often the extensions of each vendor are used, by the names of the profiles."""
    uses: Counter[str] = Counter()
    if document.vocabularies.isdisjoint(_PROFILE_OF):
        return uses
    for element in document.root.walk():
        if element.namespace in _PROFILE_OF:
            uses[_PROFILE_OF[element.namespace].name] += 1
        for name in element.foreign:
            namespace = name[1:].partition("}")[0]
            if namespace in _PROFILE_OF:
                uses[_PROFILE_OF[namespace].name] += 1
    return uses
