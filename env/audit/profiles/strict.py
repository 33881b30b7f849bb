"""Profile ``strict``: nothing is paid but the last step, and that is the score.

``S × (1 - min(0.2, 0.02 × invalid acts))``. With N codes on the claim, m of them in findings
and b = m/N: ``S = found/findings × max(0, (right flags/flags - b)/(1 - b))``. Of a clean claim
``S = share of codes queried or checked in a pair × max(0, 1 - flags/2)``. Each (code, type of
error) is one flag. Both members of a pair are right; the second names nothing new and counts
neither way, so that it pads no wrong guess. A flag on a code that the claim does not hold is a
wrong flag.
"""

from __future__ import annotations

from ..event import Event
from ..ledger import Ledger, names

NAME = "strict"
ONE_FLAG_A_CODE = False
_A_MISTAKE, _MOST_MISTAKES = 0.02, 0.2


def reward(ledger: Ledger, event: Event) -> float:
    """What an act before the last pays: nothing."""
    return 0.0


def score(ledger: Ledger) -> float:
    """The score of the draft, from 0 to 1."""
    share = 1 - min(_MOST_MISTAKES, _A_MISTAKE * ledger.invalid)
    return _report(ledger) * share


def last_reward(ledger: Ledger, own: float, score: float) -> float:
    """The reward of the last step is the score, so that the sum of rewards is."""
    return score


def _report(ledger: Ledger) -> float:
    findings, flags = ledger.case.findings, ledger.flags
    if not findings:
        wrong = len(flags) + ledger.foreign
        return ledger.share_investigated() * max(0.0, 1 - wrong / 2)
    found = sum(any(names(flag, finding) for flag in flags) for finding in findings)
    if not found:
        return 0.0
    wrong = sum(not any(names(flag, finding) for finding in findings) for flag in flags)
    chance = chance_level(ledger)
    if chance >= 1:
        return 0.0
    right = found / (found + wrong + ledger.foreign)
    return found / len(findings) * max(0.0, (right - chance) / (1 - chance))


def chance_level(ledger: Ledger) -> float:
    """The share of the claim's codes that stand in findings: what flags without sight hit."""
    named = {code for f in ledger.case.findings for code in f.accepted_codes}
    codes = [line.code for line in ledger.lines.values()]
    return sum(code in named for code in codes) / len(codes)
