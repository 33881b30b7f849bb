"""What of our knowledge imported tables bear out: the rest is left out, and counted.

Our conditions and scenarios are judged against the bundled tables by the tests. Other tables
bear one out if they say the same of every code and wording in it: title, validity through the
window, seventh characters, what a term names, sex, age and the notes between its codes. Pairs
of services must be the same edit, or none, on every day of the window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from casegen.seeds.conditions import Condition, Value
from casegen.seeds.scenarios import Side
from casegen.seeds.scenarios.ncci import PairDecoy, Scenario

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.scenarios import DecoyPair, Pair
    from casegen.seeds.services import Service, Services

_PHASES: tuple[Mapping[str, str], ...] = ({}, {"phase": "active"}, {"phase": "sequela"})
T = TypeVar("T")


class Fitting:
    """Judges by ``tables`` and ``services`` (those of the window) what was made for ``old``.

    ``left_out`` counts by kind what they don't bear out.
    """

    def __init__(self, tables: Tables, services: Services, old: Tables) -> None:
        self.tables = tables
        self.services = services
        self.old = old
        self.left_out: Counter[str] = Counter()
        self._alike = tables.store is old.store  # nothing but pairs of services can differ
        self._codes: dict[str, bool] = {}

    def kept(self, kind: str, things: Iterable[T], fits: Any) -> list[T]:
        """Those that fit; the others are counted as ``kind``."""
        found, out = [], 0
        for thing in things:
            if fits(thing):
                found.append(thing)
            else:
                out += 1
        if out:
            self.left_out[kind] += out
        return found

    # Codes and terms

    def code(self, code: str) -> bool:
        """Whether both tables say the same of a code, complete or short of its seventh
        character, and it is valid through the window."""
        known = self._codes.get(code)
        if known is None:
            known = self._codes[code] = self._same(code)
        return known

    def _same(self, code: str) -> bool:
        new, old = self.tables, self.old
        # An external cause stands there with its placeholders (W01.0XX), the list has W01.0.
        code = code if old.exists(code) else code.rstrip("X").rstrip(".")
        if not new.exists(code) or new.title(code) != old.title(code):
            return False
        sevenths = {char: one.text for char, one in new.sevenths(code).items()}
        if sevenths != {char: one.text for char, one in old.sevenths(code).items()}:
            return False
        complete = [code] if new.billable(code) else [new.complete(code, c) for c in sevenths]
        if bool(complete) != bool(old.billable(code) or sevenths):
            return False
        return all(
            new.status(one, day) == "valid"
            and new.sex_by_meaning(one) == old.sex_by_meaning(one)
            and new.age_by_meaning(one) == old.age_by_meaning(one)
            and new.side_siblings(one) == old.side_siblings(one)
            for one in complete
            for day in new.window
        )

    def term(self, term: str, attributes: Mapping[str, str]) -> bool:
        """Whether a wording names the same codes in both tables."""
        return self.tables.resolve(term, attributes) == self.old.resolve(term, attributes)

    def tie(self, a: str, b: str) -> bool:
        """Whether the same notes stand between two codes in both tables."""
        new, old = self.tables, self.old
        return (
            new.excludes1(a, b) == old.excludes1(a, b)
            and new.excludes2(a, b) == old.excludes2(a, b)
            and new.code_also(a, b) == old.code_also(a, b)
        )

    # Conditions

    def value(self, value: Value) -> bool:
        """Whether the tables bear out one value of a condition."""
        if self._alike:
            return True
        added = [(add.code, add.term) for add in value.adds]
        codes = [*_codes(value), *(code for code, _ in added)]
        if not all(map(self.code, codes)):
            return False
        if not all(self.term(term, phase) for _, term in added for phase in _PHASES):
            return False
        return all(
            self.term(term, {**value.attributes, **side, **phase})
            for term, side in _terms(value)
            for phase in _PHASES
        )

    def conditions(self, conditions: Sequence[Condition]) -> dict[str, set[str]]:
        """The ids of the values that fit, by condition; counts conditions without any. What
        presupposes a condition that is left out goes with it."""
        fits = {one.id: {v.id for v in one.values if self.value(v)} for one in conditions}
        fits = {key: ids for key, ids in fits.items() if ids}
        while True:
            lost = [
                o.id for o in conditions if o.id in fits and not set(o.presupposes) <= set(fits)
            ]
            if not lost:
                break
            for key in lost:
                del fits[key]
        values = sum(len(one.values) for one in conditions) - sum(map(len, fits.values()))
        for kind, out in (
            ("conditions", len(conditions) - len(fits)),
            ("values of conditions", values),
        ):
            if out:
                self.left_out[kind] += out
        return fits

    # Services and scenarios

    def units(self, service: Service) -> bool:
        """Whether a service as its sentences tell it stays within its medically unlikely edit."""
        most = self.services.mue(service.code)
        return most is None or service.units <= most

    def _usable(self, codes: Iterable[str]) -> bool:
        found = [self.services.get(code) for code in codes]
        return all(one is not None and self.units(one) for one in found)

    def pair(self, one: Pair | DecoyPair) -> bool:
        """Whether an Excludes1 pair or its decoy still is what it was made for."""
        a, b = one.sides["a"], one.sides["b"]
        return self._alike or (self._side(a) and self._side(b) and self.tie(a.code, b.code))

    def _side(self, side: Side) -> bool:
        return (
            self.code(side.code)
            and self.term(side.term, {})
            and all(self.code(add.code) and self.term(add.term, {}) for add in side.adds)
        )

    def _problem(self, problem: Condition | None) -> bool:
        return problem is None or all(self.value(value) for value in problem.values)

    def ncci(self, one: Scenario) -> bool:
        """Whether the edit of a scenario is in force, and the only one among its services."""
        services, day = self.services, self.tables.window[0]
        codes = (one.column1, one.column2, *one.also)
        found = services.conflicts(codes, day)
        if len(found) != 1 or not self._usable(codes):
            return False
        edit = found[0]
        same = (edit.column1, edit.column2, edit.indicator, edit.deleted)
        return (
            same == (one.column1, one.column2, one.indicator, None)
            and (edit.since is None or edit.since <= day)
            and self._problem(one.problem)
            and self._problem(one.second)
        )

    def quiet(self, one: PairDecoy) -> bool:
        """Whether no edit keeps the two services apart, and the deleted one is the same."""
        services, first = self.services, self.tables.window[0]
        if not self._usable((one.a, one.b)) or services.pair(one.a, one.b, first):
            return False
        known = services.pair_any(one.a, one.b)
        if one.kind == "no_pair":
            return not known and self._problem(one.problem)
        applied = [edit for edit in known if edit.indicator != 9] or known
        last = max((edit.deleted or "" for edit in applied), default="")
        return last == one.deleted_on and self._problem(one.problem)


def _codes(value: Value) -> Iterator[str]:
    for code in (value.code, *value.codes.values(), value.unspecified, value.less_specific):
        if code is not None:
            yield code


def _terms(value: Value) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each wording of a value with the side for which it stands."""
    yield value.term, {}
    for side in value.codes:
        yield value.terms.get(side, value.term), {"side": side}
