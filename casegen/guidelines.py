"""The charts of ``seeds/scenarios/guidelines``, compiled for drawing."""

from __future__ import annotations

from casegen.seeds.scenarios import guidelines

from .chart.guided import Guideline, Link, Piece
from .chart.options import SEX_INDEX, make_option, settings_mask
from .wording import Wording

# How many of a hundred cases hold a chart that a guideline codes as a whole.
SHARE = 15
_STRATA = {"R": "symptom", "S": "injury", "Z": "status", "C": "neoplasm"}


def compile_guidelines() -> list[list[Guideline]]:
    """The charts, those of one kind together; every kind is as likely as the others."""
    kinds: dict[str, list[Guideline]] = {kind: [] for kind in guidelines.KINDS}
    for chart in guidelines.load():
        kinds[chart.kind].append(compile_chart(chart))
    return [charts for charts in kinds.values() if charts]


def compile_chart(one: guidelines.GuidedChart) -> Guideline:
    """One chart, ready to join."""
    return Guideline(
        one.id, one.kind, settings_mask(one.settings), one.stays, one.age[0], one.age[1],
        SEX_INDEX[one.sex], one.groups, one.clashes, one.closed,
        tuple(_piece(part) for part in one.parts),
        tuple(Link(r.term, r.about, r.say, r.say_stay) for r in one.relations),
        tuple((s.code, s.wrong, s.kind) for s in one.slips),
        tuple((o.codes, o.section, o.reason) for o in one.odd), one.services,
    )  # fmt: skip


def _piece(part: guidelines.Part) -> Piece:
    adds = tuple((add.code, add.term) for add in part.adds)
    option = None
    if part.condition is not None and part.value is not None:
        option = make_option(part.condition, part.value)
        adds += tuple((add.code, add.term) for add in part.value.adds)
        wording = option.wording
    else:
        wording = Wording(
            part.names, story=part.story, exam=part.exam, plan=part.plan, drugs=part.drugs,
            stratum=_STRATA.get(part.code[0], "disease"),
        )  # fmt: skip
    return Piece(
        part.name, option, part.term, part.code, part.system, part.course,
        part.status,  # type: ignore[arg-type]
        part.quiet, part.reason, part.seventh, part.attributes, part.weeks, wording, adds,
    )  # fmt: skip
