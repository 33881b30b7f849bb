"""What makes a condition one that a hospital reports: it was evaluated, watched or treated.

Source: ICD-10-CM Official Guidelines, section III, after the UHDDS: additional diagnoses are
conditions that needed clinical evaluation, treatment, procedures, a longer stay, or more nursing
care or monitoring.
"""

from __future__ import annotations

from ..chart.model import Chart, Statement
from ..coder import Draft

# Circumstances, events, germs and an infarction of the past are reported as such.
UNCARED = ("Z", "V", "W", "X", "Y", "B95", "B96", "B97", "I25.2")


def tell_care(chart: Chart, drafts: list[Draft]) -> None:
    """Add to the chart of a stay that the ward cared for what is coded and told in the sentence of
    a relation alone; the plan tells it of all others."""
    if chart.encounter.setting != "inpatient":
        return
    ids = [problem.id for problem in chart.problems] + [one.id for one in chart.statements]
    ids += [add.id for problem in chart.problems for add in problem.adds]
    serial = max(int(name[1:]) for name in ids)
    for draft in drafts[1:]:
        problem = draft.problem
        if problem is None or draft.added or not problem.quiet or problem.status != "active":
            continue
        if not draft.code.startswith(UNCARED):
            serial += 1
            told = Statement(
                f"r{serial}", "told", [problem.id], "", {"a": problem.id}, bank="managed_stay"
            )
            chart.statements.append(told)
