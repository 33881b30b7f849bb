"""What all injectors share: the claim under work, and findings that wait for their line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from casegen.schemas import Authority, Correction, Decoy, Fact, Finding, Question, Span
from casegen.schemas.case import ErrorType

from ..chart.model import Chart
from ..coder import Draft
from ..randomness import Lane

if TYPE_CHECKING:
    from ..chart.build import Builder
    from ..world import World


@dataclass(slots=True)
class Broken:
    """A finding whose line number is settled when the claim is complete.

    ``draft`` is the line that is to go or to change, ``related`` the other member of a pair;
    ``facts`` are the facts on which the finding rests, all of whose spans are its evidence.
    """

    error_type: ErrorType
    kind: str
    draft: Draft
    related: Draft | None
    accepted_types: list[ErrorType]
    action: Literal["remove", "replace", "add_modifier"]
    replacement: str | None
    facts: Sequence[str]
    questions: list[str]
    key_terms: list[str]
    explanation: str
    authority: Authority

    @property
    def members(self) -> int:
        """How many codes of the claim the finding names."""
        return 2 if self.related else 1

    def finding(self, facts: dict[str, Fact]) -> Finding:
        """The finding, now that lines have their numbers."""
        draft = self.draft
        related = self.related
        return Finding(
            self.error_type,
            self.kind,
            draft.line,
            draft.code,
            related.code if related else None,
            [draft.code, related.code] if related else [draft.code],
            self.accepted_types,
            Correction(self.action, draft.line, draft.code, self.replacement),
            evidence(facts, self.facts),
            self.questions,
            self.key_terms,
            self.explanation,
            self.authority,
        )


@dataclass(slots=True)
class Innocent:
    """A decoy whose line number is settled when the claim is complete."""

    error_type: ErrorType
    kind: str
    draft: Draft
    related: Draft | None
    facts: Sequence[str]
    questions: list[str]
    reason: str
    authority: Authority

    def decoy(self, facts: dict[str, Fact]) -> Decoy:
        """The decoy, now that lines have their numbers."""
        return Decoy(
            self.error_type,
            self.kind,
            self.draft.line,
            self.draft.code,
            self.related.code if self.related else None,
            evidence(facts, self.facts),
            self.questions,
            self.reason,
            self.authority,
        )


def evidence(facts: dict[str, Fact], ids: Sequence[str]) -> list[Span]:
    """All spans of the named facts, in the order of the note."""
    if len(ids) == 1:
        return facts[ids[0]].spans
    spans = {(span.start, span.end): span for identity in ids for span in facts[identity].spans}
    return [spans[key] for key in sorted(spans)]


def takes_more(builder: Builder) -> bool:
    """Whether problems of any kind may join: not beside an examination without abnormal
    findings, a procedure told alone, or a reason that few conditions accompany (newborns)."""
    return builder.companions is None and not builder.closed and not builder.calm


@dataclass(slots=True)
class Work:
    """The claim while injectors work on it; at first it is the right claim."""

    world: World
    chart: Chart
    drafts: list[Draft]
    lane: Lane
    questions: list[Question] = field(default_factory=list)

    @property
    def date(self) -> str:
        """The date on which codes must be valid."""
        return self.chart.encounter.service_date

    def of_problem(self, problem_id: str) -> Draft | None:
        """The line that bills a problem by its own code, if nothing rests on it yet."""
        for draft in self.drafts:
            facts = draft.facts
            if len(facts) == 1 and facts[0] == problem_id and not draft.taken:
                return draft
        return None

    def of_service(self, code: str) -> Draft | None:
        """The line of a service."""
        for draft in self.drafts:
            if draft.service is not None and draft.code == code:
                return draft
        return None

    def stands(self, code: str) -> bool:
        """Whether some line has this code, now or on the right claim."""
        drafts = self.drafts
        return code in [d.code for d in drafts] or code in [d.right for d in drafts]

    def insert(self, draft: Draft) -> int:
        """Put a line at a drawn place among those of its code system; where it stands now."""
        first, end = 0, self._services()
        if draft.system != "ICD-10-CM":
            first, end = end, len(self.drafts)
        at = first + self.lane.below(end - first + 1)
        self.drafts.insert(at, draft)
        return at

    def shuffle_services(self) -> None:
        """Put the services in a drawn order: their order on a claim has no meaning."""
        first = self._services()
        if len(self.drafts) - first > 1:
            self.drafts[first:] = self.lane.shuffled(self.drafts[first:])

    def _services(self) -> int:
        """Where the services begin; they are the last lines of a claim."""
        drafts = self.drafts
        at = len(drafts)
        while at and drafts[at - 1].system != "ICD-10-CM":
            at -= 1
        return at


class Plan(Protocol):
    """What an injector has reserved in a chart, to be carried out on the claim.

    ``late`` plans take any line that is left and go last; ``lines`` is how many lines the plan
    puts on the claim, ``members`` how many codes its finding names (0 for decoys). A ``spare``
    plan can be left out: the claim is right without it.
    """

    late: ClassVar[bool]
    lines: ClassVar[int]
    members: ClassVar[int]

    @property
    def spare(self) -> bool:
        """Whether the claim is right without it."""

    def apply(self, work: Work) -> Broken | Innocent | None:
        """Carry it out; None where the claim does not allow it after all."""
