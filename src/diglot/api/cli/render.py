"""`diglot render`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal, get_args

import msgspec

from diglot.compiler.diagnostics import Report
from diglot.compiler.drawing import Picture, State, to_svg
from diglot.compiler.drawing.png import NoPng, check_png, to_png
from diglot.compiler.export import Drawn, NoSuchDiagram, View, choose, draw, shortened, shown_states
from diglot.compiler.graph import Graph

from .documents import chosen, compile_file, read_bytes, resolver
from .export import refuse, tell_losses
from .outputs import check_output, put
from .streams import tell

#: The forms of a picture, which are the endings of files as well.
Form = Literal["svg", "png"]
_FORMS: Final[tuple[Form, ...]] = get_args(Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """What the command line asks for: a document, or an instance of a database."""

    file: str | None
    output: str | None
    view: View
    diagram: str
    process: str
    states: str | None
    instance: str | None
    database: str | None
    background: str | None
    theme: Literal["auto", "light", "dark"]
    format: Form | None


class _Called(ValueError):
    """The call was wrong; the message says how."""


def render_diagram(options: RenderOptions) -> int:
    """Draw one diagram; 1 if the document is refused or cannot be drawn, 2 if the call is wrong."""
    try:
        return _render(options)
    except (_Called, NoPng, NoSuchDiagram) as error:
        tell(f"diglot: {error.args[0]}")
        return 2


def _render(options: RenderOptions) -> int:
    form = _form(options)
    check_output(options.output, options.file, options.states)
    _check_sources(options)
    if form == "png":
        check_png()
    states = {} if options.states is None else _read_states(options.states)
    if options.instance is None:
        drawn, graphs = _of_file(options)
    else:
        drawn, graphs, run = _of_instance(options, options.instance)
        states = {**run, **states}
    if drawn is None:
        return 1
    picture = choose(drawn.pictures, options.diagram, options.process)
    shown = shown_states(drawn, graphs, states) if states else {}
    if states and not shown:
        tell("diglot: none of the states belongs to anything in the file")
    svg = _drawing(picture, shown, options, form)
    put(to_png(svg) if form == "png" else svg, options.output)
    others = len(drawn.pictures) - 1
    if others and not options.diagram:
        place = f"diagram {drawn.pictures.index(picture) + 1} of {others + 1}"
        tell(f"diglot: this is {shortened(picture.title)}, {place}; --diagram shows another")
    return 0


def _form(options: RenderOptions) -> Form:
    """What is asked for: by --format, else by the ending of the output."""
    output, asked = options.output, options.format
    if output in (None, "-"):
        if asked == "png" and sys.stdout.isatty():
            raise _Called("pixels are nothing for a terminal; name a file with -o")
        return asked or "svg"
    ending = PurePath(output).suffix.lower().removeprefix(".")
    for form in _FORMS:
        if form == (asked or ending):
            return form
    hint = "; diglot export writes BPMN" if ending in ("bpmn", "xml") else ""
    raise _Called(f"{output}: a picture is .svg or .png, unless --format says which it is{hint}")


def _check_sources(options: RenderOptions) -> None:
    """Refuse options that do not go together."""
    if options.instance is None and options.file is None:
        raise _Called("name a document to draw, or --instance with --database")
    if options.instance is not None and options.file is not None:
        raise _Called("give a document or --instance, not both: an instance knows what it runs")
    if options.instance is not None and options.database is None:
        raise _Called("--instance needs --database URL")
    if options.database is not None and options.instance is None:
        raise _Called("--database needs --instance ID: which of its runs is to be drawn")
    if options.file == options.states == "-":
        raise _Called("the document and its states cannot both be standard input")


def _of_file(options: RenderOptions) -> tuple[Drawn | None, tuple[Graph, ...]]:
    assert options.file is not None, "checked before"
    compiled = compile_file(options.file)
    if refuse(compiled):
        return None, ()
    if options.process:
        chosen(compiled, options.process)
    report = Report()
    drawn = draw(compiled.graphs, report, view=options.view, resolve=resolver(options.file))
    tell_losses(report, compiled)
    return drawn, compiled.graphs


def _of_instance(
    options: RenderOptions, instance: str
) -> tuple[Drawn | None, tuple[Graph, ...], Mapping[str, State]]:
    """What an instance runs, and where it stands."""
    from diglot.runtime.engine import Engine
    from diglot.runtime.store import open_store

    from .traced import Trace

    assert options.database is not None, "checked before"
    engine = Engine(open_store(options.database, create=False))
    try:
        graph = engine.plan(engine.instance(instance).definition).graph
        trace = Trace(graph)
        for _, _, events in engine.store.history(instance):
            trace.follow(events)
    finally:
        engine.close()
    report = Report()
    # What the document imported was there when it was deployed.
    drawn = draw((graph,), report, view=options.view, is_read_again=False)
    tell_losses(report)
    return drawn, (graph,), trace.states()


def _read_states(name: str) -> dict[str, State]:
    """The states of a JSON file: an object of objects, by the ids of nodes or elements."""
    try:
        return msgspec.json.decode(read_bytes(name), type=dict[str, State])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _Called(f'{name}: {error}; it is {{"node": {{"status": "done"}}}}') from error


def _drawing(
    picture: Picture, states: Mapping[str, State], options: RenderOptions, form: Form
) -> str:
    background = options.background
    theme = options.theme
    if form == "png" and theme == "auto" and background in (None, "none"):
        # Pixels cannot follow their surroundings.
        theme = "light"
    try:
        return to_svg(picture, states=states, background=background, theme=theme)
    except ValueError as error:
        raise _Called(str(error)) from error
