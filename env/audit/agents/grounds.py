"""What shows a finding: the words of a look-up, of the physician and of the note behind a flag.

None stands for a ground that no step has shown. Then there is no reason to give.
"""

from __future__ import annotations

import re

from casegen.env.writing.words import cited, named
from casegen.schemas import Finding
from casegen.schemas.case import ErrorType

from .reasons import Reasons, Words
from .shown import Tie

_NO_CODE = re.compile(
    r"^(?:(No release of ICD-10-CM .* holds \S+).*|(No \S+ code has the form of [^\s:]+).*"
    r"|(\S+ has no code \S+; .*)|.*?: ((?:retired|not yet valid)\b.*?)(?:; ICD-10-CM .*)?)$",
    re.MULTILINE,
)
_INCOMPLETE = re.compile(r"not complete, and so not billable, on .*(?=; ICD-10-CM)")


# The types of errors, as a sentence may hold them.
KINDS = {
    "untraceable_code": "an untraceable code",
    "demographic_mismatch": "a demographic mismatch",
    "specificity_error": "an error of specificity",
    "excludes1_conflict": "an Excludes1 conflict",
    "ncci_edit": "an NCCI edit",
}

# For which type a type is taken.
TAKEN_FOR: dict[str, tuple[ErrorType, ...]] = {
    "untraceable_code": ("demographic_mismatch", "specificity_error"),
    "demographic_mismatch": ("untraceable_code", "specificity_error"),
    "specificity_error": ("untraceable_code", "demographic_mismatch"),
    "excludes1_conflict": ("ncci_edit",),
    "ncci_edit": ("excludes1_conflict",),
}


def flag_reason(
    reasons: Reasons,
    finding: Finding,
    under: str,
    proposed: str | None,
    quote: str | None,
    said: str | None,
) -> str | None:
    """Why a finding is flagged, ``under`` one of its codes, and what is ``proposed`` instead.
    ``quote`` are words of the note, ``said`` of the physician."""
    words: Words = {
        **reasons.of_code(finding.code),
        # Where the flag stands on the other member, that is told in a sentence of its own.
        "related": finding.related_code if under == finding.code else None,
        "authority": named(finding.authority),
        "suggested": proposed,
        "said": cited(said),
        "quote": None if said else cited(quote),
    }
    codes = [code for code in (finding.code, finding.related_code) if code is not None]
    rule = reasons.shown.own_rule(*codes)
    if rule is not None:
        told = reasons.say("flag_own_rule", {**words, "shown": cited(rule)})
        return f"{told} {_kind(reasons, finding)}"
    why = _OF_TYPE[finding.error_type](reasons, finding, words)
    if why is None:
        return None
    if finding.correction.replacement is not None and proposed is None:
        why = f"{why} {reasons.say('flag_unshown', words)}"
    why = f"{why} {_kind(reasons, finding)}"
    if under == finding.code:
        return why
    return f"{why} {reasons.say('flag_under', {'code': finding.code, 'under': under})}"


def _kind(reasons: Reasons, finding: Finding) -> str:
    """The type of a flag, beside the one that it could be taken for."""
    other = taken_for(finding)
    words: Words = {"kind": KINDS[finding.error_type], "other": KINDS[other] if other else None}
    return reasons.say("flag_kind", words)


def taken_for(finding: Finding) -> ErrorType | None:
    """The type for which that of a finding could be taken, one of them by its code."""
    kinds = [k for k in TAKEN_FOR[finding.error_type] if k not in finding.accepted_error_types]
    return kinds[sum(map(ord, finding.code)) % len(kinds)] if kinds else None


def confused(why: str, finding: Finding, other: ErrorType) -> str:
    """A reason for a flag with its type and the other in each other's place."""
    right, wrong = KINDS[finding.error_type], KINDS[other]
    at = min(why.rfind(right), why.rfind(wrong))
    changed = why[at:].replace(right, "\0").replace(wrong, right).replace("\0", wrong)
    return why[:at] + changed


def _untraceable(reasons: Reasons, finding: Finding, words: Words) -> str | None:
    found = _NO_CODE.search(reasons.shown.codes.get(finding.code, ""))
    if found is None:
        return None
    words["shown"] = cited(next(part for part in found.groups() if part))
    other = re.search(r"^\S+ has a code .*$", reasons.shown.codes[finding.code], re.MULTILINE)
    words["elsewhere"] = cited(other.group()) if other else None
    return reasons.say("flag_untraceable", words)


def _demographic(reasons: Reasons, finding: Finding, words: Words) -> str | None:
    line = _limit(reasons, finding)
    if line is None:
        return None
    words["shown"] = cited(line)
    return reasons.say("flag_demographic", words)


def _limit(reasons: Reasons, finding: Finding) -> str | None:
    """The line of a look-up that says for whom a code is."""
    starts = "Sex, by meaning:"
    if finding.kind != "sex":
        starts = "age conflict" if finding.authority.source == "mce" else "Age, by"
    return reasons.shown.line(finding.code, starts)


def _excludes1(reasons: Reasons, finding: Finding, words: Words) -> str | None:
    tie = excludes1_tie(
        reasons, finding.code, finding.related_code or "", finding.authority.reference
    )
    if tie is None:
        return None
    words |= tied(tie)
    return reasons.say("flag_excludes1", words)


