"""Profile ``seed``: the reward table and the grader of the Medical Coding Auditor, to the number.

Where that document is silent: a code carries one standing flag, and a flag that replaces
another counts as a false positive; a pair may be named from either member, once, so that a flag
on its other member is a false positive; additions to a flag's reward go to flags whose code and
type are right; each expected span pays once, however it is cut; a repeated flag pays nothing, nor
does an act that can't be carried out for another reason than a code outside of the claim;
running out of steps grades the draft without the bonus for efficiency; a clean claim scores 1
before penalties.
"""

from __future__ import annotations

from casegen.env.codes import fold
from casegen.schemas import Finding, Span

from ..event import Event
from ..ledger import Flag, Ledger, findings_at
from ..tools.evidence import supports

NAME = "seed"
ONE_FLAG_A_CODE = True

RARITY = {
    "demographic_mismatch": 1.0,
    "ncci_edit": 1.2,
    "excludes1_conflict": 1.2,
    "untraceable_code": 1.3,
    "specificity_error": 1.5,
}
CONFLICTS = frozenset({"excludes1_conflict", "ncci_edit"})
FOREIGN = -0.50
FALSE_POSITIVE = -0.20
RIGHT_CONFLICT, RIGHT_OTHER, ADDITION = 0.30, 0.20, 0.05
CLOSE_MISS, FAR_MISS = -0.05, -0.10
CLOSE_CREDIT, FAR_CREDIT = 0.55, 0.40
PENALTY, EFFICIENCY, THOROUGH = 0.15, 0.1, 0.05
# A justification longer than that says everything and so names nothing.
MOST_WORDS = 100

_PLAIN = {
    ("query_guideline", "done"): 0.10,
    ("query_guideline", "repeat"): -0.10,
    ("check_ncci_edits", "edit"): 0.10,
    ("check_ncci_edits", "no_edit"): 0.05,
    ("ask_clarifying_question", "answered"): 0.15,
    ("ask_clarifying_question", "unanswered"): -0.10,
    ("ask_clarifying_question", "repeat"): -0.10,
    ("ask_clarifying_question", "unusable"): -0.10,
    ("extract_evidence", "absent"): -0.05,
}


def reward(ledger: Ledger, event: Event) -> float:
    """What one act pays. The ledger holds the act already."""
    if event.verdict == "foreign":
        return FOREIGN
    if event.act == "flag_error" and event.flag is not None:
        return _flag_reward(ledger, event.flag, event.verdict == "replaced")
    if event.act == "extract_evidence" and event.span is not None:
        return ADDITION if _new_evidence(ledger, event.span) else 0.0
    return _PLAIN.get((event.act, event.verdict), 0.0)


def _new_evidence(ledger: Ledger, span: Span) -> bool:
    """Whether a span supports one that is expected and that no earlier extraction did."""
    earlier = [one for one in ledger.evidence if one is not span]
    return any(
        supports(span, [expected]) and not any(supports(one, [expected]) for one in earlier)
        for finding in ledger.case.findings
        for expected in finding.evidence
    )


def _flag_reward(ledger: Ledger, flag: Flag, replaced: bool) -> float:
    finding = _named_by(ledger, flag)
    if finding is None or replaced:
        return FALSE_POSITIVE
    if flag.error_type not in finding.accepted_error_types:
        return CLOSE_MISS if _close(flag.error_type, finding) else FAR_MISS
    base = RIGHT_CONFLICT if finding.error_type in CONFLICTS else RIGHT_OTHER
    paid = base * RARITY[finding.error_type]
    if any(supports(span, finding.evidence) for span in ledger.evidence):
        paid += ADDITION
    if justified(flag.justification, finding):
        paid += ADDITION
    return paid + (ADDITION if flag.investigated else -ADDITION)


def justified(justification: str, finding: Finding) -> bool:
    """Whether a justification holds a key term of the finding, and is no list of everything.
    The codes that the flag names anyway are none."""
    text = justification.casefold()
    if len(text.split()) > MOST_WORDS:
        return False
    named = {fold(code) for code in finding.accepted_codes}
    terms = (term for term in finding.key_terms if fold(term) not in named)
    return any(term.casefold() in text for term in terms)


def _named_by(ledger: Ledger, flag: Flag) -> Finding | None:
    """The finding that a flag is about: one at its code that no earlier flag is about."""
    taken: list[Finding] = []
    for one in ledger.flags:
        about = next((f for f in _best_first(ledger, one) if f not in taken), None)
        if one is flag:
            return about
        if about is not None:
            taken.append(about)
    return None


def _best_first(ledger: Ledger, flag: Flag) -> list[Finding]:
    found = findings_at(ledger.case, flag.code)
    return sorted(found, key=lambda f: flag.error_type not in f.accepted_error_types)


def _close(error_type: str, finding: Finding) -> bool:
    return error_type in CONFLICTS and finding.error_type in CONFLICTS


def score(ledger: Ledger) -> float:
    """The final score of the draft, from 0 to 1."""
    bonus = THOROUGH if ledger.share_investigated() == 1 else 0.0
    if ledger.submitted:
        most = ledger.case.max_steps
        bonus += EFFICIENCY * (most - ledger.steps) / most
    total = grade(ledger) - PENALTY * false_positives(ledger) + bonus
    return min(1.0, max(0.0, total))


def grade(ledger: Ledger) -> float:
    """The grader's credits over the weights of all findings; 1 for a clean claim."""
    findings = ledger.case.findings
    if not findings:
        return 1.0
    earned = 0.0
    for flag in ledger.flags:
        finding = _named_by(ledger, flag)
        if finding is None:
            continue
        if flag.error_type in finding.accepted_error_types:
            credit = 1.0
        else:
            credit = CLOSE_CREDIT if _close(flag.error_type, finding) else FAR_CREDIT
        earned += credit * RARITY[finding.error_type]
    return earned / sum(RARITY[f.error_type] for f in findings)


def false_positives(ledger: Ledger) -> int:
    """Flags that are about no finding, and flags that replaced another."""
    return ledger.replaced + sum(_named_by(ledger, flag) is None for flag in ledger.flags)


def last_reward(ledger: Ledger, own: float, score: float) -> float:
    """A submission pays the score; where the steps ran out, the last act's reward and the
    score."""
    return score if ledger.submitted else own + score
