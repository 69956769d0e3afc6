"""Graphs as BPMN files and as pictures: what a business reader is given.

A picture shows what the file shows, shape by shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from .bpmn.writing.view import View
from .bpmn.writing.write import write_bpmn as export_bpmn
from .diagnostics import Report
from .graph import Graph
from .imports import Resolve

if TYPE_CHECKING:
    from .drawing import Picture, State
    from .drawing.svg import Scheme

__all__ = ["NoSuchDiagram", "View", "choose", "draw", "export_bpmn", "render_svg", "shown_states"]


#: So many diagrams are named where one is asked for that is not there.
MOST_NAMED: Final = 20


class NoSuchDiagram(LookupError):
    """There is no diagram of this name or number; the message says which there are."""


class Drawn(NamedTuple):
    """The diagrams of an exported file, and its text."""

    text: str
    pictures: tuple[Picture, ...]


def draw(
    graphs: Sequence[Graph],
    report: Report,
    *,
    view: View = "business",
    resolve: Resolve | None = None,
    is_read_again: bool = True,
) -> Drawn | None:
    """The pictures of graphs that make one file; None where they cannot be exported.

    Without `is_read_again` nobody makes sure of the file: what it imports may be gone.
    """
    text = export_bpmn(graphs, report, view=view, resolve=resolve, is_read_again=is_read_again)
    if text is None:
        return None
    from .drawing import pictures_of
    from .drawing.written import tree_of

    return Drawn(text, pictures_of(tree_of(text)))


def shown_states(
    drawn: Drawn, graphs: Sequence[Graph], states: Mapping[str, State]
) -> dict[str, State]:
    """The states of nodes and flows by the ids of the elements that show them."""
    from .drawing.shown import states_by_element
    from .drawing.written import tree_of

    return states_by_element(tree_of(drawn.text), graphs, states)


def render_svg(
    graphs: Sequence[Graph],
    report: Report,
    *,
    view: View = "business",
    diagram: str = "",
    process: str = "",
    states: Mapping[str, State] | None = None,
    background: str | None = None,
    theme: Scheme = "auto",
    resolve: Resolve | None = None,
) -> str | None:
    """Draw the graphs of one file as SVG; None where they cannot be exported, see the report.

    `diagram` and `process` as in `choose`, the first without either. `states` are those of a run,
    by the ids or pointers of nodes and flows, or the ids of elements. `background` and `theme` as
    in `to_svg`.

    Raises:
        NoSuchDiagram: the file has no such diagram.
        ValueError: the background is no colour.
    """
    drawn = draw(graphs, report, view=view, resolve=resolve)
    if drawn is None:
        return None
    from .drawing import to_svg

    picture = choose(drawn.pictures, diagram, process)
    shown = shown_states(drawn, graphs, states) if states else {}
    return to_svg(picture, states=shown, background=background, theme=theme)


def choose(pictures: Sequence[Picture], diagram: str = "", process: str = "") -> Picture:
    """One of some pictures.

    `diagram` is its name or id, the id of what it shows, or its number from 1; `process` is the id
    of a process in it.

    Raises:
        NoSuchDiagram: there is none.
    """
    wanted = [one for one in pictures if not process or process in one.processes]
    for picture in wanted:
        if not diagram or diagram in (picture.title, picture.id, picture.element):
            return picture
    # Numbers count all diagrams of the file, whichever are wanted.
    if diagram.isdecimal() and 1 <= int(diagram[:9]) <= len(pictures):
        return pictures[int(diagram[:9]) - 1]
    named = [f"{n} ({shortened(one.title)})" for n, one in enumerate(pictures, 1)]
    known = ", ".join(named[:MOST_NAMED]) + (", ..." if len(named) > MOST_NAMED else "")
    asked = f"diagram {shortened(diagram)}" if diagram else f"diagram of the process {process}"
    raise NoSuchDiagram(f"there is no {asked}; there is {known or 'none at all'}")


def shortened(title: str) -> str:
    """A diagram's title as it goes into a sentence."""
    from .drawing.text import one_line

    return one_line(title, 80)
