"""The one error root and the one error table: code -> HTTP status, exit code, title, hint.

Every failure that a user can cause or meet surfaces as a `VerifierError` whose `diagnostics()` says what happened,
where, and what to do.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table."""

    status: int
    exit_code: int
    title: str
    hint: str


TABLE: dict[str, Entry] = {
    "bad-claim": Entry(422, 4, "The claim cannot be read", "Correct the claim and submit it again."),
    "syntax-error": Entry(422, 4, "The source is not valid Python", "Fix the syntax error at the place named."),
    "bad-contract": Entry(422, 4, "The contract cannot be read", "Correct the contract at the place named."),
    "bad-draft": Entry(422, 4, "The draft cannot be read", "Correct the draft; `verifier explain` shows loops."),
    "bad-smtlib": Entry(422, 4, "The file is not a well-formed SMT-LIB 2.6 question", "Fix the place named."),
    "no-claim": Entry(422, 4, "Nothing to verify was found", "Add a contract, or pass --safety."),
    "no-such-file": Entry(404, 4, "There is no such file or function", "Check the path; FILE.py::FUNCTION names one."),
    "unknown-kind": Entry(422, 4, "The kind of claim is not registered", "Use one of the kinds that are listed."),
    "unknown-policy": Entry(422, 4, "The policy is not known", "Use a named policy or a policy file."),
    "bad-policy": Entry(422, 4, "The policy cannot be read", "Every node needs children and a positive count."),
    "unknown-budget": Entry(422, 4, "The budget is not known", "Use small, medium or large."),
    "bad-receipt": Entry(422, 4, "The receipt is malformed", "Ask its sender for an unaltered copy."),
    "bad-config": Entry(422, 4, "The configuration cannot be read", "Correct the setting that is named."),
    "store-unavailable": Entry(
        503, 5, "The certificate store cannot be used", "Check its folder, owner and space, or use --no-cache."
    ),
    "cache-miss": Entry(409, 5, "No stored certificate answers the claim", "Verify it once with a writable store."),
    "sandbox-unavailable": Entry(503, 5, "No sandbox for untrusted code", "See `verifier doctor`."),
    "solver-unavailable": Entry(503, 5, "A solver is missing or does not start", "See `verifier doctor`."),
    "internal": Entry(500, 5, "The service failed", "Please report this with the text above."),
}


class VerifierError(Exception):
    """The root of all errors that this product raises on purpose.

    `code` is a row of `TABLE`; `message` says what happened; `place` is a file or argument; `span` a piece of it;
    `hint` replaces the table's remedy when there is a better one.
    """

    def __init__(
        self, code: str, message: str, *, place: str | None = None, span: Span | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.span = span
        self.hint = hint or TABLE[code].hint

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ends with this error."""
        return TABLE[self.code].exit_code

    def diagnostics(self) -> str:
        """What happened, where, and what to do, for a terminal."""
        where = self.place or ""
        if self.span is not None:
            where += f"{':' if where else 'line '}{self.span.line}:{self.span.column}"
        head = f"{where}: {self.message}" if where else self.message
        return f"error: {head}\n  {self.hint}"


class Unsupported(VerifierError):
    """The claim is well formed but leaves the subset: it becomes `undecided: unsupported`, never an exit code 4."""

    def __init__(self, construct: str, span: Span, hint: str | None = None) -> None:
        super().__init__("bad-claim", f"unsupported: {construct}", span=span, hint=hint)
        self.construct = construct
