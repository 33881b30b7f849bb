"""The knowledge of drugs, indexed for drawing: made once, asked for each case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from casegen.seeds.rx import cases
from casegen.seeds.rx.knowledge import Rx
from casegen.seeds.rx.labels import cited
from casegen.seeds.rx.loader import load
from casegen.seeds.rx.model import Contraindication, CrossReaction, Drug, Interaction, PairLimit

from .levels import Level, levels
from .problems import Problem, Taken, Use, problems, taken, uses

# What an action asks for, the gravest first; ``monitor`` and a limit that is kept ask for nothing.
ACTIONS = ("contraindicated", "avoid", "limit", "adjust", "separate", "monitor")
FORBIDDING = frozenset(("contraindicated", "boxed", "avoid"))
_CERTAIN = frozenset(("contraindicated", "avoid", "adjust", "separate"))
_NONE: tuple[Interaction, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """What the knowledge says of two drugs.

    ``state``: ``none`` (nothing), ``finding`` (a rule that asks for something whatever the dose,
    be it to watch a grave effect), ``limit`` (one dose limit), ``watch`` (mild warnings only),
    ``duplicate`` (of one therapy, and no rule beside it), ``apart`` (no rule, but practice minds
    them together) or ``mixed``: rules of several kinds, or bound to a circumstance. Of the last
    two no case is drawn. ``rules`` are those that name the drugs most closely, the deciding one
    first.
    """

    state: str
    rules: tuple[Interaction, ...]
    shared: tuple[str, ...]

    @property
    def limit(self) -> PairLimit:
        """The one limit of a pair in the state ``limit``."""
        return self.rules[0].limits[0]


_NOTHING = Pair("none", (), ())
_MINDED = Pair("apart", (), ())


@dataclass(slots=True)
class Known:
    """Drugs, problems and uses, and indexes over the rules.

    ``crossing``: by allergen (allergy class, drug class or drug) and drug the rules on the two;
    ``member``: by allergen the drugs that it names. ``prescribed`` are the drugs that a case may
    prescribe, ``listed`` those that a list of medications may hold, ``quiet`` and ``common`` those
    that fill one (the latter hold the former). ``apart`` and the rest stand in ``uses.yaml``.
    """

    rx: Rx
    problems: Mapping[str, Problem]
    uses: Mapping[str, tuple[Use, ...]]
    taken: Mapping[str, Taken]
    levels: Mapping[str, Level]
    kin: dict[str, frozenset[str]]
    prescribed: tuple[str, ...]
    listed: tuple[str, ...]
    fillers: tuple[str, ...]
    quiet: tuple[str, ...]
    common: tuple[str, ...]
    movers: frozenset[str]
    in_pregnancy: frozenset[str]
    cautions: frozenset[tuple[str, str]]
    apart: tuple[tuple[frozenset[str], frozenset[str]], ...]
    minded: tuple[tuple[frozenset[str], frozenset[str]], ...]
    of_children: tuple[str, ...]
    # By drug those of the lists with which some rule ties it.
    partners: dict[str, tuple[str, ...]]
    _rules: dict[tuple[str, str], tuple[Interaction, ...]]
    _pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)
    _crossing: dict[tuple[str, str], tuple[CrossReaction, ...]] = field(default_factory=dict)
    _members: dict[str, frozenset[str]] = field(default_factory=dict)
    _against: dict[tuple[str, str], tuple[Contraindication, ...]] = field(default_factory=dict)

    def drug(self, name: str) -> Drug:
        """The drug of an id."""
        return self.rx.drugs[name]

    def pair(self, a: str, b: str) -> Pair:
        """What is said of two drugs, in no order."""
        key = (a, b) if a <= b else (b, a)
        found = self._pairs.get(key)
        if found is None:
            found = self._pairs[key] = self._judge(*key)
        return found

    def _judge(self, a: str, b: str) -> Pair:
        rules = tuple(cited(self.rx, rule, a, b) for rule in self._rules.get((a, b), _NONE))
        one, other = self.rx.drugs[a], self.rx.drugs[b]
        shared = tuple(name for name in one.duplicate if name in other.duplicate)
        parts = frozenset(self.rx.ingredients(a)) & frozenset(self.rx.ingredients(b))
        shared += tuple(sorted(parts - frozenset(shared)))
        if not rules:
            if shared:
                return Pair("duplicate", (), shared)
            return _MINDED if self._minded(a, b) else _NOTHING
        # Rules that name the drugs themselves go before those on their classes.
        ranks = [sum(name in self.rx.classes for name in (r.a, r.b)) for r in rules]
        nearest = min(ranks)
        order = sorted(
            (rule for rule, rank in zip(rules, ranks, strict=True) if rank == nearest),
            key=lambda rule: ACTIONS.index(rule.action),
        )
        actions = [rule.action for rule in order]
        if shared or any(rule.when or rule.disputed for rule in rules):
            state = "mixed"
        elif actions[0] in _CERTAIN and "limit" not in actions:
            state = "finding"
        elif actions[0] == "limit":
            only = actions.count("limit") == 1 and len(order[0].limits) == 1
            state = "limit" if only and set(actions) <= {"limit", "monitor"} else "mixed"
        else:
            # A grave pair that is only watched is found, a mild one passed over.
            grave = {rule.severity == "major" for rule in rules}
            state = "mixed" if len(grave) > 1 else "finding" if True in grave else "watch"
        return Pair(state, tuple(order), shared)

    def _minded(self, a: str, b: str) -> bool:
        """Whether practice minds two drugs together of which the knowledge says nothing."""
        one, other = self.kin[a], self.kin[b]
        return any(
            (left & one and right & other) or (left & other and right & one)
            for left, right in self.apart
        )

    def members(self, allergen: str) -> frozenset[str]:
        """The drugs that an allergen (allergy class, drug class or drug) names."""
        found = self._members.get(allergen)
        if found is None:
            names = {allergen}
            for one in self.rx.allergies:
                if one.id == allergen:
                    names |= set(one.members)
            found = frozenset(drug for drug, kin in self.kin.items() if names & kin)
            self._members[allergen] = found
        return found

    def crossing(self, allergen: str, drug: str) -> tuple[CrossReaction, ...]:
        """The cross-reactions that the knowledge names for an allergen and a drug."""
        key = (allergen, drug)
        found = self._crossing.get(key)
        if found is None:
            found = self._crossing[key] = self.rx.crossing(allergen, drug)
        return found

    def against(self, drug: str, problem: str) -> tuple[Contraindication, ...]:
        """The rules of a drug that speak of a problem by its code, cautions among them."""
        key = (drug, problem)
        found = self._against.get(key)
        if found is None:
            code = self.problems[problem].code
            found = self._against[key] = tuple(
                rule
                for rule in self.rx.drugs[drug].contraindications
                if rule.codes and code.startswith(rule.codes)
            )
        return found

    def minds(self, drug: str, problem: str) -> bool:
        """Whether practice minds a condition with a drug, whatever the knowledge says."""
        kin = self.kin[drug]
        return any(problem in problems and drugs & kin for drugs, problems in self.minded)

    def use_of(self, drug: str, problem: str) -> Use | None:
        """The use of a drug for a problem, None if there is none."""
        return next((use for use in self.uses.get(drug, ()) if use.problem == problem), None)


@lru_cache(maxsize=1)
def known() -> Known:
    """All that rx cases are drawn from, made once a process."""
    rx = load()
    kin = {drug: rx.kin(drug) for drug in rx.drugs}
    members: dict[str, list[str]] = {}
    for drug, names in kin.items():
        for name in sorted(names):
            members.setdefault(name, []).append(drug)
    found: dict[tuple[str, str], list[Interaction]] = {}
    for rule in rx.interactions:
        barred = set(rule.excluding)
        for a in members.get(rule.a, ()):
            if barred and barred & kin[a]:
                continue
            for b in members.get(rule.b, ()):
                if a == b or (barred and barred & kin[b]):
                    continue
                key = (a, b) if a <= b else (b, a)
                rules = found.get(key)
                if rules is None:
                    found[key] = [rule]
                elif rules[-1] is not rule:
                    rules.append(rule)
    # Drugs that other data name and this knowledge has no more are passed over.
    prescribed = tuple(drug for drug in uses() if drug in rx.drugs)
    listed = (*prescribed, *(drug for drug in taken() if drug in rx.drugs))
    table = problems()
    fillers = tuple(name for name, one in table.items() for _ in range(one.weight))
    partners: dict[str, list[str]] = {drug: [] for drug in listed}
    for a, b in found:
        if a in partners and b in partners:
            partners[a].append(b)
            partners[b].append(a)
    told = cases.read("uses.yaml")
    quiet, common = (
        tuple(drug for drug in told[name] if drug in listed) for name in ("quiet", "common")
    )
    return Known(
        rx, table, uses(), taken(), levels(), kin, prescribed, listed, fillers, quiet,
        (*quiet, *common), frozenset(told["movers"]), frozenset(told["in_pregnancy"]),
        frozenset((drug, name) for name, drugs in told["cautions"].items() for drug in drugs),
        tuple(
            (frozenset(row["one"]), frozenset(row.get("other", row["one"])))
            for row in told["apart"]
        ),
        tuple((frozenset(row["drugs"]), frozenset(row["problems"])) for row in told["minded"]),
        tuple(told["of_children"]),
        {drug: tuple(sorted(others)) for drug, others in partners.items()},
        {key: tuple(rules) for key, rules in found.items()},
    )  # fmt: skip
