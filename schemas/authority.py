"""Constructors of ``Authority``: one wording for each source that a finding can stand on.

Whoever makes a finding and whoever checks it build the authority here, so that the two
texts agree letter by letter. ``edition`` names the release, fiscal year or quarter that the
figures at hand come from; it never says that an edit is current.
"""

from __future__ import annotations

from dataclasses import dataclass

from .case import Authority

ICD10CM_EDITION = "ICD-10-CM April 2026"
GUIDELINES_EDITION = "ICD-10-CM Guidelines FY 2026"
NCCI_EDITION = "NCCI 2024Q3"
# The dated table of Medicare Code Editor rows that ships with casegen ends on that day.
MCE_EDITION = "MCE, dated rows 2015-10-01 to 2027-03-31"
# The same table holds the dates on which ICD-10-CM codes began and ended.
DATES_EDITION = "ICD-10-CM validity dates, 2015-10-01 to 2027-03-31"
FORM_EDITION = "form of CPT (five characters) and HCPCS (a letter and four digits) codes"
SERVICE_EDITION = "casegen service list (NCCI 2024Q3)"


@dataclass(frozen=True, slots=True)
class Editions:
    """What findings cite for each kind of table."""

    icd10cm: str
    mce: str
    dates: str
    ncci: str
    mue: str


BUNDLED = Editions(ICD10CM_EDITION, MCE_EDITION, DATES_EDITION, NCCI_EDITION, NCCI_EDITION)


def cited(authority: Authority, editions: Editions) -> Authority:
    """The authority with the edition of the tables in use in place of the bundled one. Add-on
    codes, the service list and the guidelines are always those that come with casegen."""
    told = authority.edition
    if told == NCCI_EDITION:
        if authority.reference.startswith("MUE of "):
            told = editions.mue
        elif not authority.reference.startswith("add-on code "):
            told = editions.ncci
    else:
        told = {
            ICD10CM_EDITION: editions.icd10cm,
            MCE_EDITION: editions.mce,
            DATES_EDITION: editions.dates,
        }.get(told, told)
    return Authority(authority.source, authority.reference, told)


# Sections of the ICD-10-CM Official Guidelines that findings rest on, in our own words.
SECTIONS: dict[str, str] = {
    "I.A.4": "placeholder character X",
    "I.A.5": "seventh characters",
    "I.A.9.b": "unspecified codes",
    "I.A.12.a": "Excludes1 notes",
    "I.A.12.b": "Excludes2 notes",
    "I.A.13": "etiology before manifestation",
    "I.A.15": "conditions linked by the word with",
    "I.A.17": "code also notes",
    "I.A.19": "the provider's statement decides",
    "I.B.2": "level of detail in coding",
    "I.B.12": "one report of each diagnosis code",
    "I.B.13": "laterality",
    "I.B.18": "specific codes where the record supports them",
    "I.C.4.a": "diabetes mellitus",
    "I.C.9.a": "hypertension with heart or kidney disease",
    "I.C.13.c": "pathological fractures",
    "I.C.15": "pregnancy, childbirth and the puerperium",
    "I.C.16": "newborn",
    "I.C.19.a": "seventh characters of injuries",
    "I.C.19.c": "traumatic fractures",
    "I.C.20.a.6": "external causes are never first",
    "I.C.20.a.2": "seventh characters of external causes",
    "I.C.21.c.13": "routine and administrative examinations",
}

# Section by kind of a specificity finding; where a chapter has its own rule, see below.
_SPECIFICITY = {
    "incomplete": "I.B.2",
    "phase": "I.A.5",
    "healing": "I.A.5",
    "fracture_type": "I.A.5",
    "laterality": "I.B.13",
    "unspecified": "I.B.18",
    "detail": "I.B.2",
}


def tabular_excludes1(stands_on: str, note: str) -> Authority:
    """The Excludes1 note ``note`` that stands on a code, block or chapter."""
    return Authority("tabular", f'Excludes1 note at {stands_on}: "{note}"', ICD10CM_EDITION)


def tabular_excludes2(stands_on: str, note: str) -> Authority:
    """The Excludes2 note ``note``: both codes may stand side by side."""
    return Authority("tabular", f'Excludes2 note at {stands_on}: "{note}"', ICD10CM_EDITION)


def tabular_note(kind: str, stands_on: str, note: str) -> Authority:
    """Any other tabular note; ``kind`` as the tables name it (``code_also``, ...)."""
    words = kind.replace("_", " ")
    return Authority("tabular", f'{words} note at {stands_on}: "{note}"', ICD10CM_EDITION)


def guideline(section: str) -> Authority:
    """A section of the official guidelines, such as ``I.B.13``."""
    topic = SECTIONS.get(section)
    place = f"section {section}" if topic is None else f"section {section}, {topic}"
    return Authority("guideline", place, GUIDELINES_EDITION)


