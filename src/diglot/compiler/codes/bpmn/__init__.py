"""DG12xx: the constraints that the standard puts on a BPMN file besides its schema.

====== ======================================================= ===============================
DG120x sequence flows                                          `flows`
DG121x gateways                                                `flows`
DG122x start and end events                                    `events`
DG123x intermediate and boundary events                        `events`
DG124x links, compensation, what an event refers to            `events`
DG125x sub-processes; from DG1257 on addresses and imports     `activities`, `collaboration`
DG126x tasks, calls, loops                                     `activities`
DG127x services, expressions                                   `activities`
DG128x data                                                    `data`
DG129x collaborations, references, imports                     `collaboration`
====== ======================================================= ===============================

A warning or a note here is a constraint that files of the field break and every reader understands
all the same; in strict reading each is an error. Sections are those of BPMN 2.0.2.
"""

# ruff: noqa: F403

from .activities import *
from .collaboration import *
from .data import *
from .events import *
from .flows import *
