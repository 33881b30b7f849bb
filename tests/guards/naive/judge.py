"""Judges a case from claim, patient, encounter, record and answers alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from casegen.schemas import Case, ClaimLine, Finding

from .dates import GROUPS, age_meant, days, edits, sex_meant, status, years
from .excludes import conflict
from .record import Record, read_record
from .services import BYPASS, SHAPE, pair, retired, services
from .tabular import complete_codes, dotted, entries, plain

# error type, line, code, related code, action, replacement
Key = tuple[str, int, str, str | None, str, str | None]


def key_of(finding: Finding) -> Key:
    """What two accounts of one finding must share."""
    mend = finding.correction
    return (
        finding.error_type,
        finding.line,
        finding.code,
        finding.related_code,
        mend.action,
        mend.replacement,
    )


# Z00.110 "under 8 days old", Z00.111 "8 to 28 days old".
DAYS = {"Z00110": (0, 7), "Z00111": (8, 28)}


@dataclass
class Work:
    case: Case
    record: Record
    on: str
    found: set[Key] = field(default_factory=set)
    spent: set[str] = field(default_factory=set)
    # Lines whose code gives way to another one.
    replaced: set[int] = field(default_factory=set)

    def awaited(self, icd: bool) -> list[str]:
        """Expected codes on no line and in no correction, in the order of the record."""
        billed = {plain(line.code) for line in self.case.claim if is_icd(line) == icd}
        pool = self.record.diagnoses if icd else self.record.services
        return [code for code in pool if code not in billed and code not in self.spent]

    def add(
        self,
        error: str,
        line: ClaimLine,
        related: str | None = None,
        action: str = "remove",
        put: str | None = None,
    ) -> None:
        self.found.add((error, line.line, line.code, related, action, put))

    def shown(self, code: str) -> str:
        return dotted(code) if code in self.record.diagnoses else code

    def hand_out(self, error: str, wanted: list[tuple[ClaimLine, list[str]]]) -> set[int]:
        """Give the lines their replacements, the nearest pair first, each code once; return
        the lines that got one."""
        served: set[int] = set()
        while True:
            open_pairs = [
                (nearness(plain(line.code), code), order, line.line, line, code)
                for line, codes in wanted
                for order, code in enumerate(codes)
                if line.line not in served and code not in self.spent
            ]
            if not open_pairs:
                return served
            *_, line, code = min(open_pairs, key=lambda pair: pair[:3])
            self.spent.add(code)
            self.replaced.add(line.line)
            served.add(line.line)
            self.add(error, line, action="replace", put=self.shown(code))

    def replace_or_remove(self, error: str, wanted: list[tuple[ClaimLine, list[str]]]) -> None:
        served = self.hand_out(error, wanted)
        for line, _ in wanted:
            if line.line not in served:
                self.add(error, line)


def is_icd(line: ClaimLine) -> bool:
    return line.system == "ICD-10-CM"


def shared(a: str, b: str) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def distance(a: str, b: str) -> int:
    """Levenshtein's edit distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def nearness(code: str, candidate: str) -> tuple[int, int]:
    """Longest common beginning, then smallest edit distance; the nearest comes first."""
    return -shared(code, candidate), distance(code, candidate)


def judge(case: Case) -> set[Key]:
    """The findings of a case as keys."""
    work = Work(case, read_record(case), case.encounter.service_date)
    diagnoses = [line for line in case.claim if is_icd(line)]
    procedures = [line for line in case.claim if not is_icd(line)]
    state = {line.line: status(plain(line.code), work.on) for line in diagnoses}
    valid = [line for line in diagnoses if state[line.line] == "valid"]
    known = [line for line in procedures if _listed(line)]

    short = [line for line in diagnoses if state[line.line] == "incomplete"]
    work.replace_or_remove("specificity_error", [(line, _longer(work, line)) for line in short])
    misfits = [line for line in sorted(valid + known, key=_number) if _misfit(work, line)]
    for line in misfits:
        work.replace_or_remove("demographic_mismatch", [(line, _akin(work, line))])
    specific = _specific(work, valid)
    unknown = [
        line
        for line in case.claim
        if (is_icd(line) and state[line.line] not in ("valid", "incomplete"))
        or (not is_icd(line) and line not in known and not _unlisted(line, work.on))
    ]
    work.replace_or_remove(
        "untraceable_code", [(line, work.awaited(is_icd(line))) for line in unknown]
    )
    for a, b in combinations(valid, 2):
        _excludes1(work, a, b, specific)
    if case.encounter.claim_type == "professional":
        for a, b in combinations(known, 2):
            _ncci(work, a, b)
    return work.found


def _number(line: ClaimLine) -> int:
    return line.line


