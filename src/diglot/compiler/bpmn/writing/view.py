"""For whom a graph is written."""

from typing import Literal

#: `business` folds technical detail and tells it in notes; `technical` shows everything.
View = Literal["business", "technical"]
