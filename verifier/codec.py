"""Certificates, drafts and manifests as JSON, and back, strictly.

Reading refuses unknown fields, missing fields and wrong types, and names the place; it never repairs. What is read
here is well formed, not believed: only a kind's checks decide.
"""

from __future__ import annotations

from verifier.errors import VerifierError
from verifier.fields import Fields, json_value
from verifier.model import Annotations, Certificate, Draft, Evidence, Json, LoopNotes, Manifest, Side

FORMAT = 1
"""The version of the certificate format that is written; all earlier ones stay readable."""


def annotations_to_json(annotations: Annotations) -> dict[str, Json]:
    """Loop path to `{"invariants": […], "decreases": […]}`."""
    return {
        path: {"invariants": list(notes.invariants), "decreases": list(notes.decreases)}
        for path, notes in annotations.items()
    }


def annotations_from_json(value: object, place: str, code: str = "bad-receipt") -> dict[str, LoopNotes]:
    """The inverse; strict."""
    result: dict[str, LoopNotes] = {}
    outer = Fields({"loops": value}, place, code)
    for path, item in outer.mapping("loops").items():
        notes = Fields(item, f"{place}.{path}", code)
        result[path] = LoopNotes(notes.texts("invariants"), notes.texts("decreases"))
        notes.close()
    return result


def evidence_to_json(evidence: Evidence) -> dict[str, Json]:
    """`{"obligation", "form", "data"}`."""
    return {"obligation": evidence.obligation, "form": evidence.form, "data": evidence.data}


def evidence_from_json(value: object, place: str) -> Evidence:
    """The inverse; strict about the frame. The form may be one that nobody here knows: that is for the check to say."""
    fields = Fields(value, place)
    evidence = Evidence(
        fields.text("obligation"), fields.text("form"), json_value(fields.take("data"), f"{place}.data")
    )
    fields.close()
    return evidence


def certificate_to_json(certificate: Certificate) -> dict[str, Json]:
    """Certificate format 1: what was argued and what convinced the checker; never goals."""
    return {
        "format": FORMAT,
        "kind": certificate.kind,
        "claim_key": certificate.claim_key,
        "side": certificate.side.value,
        "annotations": annotations_to_json(certificate.annotations),
        "evidence": [evidence_to_json(item) for item in certificate.evidence],
    }


def certificate_from_json(value: object, place: str = "certificate") -> Certificate:
    """The inverse; strict. Raises VerifierError (`bad-receipt`), for a format that is not known too."""
    fields = Fields(value, place)
    if (version := fields.number("format")) != FORMAT:
        raise fields.error(f"certificate format {version} is not known here", "format")
    certificate = Certificate(
        fields.text("kind"),
        fields.text("claim_key"),
        fields.named("side", Side),
        annotations_from_json(fields.take("annotations"), f"{place}.annotations"),
        tuple(
            evidence_from_json(item, f"{place}.evidence[{index}]")
            for index, item in enumerate(fields.items("evidence"))
        ),
    )
    fields.close()
    return certificate


def draft_from_json(value: object, place: str = "draft") -> tuple[str, Draft]:
    """A submitter's own draft, `{"format": 1, "function", "annotations"}`: the function that it is for, and the draft.

    Raises VerifierError (`bad-draft`). The draft is as untrusted as any other.
    """
    fields = Fields(value, place, "bad-draft")
    if (version := fields.number("format")) != FORMAT:
        raise fields.error(f"draft format {version} is not known here", "format")
    function = fields.text("function")
    notes = annotations_from_json(fields.take("annotations"), f"{place}.annotations", "bad-draft")
    fields.close()
    return function, Draft("submitted", Side.PROOF, notes)


def manifest_to_json(manifest: Manifest) -> list[Json]:
    """An array of `[resolver, name, digest or null]`."""
    return [list(entry) for entry in manifest.entries]


def manifest_from_json(value: object, place: str = "manifest") -> Manifest:
    """The inverse; strict, and the entries must be sorted and distinct."""
    rows = Fields({"rows": value}, place).items("rows")
    entries: list[tuple[str, str, str | None]] = []
    for index, row in enumerate(rows):
        match row:
            case [str(resolver), str(name), str() | None as digest]:
                entries.append((resolver, name, digest))
            case _:
                raise VerifierError("bad-receipt", "must be [resolver, name, digest]", place=f"{place}[{index}]")
    order = [(resolver, name) for resolver, name, _ in entries]
    if order != sorted(set(order)):
        raise VerifierError("bad-receipt", "entries must be sorted and distinct", place=place)
    return Manifest(tuple(entries))
