"""The nouns of the product: claim, draft, obligation, check, certificate, verdict. Frozen, without behaviour.

Everything here is plain data: no clock, no randomness, no solver, no file. `verifier.keys` gives each thing its
content address; `verifier.pipeline` is the only place where a verdict is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"
"""JSON without floats: numbers that matter are exact (large ones travel as decimal strings)."""


class Outcome(StrEnum):
    """What was decided. Unknown is never a pass."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    CONFLICTING = "conflicting"
    UNDECIDED = "undecided"


class Grounds(StrEnum):
    """Why an outcome other than `undecided` holds."""

    PROOF = "proof"
    COUNTEREXAMPLE = "counterexample"
    NONTERMINATION = "nontermination"


class Reason(StrEnum):
    """Why a claim stayed undecided."""

    UNSUPPORTED = "unsupported"
    BUDGET = "budget"
    NO_DRAFT = "no_draft"
    NOT_INDUCTIVE = "not_inductive"
    VACUOUS = "vacuous"
    NO_WITNESS = "no_witness"
    SOLVER_DISAGREEMENT = "solver_disagreement"
    NOT_CHECKABLE = "not_checkable"
    NOT_ENOUGH_EVIDENCE = "not_enough_evidence"
    NOT_REFUTED = "not_refuted"
    ERROR = "error"


class Level(IntEnum):
    """How much a certificate leaves to trust. L0: one solver, never `verified`. L1: Z3 and cvc5 agree on the same
    text. L3: our own kernel re-checks everything without a solver. (L2, checked proof logs, sits between.)"""

    L0 = 0
    L1 = 1
    L2 = 2
    L3 = 3


class Side(StrEnum):
    """What a draft or certificate argues for."""

    PROOF = "proof"
    REFUTATION = "refutation"


class Result(StrEnum):
    """What one check said."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of source text: lines and columns are 1-based, the end is exclusive; columns count code points."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a claim was found, for people: never part of any key."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be decided: a registered kind and a canonical body that the kind understands.

    `body` holds everything the verdict may depend on (for `contract`: `source`, `function`, `partial`; for
    `formula`: `smtlib`, `question`). `name` and `origin` are for display only.
    """

    kind: str
    body: Mapping[str, Json]
    name: str = field(compare=False)
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Canonical:
    """A claim's canonical text, equal for twins, and the renaming from the claim's names to the text's."""

    text: str
    renaming: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Exactly what was read for a claim, and every look-up that failed: sorted `(resolver, name, digest | None)`."""

    entries: tuple[tuple[str, str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work may be spent, as a vector of deterministic units; `seconds` is for the hard kill alone.

    `units` scales Z3's resource limit per goal, the interpreter's steps and the number of examples.
    """

    name: str
    units: int

    @property
    def resources(self) -> int:
        """Z3 resource units (`rlimit`) for one goal."""
        return self.units * 750_000

    @property
    def steps(self) -> int:
        """Interpreter steps for one execution."""
        return 20_000 + 10_000 * self.units

    @property
    def examples(self) -> int:
        """Inputs that a refuter may try."""
        return 400 + 200 * self.units

    @property
    def seconds(self) -> float:
        """Wall-clock seconds before one solver call is killed."""
        return 3.0 + 0.5 * self.units

    def covers(self, other: Budget) -> bool:
        """Whether this budget is at least as large as `other` in every component."""
        return self.units >= other.units


BUDGETS: Mapping[str, Budget] = {
    "small": Budget("small", 1),
    "medium": Budget("medium", 8),
    "large": Budget("large", 64),
}


@dataclass(frozen=True, slots=True)
class LoopNotes:
    """Annotations of one loop, in the contract notation: invariants, and a rank that falls lexicographically."""

    invariants: tuple[str, ...] = ()
    decreases: tuple[str, ...] = ()


Annotations: TypeAlias = Mapping[str, LoopNotes]
"""Loop path (`f.1.0`) to the notes of that loop."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An untrusted proposal. `witness` is JSON that the claim's kind understands: inputs that satisfy the precondition
    (side `proof`) or violate the claim (side `refutation`); a formula's model."""

    drafter: str
    side: Side
    annotations: Annotations = field(default_factory=dict)
    witness: Json = None


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that has to be checked, regenerated from the claim and annotations every time.

    `form` says how: `solvers` (the script must be unsatisfiable), `models` (satisfiable), `replay` (inputs, run by the
    reference interpreter). `script` is the SMT-LIB text of a solver obligation, or the recurrent set that an input has
    to reach, otherwise empty. The digest binds name, form and script. `role` groups obligations for people: `safety`,
    `assert`, `callee`, `post`, `initiation`, `preservation`, `rank`, `guard` (of a recurrent set), `well-defined`,
    `witness`, `violation`, `formula`.
    """

    name: str
    role: str
    form: str
    script: str
    digest: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What convinced a checker, in a versioned form (`solvers/1`, `replay/1`, `model/1`) bound to one obligation."""

    obligation: str
    form: str
    data: Json


@dataclass(frozen=True, slots=True)
class Check:
    """One deterministic test of one obligation. `evidence` is present when it passed; `reason` when it did not."""

    obligation: Obligation
    result: Result
    level: Level
    reason: Reason | None = None
    detail: str = ""
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A draft that a checker accepted, in the form that can be re-checked alone. Never holds goals."""

    kind: str
    claim_key: str
    side: Side
    annotations: Annotations
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An input that breaks the claim: arguments as Python literals, what was seen, and a runnable pytest case."""

    arguments: Mapping[str, str]
    observed: str
    pytest: str


@dataclass(frozen=True, slots=True)
class Hit:
    """How a verdict was found: the cache rung (`replay`, `canonical`, or None for a fresh one), and whether it was
    derived again from its certificate in this run."""

    rung: str | None = None
    rederived: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome, grounds, level and reasons. `level` is the minimum over all obligations; None while undecided."""

    outcome: Outcome
    grounds: Grounds | None = None
    level: Level | None = None
    reason: Reason | None = None
    detail: str = ""
    drafter: str | None = None
    checks: tuple[Check, ...] = ()
    certificate: Certificate | None = None
    counterexample: Counterexample | None = None
    span: Span | None = None
    tried: tuple[str, ...] = ()
