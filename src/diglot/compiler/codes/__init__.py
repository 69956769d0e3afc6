"""Every kind of finding, declared once: its id, weight, message, reason and cure.

Messages, the pages of `diglot explain`, the documentation and the rules of a SARIF log are drawn
from here. A code keeps its id for ever; a retired id is not given to another code.

The first two digits of an id say what it is about:

====== ================================================== ===================
DG01xx the text and its encoding, before it is a document `text`
DG02xx the shape of a document                            `shape`
DG03xx structure and flow                                 `flow`
DG04xx names and what they refer to                       `names`
DG05xx expressions                                        `expressions`
DG06xx time, schedules, retries                           `timing`
DG07xx faults and who catches them                        `faults`
DG08xx events                                             `events`
DG09xx security and secrets                               `secrets`
DG10xx what is not supported, or foreign                  `support`
DG11xx XML, and the shape of a BPMN document              `xml`
DG12xx constraints of the BPMN standard                   `bpmn`
DG13xx expressions in other languages                     `languages`
DG14xx extensions of vendors                              `vendors`
DG15xx what a BPMN model means as a flow                  `bpmn_flow`
DG16xx export                                             `export`
DG17xx types of data                                      `types`
DG18xx data flow: who writes a variable and who reads it  `data_flow`
DG19xx what a model does when it runs                     `behaviour`
DG20xx structure that is allowed and seldom meant         `structure`
====== ================================================== ===================

`message` is a format string; its fields are the keyword parameters of `Report.add`. `bad` and
`good` name files below `conformance/`.
"""

# ruff: noqa: F403
# Starred, so that a code is written down in one place only; a test holds that none is hidden.

from .behaviour import *
from .bpmn import *
from .bpmn_flow import *
from .data_flow import *
from .declare import ALL as ALL
from .declare import by_id as by_id
from .events import *
from .export import *
from .expressions import *
from .faults import *
from .flow import *
from .languages import *
from .names import *
from .secrets import *
from .shape import *
from .structure import *
from .support import *
from .text import *
from .timing import *
from .types import *
from .xml import *

# In the order of their ids, however the modules above are sorted.
for _id in sorted(ALL):
    ALL[_id] = ALL.pop(_id)
