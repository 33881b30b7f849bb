"""Which codes may stand in a clean claim as a right code of the long tail, and why others not.

The rules read titles and notes; what they can't tell stands with its source in
``data/tail_rules.yaml``. They err to one side: a code is left out where a careful coder could
ask for a second code, for another sequence, or for more detail. Such a code still enters
claims as an error.

Reasons: ``unspecified_side`` and ``trimester_unspecified`` (guideline I.B.13, I.C.15.a.3: the
chart knows it); ``other_without_term`` ("other ..." without an inclusion term that can be said,
I.A.9.a); ``unspecified_detail``, ``vague``, ``unspecified_only``, ``coder_only`` (no clinician
writes it); ``sequela_without_residual`` (I.B.10); ``seventh_unspecified`` (stage or fetus left
open); ``needs_another_code``, ``manifestation_without_partner`` (I.A.13, I.A.17);
``poisoning_or_drug_effect`` (I.C.19.e); ``ruled_by_guideline`` (assumed links and sequences);
``reason_for_encounter`` (I.C.21.c); ``delivery_or_puerperium`` (I.C.15); ``operative_context``,
``causes_of_another_complication`` (belong to an operation); ``abuse`` (I.C.19.f);
``self_harm``, ``death``, ``implausible_chart``, ``contradicts_note_filler`` (our judgement);
``not_resolvable`` (its wording names several codes); ``partner_only`` (weeks of gestation).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .lexicon import Pattern, Patterns
from .xml import Node

_MANIFESTATION = re.compile(r"classified elsewhere")
_OTHER = re.compile(r"\bother\b|\bothers\b|\bspecified\b(?! as)", re.IGNORECASE)
# "X and other Y" is said by X alone; both words lie in one code (guideline I.A.14).
_AND_OTHER = re.compile(
    r",? (?:and|or) other (?:specified )?"
    r"(?:(?:diseases|disorders|conditions|abnormalities|infections) (?:of|in) [^,]+?(?=,|$)|"
    r"[^,]+?(?=,| with | without | in | of | at | due to | to | from | on | causing |$))"
)
# ... and "X, Y and other Z" by X and Y.
_LISTED_OTHER = re.compile(r", ([\w -]+?),? (and|or) other [^,]+?(?=,|$)")
# A code-first note that binds only where its condition is met (guideline I.A.17 and I.B.7).
_CONDITIONAL = re.compile(
    r"if applicable|if known|if any|if present|\bany (?:associated|current|underlying|causal|"
    r"follow-up|routine|human|applicable)|when associated|, if |if the"
)
_UNUSABLE_TERM = (
    r"\bother\b|\bnec\b|specified|classif|\bany\b|\bconditions?\b|\bsee\b|\bsuch as\b|"
    r"\bwith or without\b|\bsequela|\bcode\b|\bmorph|\bassociated with\b|drug|\betc\b|"
    r"poisoning|newborn nos|\bliveborn\b|\binclud|diabet|alcohol|^healing |\(due to\)|\(with\)"
)
_LEFT = re.compile(r"\bleft\b")
_BRACKETS = re.compile(r"\s*[\[(][^\[\]()]*[\])]")
_SPECIFIC = re.compile(r"[A-Za-z]{4}")


class Rules:
    """The eligibility rules, ready for one tabular list.

    ``data`` is the parsed ``tail_rules.yaml``; ``sides`` maps sided stems to their side;
    ``flags`` maps full stems to all MCE edits that they ever had.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        nodes: Mapping[str, Node],
        sides: Mapping[str, str],
        flags: Mapping[str, frozenset[str]],
    ) -> None:
        self.data = data
        self.nodes = nodes
        self.sides = sides
        self.flags = flags
        self._excluded: dict[str, str | None] = {
            code: entry["why"] for entry in data["exclude"] for code in entry["codes"]
        }
        self._titles = [(why, tuple(exempt)) for why, _, *exempt in data["titles"]]
        self._title_patterns = Patterns(Pattern.read(row[1]) for row in data["titles"])
        self._title_reasons: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._free = frozenset(data["code_first_not_binding"])
        self._spoken = Patterns(Pattern.read(pattern, new) for pattern, new in data["spoken_other"])
        self._unsaid = frozenset(data["terms_not_said"])
        self._unusable = Patterns((Pattern.read(_UNUSABLE_TERM),))
        self._binding: dict[str, bool] = {}

    def why_not(self, stem: str, first_full: str) -> str | None:
        """The reason why a billable code can't be a right code of the tail, or None.

        ``stem`` is the leaf without seventh character, ``first_full`` one complete code of it
        (for its MCE edits). Whether words can be found is decided later.
        """
        listed = self._listed(stem)
        if listed:
            return listed
        if self.sides.get(stem) == "unspecified" or "unspecified" in self.flags.get(first_full, ()):
            return "unspecified_side"
        title = self.nodes[stem].title
        if _MANIFESTATION.search(title) and "not elsewhere classified" not in title:
            return "manifestation"
        if "manifestation" in self.flags.get(first_full, ()):
            return "manifestation"
        if self.must_follow(stem):
            return "needs_another_code"
        return self.title_reason(title, stem)

    def title_reason(self, title: str, stem: str) -> str | None:
        """The reason that the words of a title give, or None."""
        plain = title.lower()
        if "(" in plain or "[" in plain:
            plain = _BRACKETS.sub("", plain)
        if "left" in plain:
            plain = _LEFT.sub("right", plain)
        if plain not in self._title_reasons:
            text = plain.replace(", not elsewhere classified", "")
            text = text.replace("not elsewhere classified", "")
            self._title_reasons[plain] = [
                self._titles[place] for place in self._title_patterns.found(text)
            ]
        for why, exempt in self._title_reasons[plain]:
            if why == "site_unspecified" and stem in self.sides:
                continue
            if not stem.startswith(exempt):
                return "unspecified_detail" if why == "site_unspecified" else why
        return None

    def _listed(self, stem: str) -> str | None:
        """The reason of the longest listed code that the stem starts with."""
        if stem not in self._excluded:
            self._excluded[stem] = self._listed(stem[:-1]) if stem else None
        return self._excluded[stem]

    def must_follow(self, stem: str) -> bool:
        """Does an own or inherited code-first note bind in every case?"""
        found = self._binding.get(stem)
        if found is None:
            node = self.nodes[stem]
            found = self._binds(node) or (node.parent is not None and self.must_follow(node.parent))
            self._binding[stem] = found
        return found

    def _binds(self, node: Node) -> bool:
        if not node.code_first or node.stem in self._free:
            return False
        return not any(_CONDITIONAL.search(note) for note in node.code_first)

    def spoken_title(self, title: str) -> str | None:
        """The title as far as a clinician could say it, None for "other ..." that only a
        coder's eye can fill."""
        title = self._spoken.rewritten(title)
        if "ther" in title:
            title = _AND_OTHER.sub("", _LISTED_OTHER.sub(r" \2 \1", title))
        elif "specified" not in title:
            return title
        if _OTHER.search(title.replace("not otherwise specified", "")):
            return None
        return title

    def usable_term(self, term: str, stem: str) -> bool:
        """Is an inclusion term a statement that stands by itself in a note?"""
        return (
            term not in self._unsaid
            and self._usable(term)
            and self.title_reason(term, stem) is None
        )

    def _usable(self, term: str) -> bool:
        return (
            not term[0].islower()
            and term[1:2] != " "
            and ":" not in term
            and "(in)" not in term.lower()
            and not term.endswith(".")
            and len(term.split()) <= 12
            and bool(_SPECIFIC.search(term))
            and not self._unusable.found(term.lower())
        )
