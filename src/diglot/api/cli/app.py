"""The commands, their options, and what their exit status says.

0: done; 1: the document has errors, the workflow faulted, a proof failed; 2: the call was wrong,
or the database or the disk said no;
3: the run waits for something that this call does not bring; 128 + n: stopped by signal n.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal, NoReturn

import typer

from diglot.runtime.errors import DiglotError

from .stopping import Stopped, listen_for_stops
from .streams import give_up_output, prepare_streams, tell

app = typer.Typer(
    name="diglot",
    help="One workflow, two languages, and it does not forget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)

Format = Literal["text", "json", "sarif"]
Files = Annotated[list[str], typer.Argument(help="Documents to read; - is standard input.")]
File = Annotated[str, typer.Argument(help="The document; - is standard input.")]
Database = Annotated[
    str | None,
    typer.Option("--database", "-d", metavar="URL", help="Keep the run here: sqlite:///runs.db"),
]
View = Annotated[
    Literal["business", "technical"],
    typer.Option("--view", help="Fold technical detail and tell it in notes, or show everything."),
]
Process = Annotated[
    str | None, typer.Option("--process", metavar="ID", help="Which process of the file.")
]


@app.command()
def check(
    files: Files,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print.")] = "text",
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Warnings refuse a document too; each broken rule of BPMN is an error.",
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what there is to run in each file.")
    ] = False,
    severities: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            metavar="CODE=WEIGHT",
            help="What a finding weighs: error, warning, info or off; repeatable.",
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Settings; without it the diglot.toml beside a document or above it.",
        ),
    ] = None,
    show_suppressed: Annotated[
        bool, typer.Option("--show-suppressed", help="List what the documents ignore, too.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put safe fixes into the files, and check what is left.")
    ] = False,
    collaboration: Annotated[
        bool,
        typer.Option(
            "--collaboration",
            help="Let the pools of each BPMN file run together, each once: who waits for a message"
            " that never comes?",
        ),
    ] = False,
) -> None:
    """Find what can be known before a run."""
    from .check import CheckOptions, check_files

    options = CheckOptions(
        files=tuple(files),
        format=format,
        strict=strict,
        verbose=verbose,
        severities=tuple(severities or ()),
        config=config,
        shows_suppressed=show_suppressed,
        fix=fix,
        collaboration=collaboration,
    )
    raise typer.Exit(check_files(options))


@app.command()
def graph(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="The interchange form.")] = False,
    process: Process = None,
) -> None:
    """Print the graph that a document becomes."""
    from .graph import print_graph

    raise typer.Exit(print_graph(file, process, as_json=as_json))


@app.command()
def export(
    file: File,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A .bpmn, replaced if it is there; standard output without it.",
        ),
    ] = None,
    view: View = "business",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell also what is only written otherwise.")
    ] = False,
) -> None:
    """Write a document as BPMN 2.0 with a diagram, which is read again as the same."""
    from .export import export_file

    raise typer.Exit(export_file(file, output, view, verbose=verbose))


@app.command()
def render(
    file: Annotated[str | None, typer.Argument(help="The document; - is standard input.")] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A .svg or .png, replaced if it is there; standard output without it.",
        ),
    ] = None,
    view: View = "business",
    diagram: Annotated[
        str, typer.Option("--diagram", metavar="N|NAME", help="Which diagram of several.")
    ] = "",
    process: Annotated[
        str, typer.Option("--process", metavar="ID", help="The diagram of this process.")
    ] = "",
    states: Annotated[
        str | None,
        typer.Option(
            "--state",
            metavar="FILE",
            help='JSON: {"node": {"status": "done", "count": 2}}; a status is done, active,'
            " waiting, failed or skipped.",
        ),
    ] = None,
    instance: Annotated[
        str | None,
        typer.Option(
            "--instance", metavar="ID", help="Draw what this instance runs, and where it stands."
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database", "-d", metavar="URL", help="Where the instance is kept: sqlite:///runs.db"
        ),
    ] = None,
    background: Annotated[
        str | None, typer.Option("--background", metavar="#RRGGBB|none", help="Of the picture.")
    ] = None,
    theme: Annotated[
        Literal["auto", "light", "dark"],
        typer.Option("--theme", help="auto follows the surroundings of whoever looks."),
    ] = "auto",
    format: Annotated[
        Literal["svg", "png"] | None,
        typer.Option("--format", "-f", help="By the ending of the output without it."),
    ] = None,
) -> None:
    """Draw a document as it would be exported, or a run with where it stands, as SVG or PNG."""
    from .render import RenderOptions, render_diagram

    options = RenderOptions(
        file=file,
        output=output,
        view=view,
        diagram=diagram,
        process=process,
        states=states,
        instance=instance,
        database=database,
        background=background,
        theme=theme,
        format=format,
    )
    raise typer.Exit(render_diagram(options))


@app.command()
def explain(
    code: Annotated[str | None, typer.Argument(help="Such as DG0301; none lists all.")] = None,
) -> None:
    """Say what a diagnostic means and how to cure it."""
    from .explain import explain_code

    raise typer.Exit(explain_code(code))


@app.command()
def findings(
    definition: Annotated[
        str, typer.Argument(metavar="NAMESPACE/NAME[:VERSION]", help="Or a process, or a digest.")
    ],
    database: Annotated[
        str | None,
        typer.Option("--database", "-d", metavar="URL", help="Where it is: sqlite:///runs.db"),
    ] = None,
    format: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="How to print.")
    ] = "text",
) -> None:
    """Print what was found in a document when it was published."""
    from .findings import print_findings_of

    raise typer.Exit(print_findings_of(definition, database, format))


@app.command()
def run(
    file: Annotated[str | None, typer.Argument(help="The document; - is standard input.")] = None,
    input: Annotated[
        str | None,
        typer.Option("--input", "-i", metavar="JSON", help="JSON, @FILE (JSON or YAML), or -"),
    ] = None,
    database: Database = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="ID", help="Go on with a run that stopped.")
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="FILE", help="A definition that may be called; repeatable."),
    ] = None,
    events: Annotated[
        list[str] | None,
        typer.Option(
            "--event", metavar="JSON", help="A CloudEvent for a run that waits; in order."
        ),
    ] = None,
    messages: Annotated[
        list[str] | None,
        typer.Option(
            "--message",
            metavar="NAME=JSON",
            help="A message for a run that waits; NAME@KEY=JSON has a correlation key; repeatable.",
        ),
    ] = None,
    signals: Annotated[
        list[str] | None,
        typer.Option(
            "--signal", metavar="NAME=JSON", help="A signal for a run that waits; repeatable."
        ),
    ] = None,
    completions: Annotated[
        list[str] | None,
        typer.Option(
            "--complete",
            metavar="TYPE=JSON",
            help="The result of a job; TYPE is an element's id or name or a job type; repeatable.",
        ),
    ] = None,
    failures: Annotated[
        list[str] | None,
        typer.Option(
            "--fail",
            metavar="TYPE=CODE",
            help="A job that fails with an error code; TYPE as for --complete; repeatable.",
        ),
    ] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Ask for what nobody else brings.")
    ] = False,
    process: Process = None,
    start: Annotated[
        str | None, typer.Option("--start", metavar="ID", help="At which start event to begin.")
    ] = None,
    secrets: Annotated[
        list[str] | None,
        typer.Option(
            "--secret",
            metavar="NAME=VALUE",
            help="A secret; VALUE may be @FILE, which other users cannot see; or set"
            " DIGLOT_SECRET_NAME.",
        ),
    ] = None,
    sinks: Annotated[
        list[str] | None,
        typer.Option(
            "--sink",
            metavar="FILE|URL",
            help="Where CloudEvents go, those of tasks and of the life cycle; repeatable.",
        ),
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            help="Play the runs of findings (diglot check --format json) instead, step by step.",
        ),
    ] = None,
    watch: Annotated[
        bool | None, typer.Option("--watch/--quiet", help="Show the tasks as they go.")
    ] = None,
    public_only: Annotated[
        bool, typer.Option("--public-only", help="No calls to private addresses.")
    ] = False,
    no_processes: Annotated[
        bool, typer.Option("--no-processes", help="No scripts and no shell commands.")
    ] = False,
) -> None:
    """Run a workflow and print its output."""
    from .run import RunOptions, run_workflow

    options = RunOptions(
        file=file,
        input=input,
        database=database,
        resume=resume,
        others=tuple(others or ()),
        process=process,
        start=start,
        events=tuple(events or ()),
        messages=tuple(messages or ()),
        signals=tuple(signals or ()),
        completions=tuple(completions or ()),
        failures=tuple(failures or ()),
        is_interactive=interactive,
        secrets=tuple(secrets or ()),
        sinks=tuple(sinks or ()),
        watch=sys.stderr.isatty() if watch is None else watch,
        trace=trace,
        public_only=public_only,
        allow_processes=not no_processes,
    )
    raise typer.Exit(run_workflow(options))


@app.command()
def verify(
    instances: Annotated[
        list[str] | None,
        typer.Argument(
            help="Instances to prove, behind the database's URL where it is not an option."
        ),
    ] = None,
    database: Database = None,
    every: Annotated[bool, typer.Option("--all", help="All instances of the database.")] = False,
) -> None:
    """Prove that the history of an instance gives its state."""
    from .verify import verify_instances

    raise typer.Exit(verify_instances(instances or [], database, every=every))


@app.command()
def migrate(
    url: Annotated[str, typer.Argument(metavar="URL", help="sqlite:///FILE or postgresql://...")],
    phase: Annotated[
        Literal["pre", "all"],
        typer.Option("--phase", help="pre: only what engines of the version before can live with."),
    ] = "all",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the statements, and change nothing.")
    ] = False,
) -> None:
    """Bring a database to the layout of this version."""
    from .migrate import migrate_database

    raise typer.Exit(migrate_database(url, phase=phase, dry_run=dry_run))


@app.command()
def lsp() -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol."""
    from .lsp import serve_editor

    raise typer.Exit(serve_editor())


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def conformance(context: typer.Context) -> None:
    """Run the conformance suite, or a suite of other people's: ctk, examples, wild."""
    from .conformance import run_suite

    raise typer.Exit(run_suite(context.args))


@app.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    typer.echo(installed("diglot"))


def main() -> None:
    """The `diglot` command."""
    prepare_streams()
    listen_for_stops()
    try:
        app()
    except DiglotError as error:
        _give_up(str(error))
    except Stopped as stopped:
        tell("diglot: stopped")
        sys.exit(stopped.exit_status)
    except BrokenPipeError:
        give_up_output()
        sys.exit(1)
    except OSError as error:
        give_up_output()
        _give_up(f"{error.filename or 'the output'}: {error.strerror or error}")
    except Exception as error:
        if os.environ.get("DIGLOT_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        _give_up(f"this is a mistake in diglot itself: {what} (DIGLOT_DEBUG=1 shows where)")


def _give_up(reason: str) -> NoReturn:
    tell(f"diglot: {reason}")
    sys.exit(2)