def specificity(kind: str, chapter: int, right: str = "", *, side: bool = False) -> Authority:
    """The guideline behind a specificity finding.

    ``kind`` is the finding's kind; ``chapter`` that of the right code (of the claimed one
    where there is no right code). ``side`` tells that what is left open is a side (I.B.13).
    Chapters 13, 19 and 20 have seventh-character rules of
    their own (guidelines I.C.13.c, I.C.19.a and I.C.19.c, I.C.20.a.2).
    """
    section = _SPECIFICITY["laterality" if side else kind] if kind in _SPECIFICITY else "I.B.2"
    if kind == "unspecified" and right.endswith(".22") and "E08" <= right[:3] <= "E13":
        # The record need not link the two: the classification presumes it.
        section = "I.A.15"
    elif kind in ("unspecified", "detail") and right[:3] in ("I11", "I12", "I13"):
        # Hypertension with heart or kidney disease has rules of its own, by stage of the kidney.
        section = "I.C.9.a"
    if section == "I.A.5":
        if chapter == 19:
            section = "I.C.19.a" if kind == "phase" else "I.C.19.c"
        elif chapter == 20:
            section = "I.C.20.a.2"
        elif chapter == 13:
            section = "I.C.13.c"
    return guideline(section)


def ncci_pair(column1: str, column2: str, indicator: int) -> Authority:
    """A procedure-to-procedure pair of the practitioner table, with its modifier indicator."""
    return Authority(
        "ncci",
        f"practitioner pair, column 1 {column1}, column 2 {column2}, indicator {indicator}",
        NCCI_EDITION,
    )


def ncci_pair_deleted(column1: str, column2: str, deleted: str) -> Authority:
    """A pair that was deleted on the ISO date ``deleted`` and binds no later service."""
    return Authority(
        "ncci",
        f"practitioner pair, column 1 {column1}, column 2 {column2}, deleted {deleted}",
        NCCI_EDITION,
    )


def ncci_no_pair(code1: str, code2: str) -> Authority:
    """Two services that form no pair in either direction."""
    return Authority("ncci", f"no practitioner pair of {code1} and {code2}", NCCI_EDITION)


def mue(code: str, units: int) -> Authority:
    """The medically unlikely edit: at most ``units`` a day."""
    return Authority("ncci", f"MUE of {code}: {units} a day", NCCI_EDITION)


def add_on(code: str) -> Authority:
    """An add-on code, to be billed only beside one of its primary services."""
    return Authority("ncci", f"add-on code {code}", NCCI_EDITION)


def mce_age(group: str, lo: int, hi: int) -> Authority:
    """An age group of the Medicare Code Editor, in whole years, both ends included."""
    years = f"age {lo}" if lo == hi else f"ages {lo} to {hi}"
    return Authority("mce", f"age conflict edit, {group} diagnosis, {years}", MCE_EDITION)


def mce_sex(sex: str) -> Authority:
    """A sex edit of the Medicare Code Editor; those edits ended on 2024-09-30."""
    return Authority("mce", f"sex conflict edit, {sex} diagnosis, ended 2024-09-30", MCE_EDITION)


def code_set(system: str, why: str) -> Authority:
    """The code set itself; ``why`` says what it knows of the code."""
    edition = ICD10CM_EDITION if system == "ICD-10-CM" else SERVICE_EDITION
    return Authority("code_set", f"{system}: {why}", edition)


def meaning(code: str, words: str, system: str = "ICD-10-CM") -> Authority:
    """What a code means by its own title or a title above it."""
    edition = ICD10CM_EDITION if system == "ICD-10-CM" else SERVICE_EDITION
    return Authority("meaning", words if words.startswith(code) else f"{code}: {words}", edition)


def code_valid(system: str, code: str) -> Authority:
    """``code`` stands in the code set on the date of service."""
    return code_set(system, f"{code} is valid")


def code_retired(system: str, code: str, last_day: str) -> Authority:
    """``code`` was valid up to and including the ISO date ``last_day``."""
    return Authority("code_set", f"{system}: {code} was valid to {last_day}", DATES_EDITION)


def service_retired(system: str, code: str, ended_on: str) -> Authority:
    """``code`` of CPT or HCPCS is no longer valid from the ISO date ``ended_on`` on."""
    return code_set(system, f"{code} is no longer valid from {ended_on} on")


def code_not_yet_valid(system: str, code: str, first_day: str) -> Authority:
    """``code`` becomes valid on the ISO date ``first_day``."""
    return Authority("code_set", f"{system}: {code} is valid from {first_day}", DATES_EDITION)


def code_unknown(system: str, code: str) -> Authority:
    """``code`` stands in no release of ICD-10-CM, or has no form that CPT or HCPCS codes have."""
    if system == "ICD-10-CM":
        return code_set(system, f"no code {code}")
    return Authority("code_set", f"{system}: {code} has not the form of a code", FORM_EDITION)


def code_of_other_system(system: str, code: str, other: str) -> Authority:
    """``code`` was claimed as one of ``system`` and belongs to ``other``."""
    shown = code if other == "ICD-10-CM" else code.replace(".", "")
    return code_set(system, f"no code {shown}; it is a code of {other}")
