"""What codes mean for sex and age, beyond the Medicare Code Editor.

Sex: a title names an organ of one sex, or pregnancy, AND the MCE once carried the sex edit for
every complete code below (they ended on 2024-09-30). Either alone misleads: "Family history
of malignant neoplasm of ovary" is no woman's code, and the MCE listed codes whose titles say
nothing of sex. Codes of chapter 15 describe the mother (guideline I.C.15.a.1).

Age: a short list in ``data/age_meaning.csv`` with a reason in each row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping

from casegen.schemas.errors import TableError

from .codes import stem
from .xml import Node

FEMALE, MALE = "female", "male"
_WORDS = {
    FEMALE: re.compile(
        r"\b(female|wom[ae]n|pregnan\w*|maternal|mother|ovar(?:y|ian|ies)|uter(?:us|ine|i)"
        r"|cervix|cervicitis|vagin\w+|vulv\w+|fallopian|endometri\w+|premenstru\w+|menstru\w+"
        r"|\w*menopaus\w+|childbirth|delivery|puerper\w+|obstetric\w*|lactati\w+|gestation\w*"
        r"|placent\w+|abortion|gynecological|oocyte|tubal ligation"
        r"|intrauterine\)? contraceptive)\b"
    ),
    MALE: re.compile(
        r"\b(male|prostat\w+|testi[cs]\w*|penis|penile|\w*scrot\w+|spermat\w+|hematospermia"
        r"|azoospermia|oligospermia|sperm|epididym\w+|prepuce|phimosis|balan(?:itis|o\w+)"
        r"|vas deferens|tunica vaginalis|hydrocele|orchi\w+|seminal|vasectomy|ejaculation"
        r"|erectile|priapism|hypospadias)\b"
    ),
}
# The edits of the codes below a node, as bits.
_BIT = {FEMALE: 1, MALE: 2}
_ANY_EDIT = 3
_NO_EDIT = 4
_ONE_EDIT = {bit: sex for sex, bit in _BIT.items()}
_RANGE = re.compile(r"\s*\([A-Z0-9]{3}(?:-[A-Z0-9]{3})?\)$")
_MOTHER = "chapter:15"
# The words and the old edit agree, yet the other sex may have the code: intersex conditions, a
# device that harmed a newborn boy, a mother's depression screened at the well-baby visit, risk
# that men carry as well, counseling of both partners.
_EITHER_SEX = ("Q56", "Y76", "Z1332", "Z150", "Z317", "Z640")


def find_sex(
    nodes: dict[str, Node], historic: Mapping[str, str], complete: Mapping[str, list[str]]
) -> dict[str, tuple[str, str]]:
    """``{stem: (sex, stem of the node whose title says so)}`` for all nodes that have one.

    ``historic``: the sex edit that a complete code ever had; ``complete``: the complete codes
    of each leaf.
    """
    edits: dict[str, int] = {}
    for name in reversed(nodes):
        node = nodes[name]
        found = 0
        if node.children:
            for child in node.children:
                found |= edits[child]
        else:
            for code in complete[name]:
                found |= _BIT[historic[code]] if code in historic else _NO_EDIT
        edits[name] = found
    said: dict[str, dict[str, str]] = {}
    result: dict[str, tuple[str, str]] = {}
    for name, node in nodes.items():
        said[name] = said.get(node.parent or "", {})
        if edits[name] & _ANY_EDIT or not node.parent:
            title = node.title.lower()
            own = {sex: name for sex, words in _WORDS.items() if words.search(title)}
            said[name] = {**said[name], **own}
        if name == _MOTHER or (node.parent and result.get(node.parent, ("", ""))[1] == _MOTHER):
            result[name] = (FEMALE, _MOTHER)
            continue
        sex = _ONE_EDIT.get(edits[name])
        if sex is not None and sex in said[name] and not name.startswith(_EITHER_SEX):
            result[name] = (sex, said[name][sex])
    return result


def says(node: Node) -> str:
    """How a node is cited: ``"N40.1, Benign prostatic hyperplasia with ..."``."""
    kind, _, name = node.stem.partition(":")
    if not name:
        return f"{kind[:3]}.{kind[3:]}, {node.title}" if len(kind) > 3 else f"{kind}, {node.title}"
    return f"{kind} {name}, {_RANGE.sub('', node.title)}"


def read_ages(
    text: str, nodes: Mapping[str, Node], where: str, *, strict: bool = True
) -> dict[str, tuple[int, int, str]]:
    """``{stem: (min_years, max_years, words)}`` from ``age_meaning.csv``.

    The words of each row must be the title of its code, so that a row can't outlive the
    release it was made for: where they aren't, it raises TableError, or for a list of another
    release (``strict`` false) leaves the row out.
    """
    found: dict[str, tuple[int, int, str]] = {}
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        name = stem(row["code"])
        node = nodes.get(name)
        if node is None or node.title != row["words"]:
            if not strict:
                continue
            title = node.title if node else "no such code"
            raise TableError(f"{where}, line {number}: {row['code']} is {title!r}")
        low, high = int(row["min_years"]), int(row["max_years"])
        if not 0 <= low <= high or not row["reason"]:
            raise TableError(f"{where}, line {number}: {row['code']}: bad range or no reason")
        found[name] = (low, high, says(node))
    return found


def historic_sexes(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """``{stem: sex}`` from pairs of stem and edits (``"female|maternity"``); a code that had
    both sexes at times has none."""
    found: dict[str, set[str]] = {}
    for name, edits in rows:
        found.setdefault(name, set()).update({FEMALE, MALE}.intersection(edits.split("|")))
    return {name: sexes.pop() for name, sexes in found.items() if len(sexes) == 1}
