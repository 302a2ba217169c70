"""The command `verifier`. This module imports nothing heavy: every command loads its own parts when it runs."""

from __future__ import annotations

import io
import os
import sys
import traceback
from typing import Annotated

import typer

EXIT_CODES = """Exit codes: 0 verified, 1 refuted, 2 undecided, 3 conflicting, 4 bad input, 5 the tool or a part of it
failed; for many claims the worst, in the order 5, 4, 1, 3, 2, 0."""
RECHECK_CODES = """Exit codes: 0 derived and equal, 1 derived otherwise, 2 not re-derivable here (what is missing is
named), 3 trust or log failure, 4 malformed, 5 failure of the tool."""

app = typer.Typer(
    name="verifier",
    help="Decide claims about Python functions and SMT-LIB formulas. Drafts are cheap; deterministic checkers decide.",
    epilog=EXIT_CODES,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
cache = typer.Typer(help="Look into the certificate store.", no_args_is_help=True, rich_markup_mode=None)
config = typer.Typer(help="Look at the effective settings.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cache, name="cache")
app.add_typer(config, name="config")

Json = Annotated[bool, typer.Option("--json", help="JSON for programs instead of text for people.")]
Policy = Annotated[str | None, typer.Option(metavar="P", help="Named policy, or a JSON file with one. [proof]")]
Budget = Annotated[str | None, typer.Option(metavar="B", help="small, medium or large: 1, 8 or 64 units. [small]")]
Partial = Annotated[bool, typer.Option("--partial", help="Partial correctness: endless runs are no violation.")]
Safety = Annotated[bool, typer.Option("--safety", help="Take functions without a contract too: nothing raised, ends.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the store: --cache-mode off.")]
CacheMode = Annotated[
    str | None,
    typer.Option(metavar="MODE", help="off, read, read-write, read-enforcing (a miss fails) or audit. [read-write]"),
]
ReceiptDir = Annotated[str | None, typer.Option(metavar="D", help="Write a receipt for each verdict to this folder.")]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Claims in flight at once. [one for each core]")]
DraftFile = Annotated[
    str | None, typer.Option("--draft", metavar="FILE", help="Your own invariants and ranks, tried first.")
]
SandboxMode = Annotated[
    str | None, typer.Option(metavar="MODE", help="strict, or weak: run counterexamples with fewer fences. [strict]")
]
Question = Annotated[
    str | None,
    typer.Option(metavar="Q", help="For .smt2 files: valid, satisfiable or unsatisfiable. [what the file says]"),
]
Store = Annotated[str | None, typer.Option(metavar="DIR", help="Folder of the certificate store.")]


def _version(wanted: bool) -> None:
    if wanted:
        from verifier import __version__

        typer.echo(f"verifier {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Decide claims about Python functions and SMT-LIB formulas. Drafts are cheap; deterministic checkers decide."""


@app.command(epilog=EXIT_CODES)
def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="FILE.py, FILE.py::FUNCTION, FILE.smt2 or a folder.")
    ],
    json: Json = False,
    policy: Policy = None,
    budget: Budget = None,
    partial: Partial = False,
    safety: Safety = False,
    no_cache: NoCache = False,
    cache_mode: CacheMode = None,
    receipt_dir: ReceiptDir = None,
    jobs: Jobs = None,
    draft: DraftFile = None,
    sandbox: SandboxMode = None,
    question: Question = None,
    store: Store = None,
) -> int:
    """Decide every claim found and show the verdicts."""
    from api.cli.verify import Options, run

    flags = {
        "policy": policy,
        "budget": budget,
        "cache_mode": "off" if no_cache else cache_mode,
        "receipt_dir": receipt_dir,
        "jobs": jobs,
        "sandbox": sandbox,
        "store": store,
    }
    return run(paths, flags, Options(json, partial, safety, question, draft))


@app.command(epilog=RECHECK_CODES, short_help="Derive the verdicts of receipts again, offline.")
def recheck(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Receipts.")],
    json: Json = False,
    jobs: Jobs = None,
) -> int:
    """Derive the verdicts of receipts again, offline, without running the Python that they hold."""
    from api.cli.recheck import run

    return run(files, {"jobs": jobs}, json=json)


@app.command(short_help="Show goals, annotations and failures of one claim.")
def explain(
    subject: Annotated[str, typer.Argument(metavar="CLAIM|RECEIPT", help="FILE.py::FUNCTION, FILE.smt2 or a receipt.")],
    counterexample: Annotated[
        bool, typer.Option("--counterexample", help="Print nothing but the counterexample, as a pytest case.")
    ] = False,
    budget: Budget = None,
    partial: Partial = False,
    safety: Safety = False,
    question: Question = None,
    draft: DraftFile = None,
    store: Store = None,
) -> int:
    """Show goals, annotations beside the code, who found them, and what failed and why."""
    from api.cli.explain import run
    from api.cli.verify import Options

    flags = {"budget": budget, "store": store}
    return run(subject, flags, Options(False, partial, safety, question, draft), only_case=counterexample)


@app.command(short_help="Say what this machine has and what it lacks.")
def doctor(json: Json = False, store: Store = None, sandbox: SandboxMode = None) -> int:
    """Say what this machine has and what it lacks, with a remedy for each."""
    from api.cli.doctor import run

    return run({"store": store, "sandbox": sandbox}, json=json)


@cache.command("stats")
def cache_stats(json: Json = False, store: Store = None) -> int:
    """Count what the certificate store holds."""
    from api.cli.cache import run

    return run({"store": store}, json=json)


@config.command("show")
def config_show(json: Json = False) -> int:
    """Print every setting, its value, and where the value comes from."""
    from api.cli.config import run

    return run(json=json)


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the console script: runs a command and leaves with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no text that we print may end a run
    try:
        code = app(arguments, prog_name="verifier", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # outside its standalone mode, typer exits on a broken pipe only
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whoever read us has left: nothing more to say
        code = 141
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        code = 130
    except Exception as error:  # noqa: BLE001 - the last fence: a person sees a message, never a traceback
        code = _report(error)
    sys.exit(code if isinstance(code, int) else 0)


def _report(error: Exception) -> int:
    """Say on stderr what went wrong and return the exit code that belongs to it."""
    from verifier.errors import VerifierError

    if isinstance(error, VerifierError):
        typer.echo(error.diagnostics(), err=True)
        return error.exit_code
    if isinstance(error, typer.TyperException):
        text = str(getattr(error, "format_message", lambda: str(error))())
        asked_nothing = text.startswith("Usage:")
        command = getattr(getattr(error, "ctx", None), "command_path", "verifier")
        typer.echo(text if asked_nothing else f"error: {text}\n  See `{command} --help`.", err=True)
        return 4
    if os.environ.get("VERIFIER_DEBUG") == "1":
        traceback.print_exception(error)
    text = f"error: the tool failed: {type(error).__name__}: {error}"
    typer.echo(f"{text}\n  Set VERIFIER_DEBUG=1 to see where; please report it.", err=True)
    return 5


if __name__ == "__main__":
    main()
