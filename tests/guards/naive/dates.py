"""Dated rows of the code editor, existence on a date, age and sex by meaning."""

from __future__ import annotations

import csv
import gzip
import re
from datetime import date
from functools import cache

from .paths import SEEDS
from .tabular import complete_codes, could_be_completed, plain

DATA = SEEDS / "icd10cm" / "data"
# Age groups of the Medicare Code Editor, years at admission, inclusive.
GROUPS = {"newborn": (0, 0), "pediatric": (0, 17), "maternity": (9, 64), "adult": (15, 124)}
# Words of organs and states of one sex. They only count where the code editor once agreed.
FEMALE = re.compile(
    r"\b(pregnan|obstetric|childbirth|puerper|deliver|labor\b|matern|gestation|antenatal"
    r"|postpartum|lactat|abortion|miscarriage|ectopic|mole\b|hydatid|placenta|uter|intrauter|gynecolog|cervi"
    r"|endocerv|ovar|oocyte|tubal|vagin|vulv|clitor|labia|endometri|hymen|fallopian|salping|menstru|menarche"
    r"|premenstru|menopaus|postmenopaus|perimenopaus|female|wom[ae]n|broad ligament)"
)
MALE = re.compile(
    r"\b(prostat|test[ie]|penis|penile|scrot|sperm|hematosperm|epididym|males?\b|m[ae]n\b|prepuc"
    r"|foreskin|phimosis|hydrocele|balan|orchi|vas deferens|seminal|ejacul|erectile|vasectom"
    r"|tunica vaginalis|hypospadia)"
)
# Titles with such a word that say nothing sure of the patient's own sex: intersex and
# karyotypes, an inherited risk, devices, screening of a parent, a pregnancy that may be the
# partner's, a plan for another person's pregnancy.
OPEN = ("Q56", "Q96", "Z15", "Y76", "Z1332", "Z317", "Z3182", "Z3183", "Z640")


@cache
def rows() -> dict[str, tuple[tuple[str, str, frozenset[str]], ...]]:
    """(from, to, edits) of each code that has rows, by stem."""
    found: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
    with gzip.open(DATA / "icd10cm_edits.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            edits = frozenset(e for e in row["edits"].split("|") if e)
            found.setdefault(plain(row["code"]), []).append((row["from"], row["to"], edits))
    return {code: tuple(sorted(periods, key=lambda p: p[:2])) for code, periods in found.items()}


@cache
def status(stem: str, on: str) -> str:
    """valid, incomplete, retired, future or unknown."""
    periods = rows().get(stem, ())
    if any(start <= on <= end for start, end, _ in periods):
        return "valid"
    if not periods:
        if stem in complete_codes():
            return "valid"
        return "incomplete" if could_be_completed(stem) else "unknown"
    if any(end < on for _, end, _ in periods):
        return "retired"
    return "future"


@cache
def edits(stem: str, on: str) -> frozenset[str]:
    return frozenset(
        edit for start, end, found in rows().get(stem, ()) if start <= on <= end for edit in found
    )


@cache
def sex_meant(stem: str) -> str | None:
    """The sex that a code's meaning demands: pregnancy and birth always, else only where the
    code editor once had a sex edit and a title at or above the code says so."""
    if stem.startswith("O"):
        return "female"
    once = {e for _, _, found in rows().get(stem, ()) for e in found} & {"female", "male"}
    if len(once) != 1 or stem not in complete_codes() or stem.startswith(OPEN):
        return None
    sex = once.pop()
    pattern = FEMALE if sex == "female" else MALE
    titles = (entry.title.casefold() for entry in complete_codes()[stem].entry.line())
    return sex if any(pattern.search(title) for title in titles) else None


@cache
def _ages() -> dict[str, tuple[int, int]]:
    with (DATA / "age_meaning.csv").open(encoding="utf-8", newline="") as file:
        return {
            plain(row["code"]): (int(row["min_years"]), int(row["max_years"]))
            for row in csv.DictReader(file)
        }


@cache
def age_meant(stem: str) -> tuple[int, int] | None:
    for n in range(len(stem), 2, -1):
        if stem[:n] in _ages():
            return _ages()[stem[:n]]
    return None


@cache
def years(birth: str, on: str) -> int:
    """Whole years of life on a date."""
    born, day = date.fromisoformat(birth), date.fromisoformat(on)
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def days(birth: str, on: str) -> int:
    return (date.fromisoformat(on) - date.fromisoformat(birth)).days
