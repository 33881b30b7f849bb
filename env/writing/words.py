"""Quotations, lists and authorities, as a sentence may hold them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from casegen.schemas import Authority

from .brackets import balanced

_LONGEST = 170  # characters of a quotation
# A form of address that a quotation ends with, its name cut off.
_ENDS = re.compile(r",? (?:Mr|Mrs|Ms)$")
_OWN_RULE = "rule of this task"
_NOTE_OF = re.compile(r"^(\S+) (Excludes[12]|Code also|Code first|Use additional code)$")


def cited(text: str | None) -> str | None:
    """Words fit to stand between quotation marks: a whole line or a part of it, not too long."""
    if text is None:
        return None
    part = max(text.partition("\n")[0].split('"'), key=len).strip().rstrip(".;,")
    part = _ENDS.sub("", part.removeprefix("- "))
    if len(part) > _LONGEST:
        part = part[:_LONGEST].rpartition(" ")[0].rstrip(".;,")
    return balanced(part) or None


def listed(items: Sequence[str]) -> str | None:
    """Items as a list in words."""
    if len(items) < 2:
        return items[0] if items else None
    return f"{', '.join(items[:-1])} and {items[-1]}"


def named(authority: Authority) -> str:
    """An authority by name, as a sentence may hold it."""
    reference, edition = authority.reference, authority.edition
    if authority.source == "guideline":
        section, _, topic = reference.removeprefix("section ").partition(", ")
        return f"guideline {section} on {topic}" if topic else f"guideline {section}"
    if reference.startswith(_OWN_RULE):
        return f"the {_OWN_RULE}"
    if authority.source == "tabular":
        head = _NOTE_OF.sub(r"\2 note at \1", reference.partition(": ")[0])
        return f"the {head}, {edition}"
    if authority.source == "ncci":
        return f"{edition}, {reference}"
    if authority.source == "mce":
        return f"the MCE {reference}"
    if authority.source == "meaning":
        return f"the meaning of {reference}, {edition}"
    return f"the code set, {edition.partition(',')[0]}"
