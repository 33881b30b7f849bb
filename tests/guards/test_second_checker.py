"""A naive second checker, written from the rules alone, agrees with every generated case.

``make test`` judges a part of the claims, ``CASEGEN_FULL=1 make test`` all of them.
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest

import casegen
from casegen.schemas import Case

from .naive import Key, judge, key_of, mended

FULL = os.environ.get("CASEGEN_FULL") == "1"
# (split, seed, claims in the full run): 100,000 in all; one in 25 of each otherwise.
RUNS = [
    ("train", 7, 25000),
    ("train", 20260401, 15000),
    ("train", 18446744073709551615, 10000),
    ("validation", 7, 15000),
    ("validation", 11, 10000),
    ("test", 7, 15000),
    ("test", 99, 10000),
]
NAIVE = Path(__file__).parent / "naive"


def cases_of(split: str, seed: int, full: int) -> Iterator[Case]:
    count = full if FULL else full // 25
    return casegen.make("audit-v0", seed=seed, split=split).cases(0, count)


def own_keys(case: Case) -> set[Key]:
    keys = Counter(key_of(finding) for finding in case.findings)
    assert not [key for key, n in keys.items() if n > 1], f"{case.id}: a finding stands twice"
    return set(keys)


def told(case: Case, judged: set[Key], own: set[Key]) -> str:
    claim = ", ".join(
        f"{line.line}:{line.code}{''.join('-' + m for m in line.modifiers)}" for line in case.claim
    )
    return (
        f"{case.id} ({case.encounter.setting}, {case.encounter.claim_type}) [{claim}]\n"
        f"  only the naive checker: {sorted(judged - own, key=str)}\n"
        f"  only the case: {sorted(own - judged, key=str)}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("split", "seed", "full"), RUNS)
def test_the_naive_checker_agrees_before_and_after_the_corrections(
    split: str, seed: int, full: int
) -> None:
    wrong: list[str] = []
    findings = 0
    for case in cases_of(split, seed, full):
        own = own_keys(case)
        findings += len(own)
        judged = judge(case)
        if judged != own:
            wrong.append(told(case, judged, own))
            continue
        left = judge(mended(case, case.findings))
        if left:
            wrong.append(f"{case.id}: after all corrections: {sorted(left, key=str)}")
        for finding in case.findings if len(own) > 1 else ():
            after = judge(mended(case, [finding]))
            # A finding on the same line may go with it, no other one may, and none may come.
            here = {key_of(other) for other in case.findings if other.line == finding.line}
            if key_of(finding) in after or not own - here <= after <= own:
                wrong.append(f"{case.id}: after {key_of(finding)}: {sorted(after, key=str)}")
    assert not wrong, f"{len(wrong)} cases disagree; the first:\n" + "\n".join(wrong[:10])
    assert findings > 0


def test_it_sees_every_kind_of_error_among_the_generated_cases() -> None:
    seen = {
        key[0] for case in casegen.make("audit-v0", seed=7).cases(0, 300) for key in judge(case)
    }
    assert seen == {
        "demographic_mismatch",
        "excludes1_conflict",
        "ncci_edit",
        "specificity_error",
        "untraceable_code",
    }


def test_a_wrong_finding_would_show() -> None:
    """The comparison isn't vacuous: a forged replacement and a lost finding both differ."""
    forged = 0
    for case in casegen.make("audit-v0", seed=7).cases(0, 100):
        for i, finding in enumerate(case.findings):
            lost = deepcopy(case)
            del lost.findings[i]
            assert judge(lost) != {key_of(f) for f in lost.findings}
            if finding.correction.action == "replace":
                other = deepcopy(case)
                right = finding.correction.replacement
                other.findings[i].correction.replacement = "R69" if right == "Z00.00" else "Z00.00"
                assert judge(other) != {key_of(f) for f in other.findings}
                forged += 1
    assert forged > 10


def test_without_the_spans_of_its_evidence_a_replacement_is_not_found() -> None:
    checked = 0
    for case in casegen.make("audit-v0", seed=7).cases(0, 100):
        for finding in case.findings:
            if finding.correction.action != "replace" or not finding.evidence:
                continue
            bare = deepcopy(case)
            gone = {(span.start, span.end) for span in finding.evidence}
            for fact in bare.record:
                fact.spans = [span for span in fact.spans if (span.start, span.end) not in gone]
            assert key_of(finding) not in judge(bare), case.id
            checked += 1
    assert checked > 10


def test_it_shares_nothing_with_the_product_but_the_models() -> None:
    for path in sorted(NAIVE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            ours = [name for name in names if name.split(".")[0] == "casegen"]
            assert set(ours) <= {"casegen.schemas"}, f"{path.name} imports {ours}"