def excludes1_tie(reasons: Reasons, code: str, other: str, reference: str = "") -> Tie | None:
    """The Excludes1 note between two codes: that which is cited, word for word or by its place,
    else the surest."""
    ties = [tie for tie in reasons.shown.ties(code, other) if tie.kind == "Excludes1"]
    ties.sort(
        key=lambda tie: (
            f"{tie.place}:" not in reference,
            tie.words.removesuffix("...") not in reference,
            "its words reach" not in tie.reach,
        )
    )
    return ties[0] if ties else None


def tied(tie: Tie) -> Words:
    """The words of a note."""
    return {
        "place": tie.place, "shown": cited(tie.words), "holder": tie.holder, "target": tie.target,
    }  # fmt: skip


def _ncci(reasons: Reasons, finding: Finding, words: Words) -> str | None:
    other = finding.related_code or ""
    edit = reasons.shown.edit(finding.code, other)
    if edit is None:
        return None
    words |= {"column1": edit.column1, "column2": edit.column2, "shown": cited(edit.indicator)}
    changed = finding.correction.code
    words |= {"code": changed, "related": finding.code if changed == other else other}
    line = reasons.shown.pair_line(finding.code, other, f"Modifiers on {changed}:")
    words["modifiers"] = cited(line)
    # Behind the edit an explanation tells what is billed with what, in a sentence of its own.
    words["rule"] = finding.explanation.partition(". ")[2]
    verdict = "flag_ncci_0" if edit.indicator.startswith("modifier indicator 0") else "flag_ncci_1"
    if finding.correction.action == "add_modifier":
        verdict = "flag_ncci_modifier"
    return f"{reasons.say('flag_ncci', words)} {reasons.say(verdict, words)}"


def _specificity(reasons: Reasons, finding: Finding, words: Words) -> str | None:
    shown, code, right = reasons.shown, finding.code, finding.correction.replacement or ""
    if (found := _INCOMPLETE.search(shown.codes.get(code, ""))) is not None:
        words["shown"] = cited(found.group())
        return reasons.say("flag_incomplete", words)
    if finding.kind == "laterality" and (line := shown.line(code, "Side: ")) is not None:
        words["shown"] = cited(line.partition(";")[0])
        return reasons.say("flag_side", words)
    sevenths = shown.sevenths(code)
    if finding.kind in _SEVENTHS and code in sevenths:
        words |= {"shown": cited(sevenths[code]), "right": cited(sevenths.get(right))}
        topic = "flag_seventh" if finding.kind == "phase" else "flag_fracture"
        return reasons.say(topic, words)
    title = shown.title(code)
    if title is None:
        return None
    words |= {
        "shown": cited(title),
        "differs": differing(finding.kind, title, words["quote"] or ""),
    }
    return reasons.say("flag_detail", words)


def differing(kind: str, title: str, quote: str) -> str:
    """What the title of a code says and what the note does."""
    told, weeks = _TRIMESTER.search(title), _WEEKS.search(quote)
    if told is not None and weeks is not None:
        count = int(weeks[1])
        own = 1 if count < 14 else 2 if count < 28 else 3
        name, bounds = _TRIMESTERS[own - 1]
        return (
            f"the code says {told[0]}, and {count} weeks lie in the {name} one, {bounds} "
            "(the note on trimesters at chapter 15)"
        )
    if kind == "unspecified":
        return "the code leaves open what the note tells"
    return "the title of the code does not say what the note documents"


_TRIMESTER = re.compile(r"(?:first|second|third) trimester")
_WEEKS = re.compile(r"(\d+) weeks?\b")
# ICD-10-CM tabular list, chapter 15: trimesters, counted from the last menstrual period.
_TRIMESTERS = (
    ("first", "less than 14 weeks 0 days"),
    ("second", "from 14 weeks 0 days to less than 28 weeks 0 days"),
    ("third", "from 28 weeks 0 days on"),
)


_SEVENTHS = frozenset({"phase", "healing", "fracture_type"})
_OF_TYPE = {
    "untraceable_code": _untraceable,
    "demographic_mismatch": _demographic,
    "excludes1_conflict": _excludes1,
    "ncci_edit": _ncci,
    "specificity_error": _specificity,
}


def table_words(reasons: Reasons, finding: Finding) -> str | None:
    """The words of a look-up on which a finding will rest, before the note is quoted or the
    physician asked."""
    shown, code, other = reasons.shown, finding.code, finding.related_code
    if other is not None:
        edit = shown.edit(code, other)
        return cited(edit.indicator) if edit else None
    if finding.error_type == "demographic_mismatch":
        return cited(_limit(reasons, finding))
    if (found := _NO_CODE.search(shown.codes.get(code, ""))) is not None:
        return cited(next(part for part in found.groups() if part))
    if (found := _INCOMPLETE.search(shown.codes.get(code, ""))) is not None:
        return cited(found.group())
    side = shown.line(code, "Side: ") if finding.kind == "laterality" else None
    if side is not None:
        return cited(side.partition(";")[0])
    return cited(shown.sevenths(code).get(code)) or cited(shown.title(code))
