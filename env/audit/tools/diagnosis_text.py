"""What ICD-10-CM says of a code on the claim, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from casegen.checker.demographics import DAYS
from casegen.checker.outside import FIRST_DAY, LAST_DAY
from casegen.lookup.codes import ICD, facts_without_notes
from casegen.lookup.edits import Edit, dated_edits
from casegen.seeds.icd10cm.codes import canonical, stem

from .excludes_text import Notes, note_lines, notes_by_kind
from .source import Claim, tables_of

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables

_MOST_BELOW = 24
_FACTS = 4_096  # codes of which the fixed part is remembered, of some kilobytes each
_OLDEST = 124
# A title tells of newborns, children or adults; in which years one is that, the MCE tells.
_AGE_GROUPS = {(0, 0): "newborn", (0, 17): "pediatric", (15, _OLDEST): "adult"}


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is told of a code on any date and beside any other: it is put together once.

    ``name`` is the official title, None where the release has none, and ``valid`` the periods of
    validity; ``missing`` says what an incomplete code lacks. ``before`` and ``after`` stand
    around the dated edits. ``notes`` is None for a code that the tabular list does not hold.
    """

    name: str | None
    title: str
    valid: tuple[tuple[str, str], ...]
    missing: str
    before: str
    edits: tuple[Edit, ...]
    after: str
    notes: Notes | None


@lru_cache(maxsize=_FACTS)
def fixed_of(code: str, name: str, digest: str) -> Fixed | None:
    """The fixed part of what is told of a code as printed; None for one that never was."""
    tables = tables_of(name, digest)[0]
    facts = facts_without_notes(code, LAST_DAY, tables)
    if facts is None:
        return None
    own = facts["title"]
    title = f"{code}  {own or f'(a code without a title in {tables.release})'}"
    valid = tables.validity(code)
    before = [_period(begin, end) for begin, end in valid]
    if facts.get("meant"):
        whole = facts["meant"]
        before.append(f"Complete form, with placeholders X: {whole}  {tables.title(whole)}")
    missing = _missing(facts)
    if "above" not in facts:
        before += _nearest(code, tables)
        return Fixed(own, title, valid, missing, _joined(before), (), "", None)
    above = "; ".join(f"{one['code']} {one['title']}" for one in facts["above"])
    before += [f"Stands under: {above}", *_sex_and_age(facts)]
    after = [*_sides(facts), *_below(facts), *_sevenths(code, tables, facts)]
    notes = notes_by_kind(code, name, digest)
    edits = dated_edits(code, tables)
    return Fixed(own, title, valid, missing, _joined(before), edits, _joined(after), notes)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def diagnosis_lines(code: str, claim: Claim) -> Iterator[str]:
    """What the tables know of the code ``code``, however it is spelled, on this claim."""
    printed = canonical(code)
    fixed = fixed_of(printed, claim.tables, claim.digest)
    if fixed is None:
        yield from _unknown(printed, tables_of(claim.tables, claim.digest)[0])
        return
    yield fixed.title
    yield _standing(printed, fixed, claim)
    if fixed.before:
        yield fixed.before
    yield from _edits(fixed.edits, claim)
    if fixed.after:
        yield fixed.after
    if fixed.notes is not None:
        yield from note_lines(printed, fixed.notes, claim)


def _standing(code: str, fixed: Fixed, claim: Claim) -> str:
    """What the code is worth on the date that counts."""
    tables = tables_of(claim.tables, claim.digest)[0]
    release, status = tables.release, tables.status(code, claim.on)
    if status == "valid":
        return f"{ICD}: a complete (billable) code, valid on {claim.day}; {release}."
    if status == "incomplete":
        return (
            f"{ICD}: not complete, and so not billable, on {claim.day}: {fixed.missing}; {release}."
        )
    if status == "retired":
        last = max((end for begin, end in fixed.valid if begin <= claim.on), default="")
        return f"{ICD}: retired; last valid on {last}, not on {claim.day}; {release}."
    first = min((begin for begin, end in fixed.valid if end >= claim.on), default="")
    return f"{ICD}: not yet valid on {claim.day}; first valid on {first}; {release}."


