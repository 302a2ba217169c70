"""The only place where parts are put together: kinds, solvers, sandbox, drafters, store and pipeline of one run.

Nothing is started here: solver processes and the sandbox start with their first job, so a run that the cache answers
pays for neither.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import typer

import checkers
import drafters
import verifier
from api.settings import Settings
from checkers.formula.kind import FormulaKind
from checkers.program.kind import ProgramKind
from checkers.sandbox.service import Sandbox
from checkers.smt.pool import Pool
from drafters.formula import SolverModel
from drafters.program.symbolic import SymbolicDrafter
from drafters.refute.enumeration import Enumeration
from drafters.refute.hypothesis_search import HypothesisSearch
from drafters.refute.models import Models
from drafters.refute.recurrence import Recurrence
from index.files import FileStore
from verifier.codec import draft_from_json
from verifier.errors import VerifierError
from verifier.fingerprint import builds, fingerprint, installed, python, sources
from verifier.model import BUDGETS, Budget, Draft
from verifier.pipeline import Pipeline
from verifier.policy import Policy
from verifier.policy import load as load_policy
from verifier.ports import CertificateStore, Drafter, Kind


class Parts:
    """Everything that one run needs, warm for all its claims. An asynchronous context manager.

    Raises VerifierError (`store-unavailable`) on entry when the store cannot be opened.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(workers=settings.workers)
        self.sandbox = Sandbox(settings.sandbox)
        self.kinds = kinds(self.pool, self.sandbox)
        self.store = store(settings)
        self.pipeline = Pipeline(
            self.kinds,
            drafters_by_kind(self.kinds, self.pool, self.sandbox),
            self.store,
            build(),
            mode=settings.cache_mode,
            rederive=settings.rederive,
            search=search(settings),
            clock=now,
        )
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.pool)
        await self._stack.enter_async_context(self.sandbox)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()


def kinds(pool: Pool, sandbox: Sandbox | None) -> Mapping[str, Kind]:
    """The registered kinds. Any other is refused."""
    registered: tuple[Kind, ...] = (
        ProgramKind("contract", pool, sandbox),
        ProgramKind("safety", pool, sandbox),
        FormulaKind(pool),
    )
    return {kind.name: kind for kind in registered}


def drafters_by_kind(registered: Mapping[str, Kind], pool: Pool, sandbox: Sandbox) -> Mapping[str, Sequence[Drafter]]:
    """The drafters by kind, in the order in which they are asked: quick refuters, provers, costly refuters."""
    found: dict[str, Sequence[Drafter]] = {}
    for name, kind in registered.items():
        if isinstance(kind, ProgramKind):
            found[name] = (
                Enumeration(kind),
                SymbolicDrafter(kind, pool),
                Recurrence(kind, pool),
                Models(kind, pool),
                HypothesisSearch(kind, sandbox),
            )
        elif isinstance(kind, FormulaKind):
            found[name] = (SolverModel(kind, pool),)
    return found


def store(settings: Settings) -> CertificateStore | None:
    """The file store, or None where the cache is off."""
    if settings.cache_mode == "off":
        return None
    return FileStore(settings.store, settings.key_file, lambda text: typer.echo(f"warning: {text}", err=True))


def build() -> str:
    """The fingerprint of the checkers as they are installed; read from disk, without starting anything."""
    return installed(_folder(package) for package in (verifier, checkers))


def search(settings: Settings) -> str:
    """A digest of what drafts are made with; a spent budget is remembered under it."""
    return fingerprint(sources([_folder(drafters)]), builds(["hypothesis"]), python(), {"sandbox": settings.sandbox})


def now() -> str:
    """The time that receipts state: RFC 3339, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def named_budget(name: str) -> Budget:
    """Raises VerifierError (`unknown-budget`)."""
    if name not in BUDGETS:
        raise VerifierError("unknown-budget", f"there is no budget `{name}`; known: {', '.join(BUDGETS)}")
    return BUDGETS[name]


def named_policy(name: str) -> Policy:
    """A policy by name, or from a JSON file. Raises VerifierError (`unknown-policy`, `bad-policy`)."""
    path = Path(name)
    if not name.endswith(".json"):
        return load_policy(name)
    try:
        return load_policy(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise VerifierError("unknown-policy", f"the policy file cannot be read: {_why(error)}", place=name) from None
    except VerifierError as error:
        error.place = f"{name}: {error.place}" if error.place else name
        raise


def read_draft(path: Path) -> tuple[str, Draft]:
    """The function and the draft of a `--draft` file. Raises VerifierError (`bad-draft`)."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        what = f"cannot be read: {_why(error)}"
        raise VerifierError("bad-draft", what, place=str(path), hint="Check the path.") from None
    except (ValueError, RecursionError) as error:
        raise VerifierError("bad-draft", f"cannot be read as JSON: {error}", place=str(path)) from None
    try:
        return draft_from_json(document)
    except VerifierError as error:
        error.place = f"{path}: {error.place}"
        raise


def _why(error: Exception) -> str:
    """What the system says, without the path, which stands beside it."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _folder(package: object) -> Path:
    """Where a package of ours lies on disk."""
    file = getattr(package, "__file__", None)
    assert isinstance(file, str)
    return Path(file).parent