def _longer(work: Work, line: ClaimLine) -> list[str]:
    """Awaited codes that an incomplete one grows into, by more characters or placeholders."""
    stem = plain(line.code)
    filled = stem[:-1].ljust(6, "X")
    return [
        code
        for code in work.awaited(True)
        if code.startswith(stem) or (len(code) == 7 and code[:6] == filled)
    ]


def _listed(line: ClaimLine) -> bool:
    one = services().get(plain(line.code))
    return one is not None and one.system == line.system


def _unlisted(line: ClaimLine, on: str) -> bool:
    """A service code that may well exist though our list doesn't hold it. One of the other
    system doesn't: CPT codes begin with a digit, HCPCS codes with a letter."""
    code = plain(line.code)
    if code in services() or (line.system == "CPT") != code[0].isdigit():
        return False
    if retired(code, on) or code in complete_codes() or code in entries():
        return False
    return SHAPE.fullmatch(code) is not None


def _misfit(work: Work, line: ClaimLine) -> bool:
    """Whether a code contradicts the patient's sex or age, and the record states that one."""
    code = plain(line.code)
    patient = work.case.patient
    sex = sex_meant(code) if is_icd(line) else services()[code].sex
    if sex is not None and sex != patient.sex:
        return patient.sex in work.record.stated("sex")
    wrong = _age_wrong(work.case, line) or (is_icd(line) and _days_wrong(work, code))
    return wrong and _age_stated(work)


def _akin(work: Work, line: ClaimLine) -> list[str]:
    """Awaited codes of the same ICD-10-CM category or of the same kind of service."""
    code = plain(line.code)
    if is_icd(line):
        return [c for c in work.awaited(True) if c[:3] == code[:3]]
    kind = services()[code].category
    return [c for c in work.awaited(False) if services()[c].category == kind]


def _age_wrong(case: Case, line: ClaimLine) -> bool:
    code = plain(line.code)
    encounter = case.encounter
    on = encounter.service_date
    spans: list[tuple[int, int]] = []
    if not is_icd(line):
        age = services()[code].age
        spans = [age] if age else []
    elif encounter.setting == "inpatient" and encounter.claim_type == "facility":
        spans = [GROUPS[edit] for edit in edits(code, on) if edit in GROUPS]
        on = encounter.admission_date or on
    else:
        meant = age_meant(code)
        spans = [meant] if meant else []
    old = years(case.patient.birth_date, on)
    return any(not low <= old <= high for low, high in spans)


def _days_wrong(work: Work, code: str) -> bool:
    """The titles of two examinations count the days of a newborn."""
    if code not in DAYS:
        return False
    encounter = work.case.encounter
    birth = work.case.patient.birth_date
    low, high = DAYS[code]
    last = days(birth, encounter.service_date)
    first = days(birth, encounter.admission_date or encounter.service_date)
    return last < low or first > high


def _age_stated(work: Work) -> bool:
    birth = work.case.patient.birth_date
    encounter = work.case.encounter
    for on in (encounter.service_date, encounter.admission_date or encounter.service_date):
        told = {str(years(birth, on)), f"{days(birth, on)} d"}
        if told & set(work.record.stated("age")):
            return True
    return False


def _specific(work: Work, valid: list[ClaimLine]) -> set[int]:
    """Lines that aren't supported while another code of their category is awaited."""
    wanted = [
        (line, _akin(work, line))
        for line in valid
        if plain(line.code) not in work.record.diagnoses
        and plain(line.code) not in work.record.possible
        and line.line not in work.replaced
    ]
    return work.hand_out("specificity_error", wanted)


def _excludes1(work: Work, a: ClaimLine, b: ClaimLine, specific: set[int]) -> None:
    expected = work.record.diagnoses
    supported = [line for line in (a, b) if plain(line.code) in expected]
    if len(supported) != 1:
        return
    right = supported[0]
    wrong = b if right is a else a
    if wrong.line in specific or conflict(plain(a.code), plain(b.code)) is None:
        return
    work.add("excludes1_conflict", wrong, right.code)


def _ncci(work: Work, a: ClaimLine, b: ClaimLine) -> None:
    edit = pair(plain(a.code), plain(b.code), work.on)
    if edit is None:
        return
    one, two = (a, b) if plain(a.code) == edit.column1 else (b, a)
    if edit.indicator == "0":
        work.add("ncci_edit", two, one.code)
        return
    visit = services()[edit.column2].visit
    passes = any(
        modifier in BYPASS or (modifier == "25" and services()[plain(line.code)].visit)
        for line in (a, b)
        for modifier in line.modifiers
    )
    apart = work.record.tied(edit.column1, edit.column2, "separate", "separate_problem")
    if apart and not passes:
        work.add("ncci_edit", two, one.code, "add_modifier", "25" if visit else "59")
    elif not apart:
        work.add("ncci_edit", two, one.code)