def _missing(facts: dict[str, Any]) -> str:
    if facts.get("meant"):
        return "placeholders are missing before the seventh character"
    if facts.get("sevenths"):
        return "it takes a seventh character"
    return "it divides further"


def _period(begin: str, end: str) -> str:
    began = f"{begin} or before" if begin <= FIRST_DAY else begin
    return f"Valid since {began}." if end >= LAST_DAY else f"Valid from {began} to {end}."


def _sex_and_age(facts: dict[str, Any]) -> Iterator[str]:
    """What the meaning of the code says of the patient."""
    if facts["sex"]:
        yield f"Sex, by meaning: {facts['sex']['sex']} patients ({facts['sex']['words']})."
    age = facts["age"]
    if age:
        if age["to"] >= _OLDEST:
            years = f"from {age['from']} years on"
        elif age["from"] == age["to"]:
            years = f"{age['from']} years" if age["to"] else "below one year"
        else:
            years = f"{age['from']} to {age['to']} years"
        group = _AGE_GROUPS.get((age["from"], age["to"]))
        bound = f"; years of the Medicare Code Editor's age group {group}" if group else ""
        yield f"Age, by meaning: {years} ({age['words']}{bound})."
    if facts["code"] in DAYS:
        low, high, words = DAYS[facts["code"]]
        yield f"Age, by its title: days {low} to {high} of life ({words})."


def _edits(edits: Sequence[Edit], claim: Claim) -> Iterator[str]:
    """The dated edits, and whom they bind."""
    if not edits:
        return
    yield (
        "Medicare Code Editor (binds inpatient facility claims; this is "
        f"{'one' if claim.inpatient_facility else f'a {claim.claim_type} claim, {_place(claim)}'}):"
    )
    for edit in edits:
        state = "on this date" if edit.begin <= claim.on <= edit.end else "not on this date"
        yield f"  {edit.words}: listed {_dates(edit)}, {state}"


def _place(claim: Claim) -> str:
    return f"setting {claim.setting.replace('_', ' ')}"


def _dates(edit: Edit) -> str:
    since = "" if edit.begin <= FIRST_DAY else f"from {edit.begin} "
    until = "on" if edit.end >= LAST_DAY else f"to {edit.end}"
    if since:
        return since + until
    return "throughout" if until == "on" else until


def _sides(facts: dict[str, Any]) -> Iterator[str]:
    others = [f"{side} {code}" for side, code in facts["sides"].items() if code != facts["code"]]
    if others:
        own = next((side for side, code in facts["sides"].items() if code == facts["code"]), None)
        yield f"Side: {own or 'none told'}; other sides: {', '.join(others)}."


def _below(facts: dict[str, Any]) -> Iterator[str]:
    below = facts["below"]
    if below:
        yield "Divides into:"
        yield from _listed([(row["code"], row["title"]) for row in below])


def _sevenths(code: str, tables: Tables, facts: dict[str, Any]) -> Iterator[str]:
    """All seventh characters with the codes that they make; X stands in empty places."""
    if not facts["sevenths"]:
        return
    own = tables.seventh(code)
    yield "Seventh characters:"
    for char, text in facts["sevenths"].items():
        whole = tables.complete(code, char)
        mark = "  (this code)" if own is not None and whole == code else ""
        yield f"  {char}  {text}: {whole}{mark}"


def _unknown(code: str, tables: Tables) -> Iterator[str]:
    yield f"No release of {ICD} from {FIRST_DAY} to {LAST_DAY} holds {code} ({tables.release})."
    yield from _nearest(code, tables)


def _nearest(code: str, tables: Tables) -> Iterator[str]:
    """The longest beginning of the code that the list holds, with what it divides into."""
    bare = stem(code)
    for length in range(len(bare) - 1, 2, -1):
        head = canonical(bare[:length])
        if tables.exists(head):
            below = tables.children(head)
            told = f"The list has {head} ({tables.title(head)}), which divides"
            yield f"{told} into:" if below else f"{told} no further."
            yield from _listed([(one, tables.title(one)) for one in below])
            return


def _listed(below: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Codes with their titles, a line each, as many as may be told."""
    yield from (f"  {code}  {title}" for code, title in below[:_MOST_BELOW])
    if len(below) > _MOST_BELOW:
        yield f"  and {len(below) - _MOST_BELOW} more"
