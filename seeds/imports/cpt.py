"""Reads the CPT descriptors of a user who has a licence for them.

Text of the AMA (LONGULT.txt and its kin): a preamble, then code and descriptor, kept apart by a
tab. A comma-separated file will do as well. They are shown, and never enter a case.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from hashlib import sha256

from .model import Refusals, Taken
from .source import Member, members, sources_of, text_of

ENDINGS = (".txt", ".csv", ".tsv")
_CODE = re.compile(r"[0-9]{4}[0-9A-Z]|[A-Z][0-9]{4}")
# What stands before a tab and has digits enough to be meant as a code.
_NEARLY = re.compile(r"(?=(?:.*[0-9]){3})[0-9A-Z]{4,6}")
_MOST_PREAMBLE = 200  # lines
_MOST_TEXT = 2000  # characters of a descriptor


def read(paths: Sequence[str]) -> Taken:
    """The descriptors of all files. Raises InputError."""
    refusals = Refusals()
    texts: dict[str, str] = {}
    for member in members(paths, ENDINGS):
        before = len(texts)
        _enter(member, texts, refusals)
        if len(texts) == before:
            mend = "holds no CPT code with a descriptor behind a tab or comma"
            raise refusals.error("file", member.name, mend, member.shown)
    listed = json.dumps(dict(sorted(texts.items())), ensure_ascii=False).encode()
    counts = {"codes": len(texts), "refused": refusals.count}
    return Taken(
        "cpt", "CPT descriptors as imported", "", sha256(listed).hexdigest(), counts,
        sources_of(paths), {"texts": ("json", listed)}, "cpt", {}, refusals,
    )  # fmt: skip


def _enter(member: Member, texts: dict[str, str], refusals: Refusals) -> None:
    preamble = True
    for number, line in enumerate(text_of(member).splitlines(), 1):
        if not line.strip():
            continue
        code, text = _fields(line)
        if not _CODE.fullmatch(code) or not text:
            if not preamble or ("\t" in line and _NEARLY.fullmatch(code)):
                refusals.add(member.shown, number, "no code and descriptor")
            elif number > _MOST_PREAMBLE:
                return
            continue
        preamble = False
        if len(text) > _MOST_TEXT:
            refusals.add(member.shown, number, f"more than {_MOST_TEXT} characters")
        elif texts.setdefault(code, text) != text:
            refusals.add(member.shown, number, f"{code} had another descriptor before")


def _fields(line: str) -> tuple[str, str]:
    """Code and descriptor of a line; empty texts where there are none."""
    if "\t" in line:
        parts = line.split("\t")
    else:
        try:
            parts = next(csv.reader([line]))
        except (csv.Error, StopIteration):
            return "", ""
    code = parts[0].strip().upper()
    return code, " ".join(" ".join(parts[1:]).split())
