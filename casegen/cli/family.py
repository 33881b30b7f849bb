"""What a family brings to the commands that read its cases, and the families that do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console

    from casegen.seeds.icd10cm.tables import Tables
    from casegen.seeds.services import Services

    from .where import Where

# The package of each family; it holds FAMILY.
FAMILIES = {
    "audit": "casegen.cli.audit",
    "coding": "casegen.cli.coding",
    "rx": "casegen.cli.rx",
}


class Counted(Protocol):
    """Counts over the cases of one family, beside those of all families.

    ``codes`` holds the codes that the cases show; ``chapter_of`` says in which chapter one is.
    """

    codes: set[str]

    def add(self, case: Any, chapter_of: Callable[[str], str]) -> None:
        """Count one case."""
        ...

    def numbers(self) -> dict[str, int]:
        """How many there are of each thing, by name."""
        ...

    def rows(self, cases: int) -> Sequence[tuple[str, str]]:
        """The same for a person, titles with figures."""
        ...

    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each thing of a kind stands there, by the name of the kind."""
        ...

    def titles(self) -> Mapping[str, tuple[str, bool]]:
        """The kinds in the order in which a person reads them: a title, and whether things are
        sorted by name and not by number."""
        ...


@dataclass(frozen=True, slots=True)
class Family:
    """A family as the commands know it.

    - ``answer``: the field that holds the answer, to which a complaint about it points.
    - ``noun``: what is certified (``findings``), and ``size(case)`` how many there are.
    - ``steps()``: the step limit by difficulty.
    - ``consistent(case, where, tables, services)`` raises InputError, by ``where``, for what
      does not fit among the parts that only this family has, and for spans and words.
    - ``certify(case, tables, services)`` raises CertificationError or AccidentError where the
      checker does not come to the answer of the case; what it passed over is returned.
    - ``show(case, console)`` prints a case; ``counted()`` counts over many.
    """

    answer: str
    noun: str
    size: Callable[[Any], int]
    steps: Callable[[], Mapping[str, int]]
    consistent: Callable[[Any, Where, Tables, Services], None]
    certify: Callable[[Any, Tables, Services], Iterable[str]]
    show: Callable[[Any, Console], None]
    counted: Callable[[], Counted]


def family(name: str) -> Family:
    """The family of that name, which must be one of ``FAMILIES``."""
    found: Family = import_module(FAMILIES[name]).FAMILY
    return found
