"""Turning the official wording of a code into phrases that a clinician would write.

Pure functions over text; the word lists come from ``data/tail_wording.yaml``. All work is
done once, while the tables are compiled. A phrase drops only what a coder adds (nonessential
modifiers in parentheses, "unspecified", "NOS", "not elsewhere classified": tabular list,
"Conventions", guideline section I.A.6, I.A.7 and I.A.9) and otherwise keeps every
distinguishing word, in clinical order: side first, then site, then what is wrong with it.
The side stands as the slot ``{side}``.
"""

from __future__ import annotations

import re

from .lexicon import Lexicon

_BRACKETS = re.compile(r"\s*[\[(][^\[\]()]*[\])]")
_LETTERS = re.compile(r"(?<=\w)\((\w{1,3}|-\w+)\)(?=\w|$| )(?<!\(s\))")  # "CR(E)ST"
_EITHER = re.compile(r" \((?:on|in|to)\) ?\((from|into)\) ?")  # "Fall (on) (from) stairs"
_ACRONYM = re.compile(r"((?:\S+ ){0,5}\S+) \[([A-Z][A-Za-z]{1,7})\]")
_SPACE = re.compile(r"\s+")
# "unspecified" in all the places where a title prints it (guideline I.A.9.b).
_AXIS = r"(?:parts?|sites?|portions?|areas?|(?:cell )?type|form|organism|degree|cause)"
_LATER = r"(?:part|site|organism|degree|type|form|location|trunk|area|depth|mechanism|etiology)"
_UNSPECIFIED = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (r" NOS or without\b", " without"),
        (r",? (?:most recent episode|organ involvement|valve|extent) unspecified\b", ""),
        (r",? (?:not otherwise specified|not elsewhere classified)\b", ""),
        (r",? \(?(?:NOS|NEC)\)?(?=$|[ ,;])", ""),
        (r",? (?:not (?:otherwise )?specified as|unspecified (?:as|whether)) [^,]+", ""),
        (r",? not (?:otherwise )?specified$", ""),
        (rf"\bunspecified {_AXIS}(?: of| in) (?:the )?(?=\w)", ""),
        (rf",? (?:of|in|by|at|with|due to) unspecified {_AXIS}\b", ""),
        (r",? unspecified(?= with )", ""),
        (rf",? unspecified {_LATER}(?=$|,)", ""),
        (rf",? (?:{_LATER}|lobe|episode) unspecified\b", ""),
        (r",? unspecified(?=$|,)", ""),
        (r"\bunspecified,? ", ""),
    )
)
# A phrase that lost its noun: "chronic due to radiation", "achromic with ... lesions".
_HEADLESS = re.compile(
    r"^(?:acute|chronic|subacute|achromic|other|others|unspecified|specified)"
    r"(?: (?:and|or) (?:acute|chronic|subacute|other|unspecified))? "
    r"(?:due to|with|without|in|of|from|following|at|by|to)\b"
)
_DANGLING = re.compile(
    r"(?:\b(?:due|with|without|of|and|or|the|most recent|for|than|involving|affecting|"
    r"following|(?:due|related|secondary) to)|[,;:(-])$"
)
_DANGLING_ENDS = tuple(
    "due with without of and or recent for than involving affecting following to , ; : ( -".split()
)
_OPEN = re.compile(r"\bunspecified\b")
_TWICE = re.compile(r"^bilateral .*, (?:bilateral|\{side\})$")
_SIDE = re.compile(r"\b(right|left)\b")
_COMMA_SIDE = re.compile(
    r"^(?P<base>.+?), (?P<side>right|left|bilateral)(?: (?P<region>[^,]+?))?"
    r"(?P<tail>(?:,| with | without | due to ).*)?$"
)
_PREPOSITION_SIDE = re.compile(
    r"^(?P<head>.+?) (?P<prep>of|in|to|at|on|from|affecting) (?:the )?(?P<side>right|left) "
    r"(?P<site>.+?)(?P<tail>(?:,| with | without | due to | at ).*)?$"
)
_LEADING_SIDE = re.compile(r"^(?P<side>right|left|bilateral) (?P<rest>.+)$")
_OF = re.compile(
    r"^(?P<head>.+?) of (?:the )?(?P<site>[^,]+?)(?P<tail>(?:,| with | without | due to ).*)?$"
)
_LAST_SITE = re.compile(r"^(?P<head>.+) (?P<prep>of|in) (?:the )?(?P<site>.+)$")
_MODIFIED = re.compile(r"^(?P<core>.+?)(?P<modifier> (?:with|without|due to|in|from) .+)$")
_PATTERN = re.compile(r"^(?:displaced|nondisplaced|comminuted|\d-part|torus|greenstick|closed)\b")
_LEVEL = re.compile(r"^(?P<site>.+?)(?P<tail> (?:at|with|without) .+)$")
_AREA = re.compile(
    r"\b(?:back|front|sites|parts?|side|surface|region|quadrant|lobe|wall|segment)\b"
)
_SEVERAL = re.compile(r",| (?:and|or|of) ")
_VAGUE_SITE = re.compile(r"\b(?:and|or|of|in|at|other|multiple|sites?|side|unilateral)\b")
_TRAILING = re.compile(
    r"^(?P<base>(?:(?! with | without )[^,])+), "
    r"(?P<word>acute|chronic|subacute|recurrent|mild|moderate|severe|intermittent|"
    r"persistent|primary|secondary|mature|complete|partial|complicated|"
    r"uncomplicated|simple|compound|generalized|localized|diffuse)$"
)
_LEADING = re.compile(
    r"^(?P<word>(?:acute|chronic|subacute|recurrent|mild|moderate|severe|idiopathic|hereditary|"
    r"congenital|acquired|generalized|localized|primary|allergic|infantile|juvenile|benign|malignant|"
    r"traumatic|spontaneous|persistent|intermittent|partial|complete)(?: (?:and|or) \w+)?) "
    r"(?P<rest>[^,]+)$"
)


def tidy(title: str, lex: Lexicon) -> str:
    """The title in lower case without coder's words: "Viral pneumonia, unspecified" ->
    "viral pneumonia". Text in parentheses is nonessential by convention; a synonym or an
    abbreviation in brackets is left out here (see ``acronym``)."""
    text = title
    if "(" in text:
        text = _LETTERS.sub(r"\1", _EITHER.sub(r" \1 ", text))
    while ("(" in text or "[" in text) and (shorter := _BRACKETS.sub("", text)) != text:
        text = shorter
    if "nspecified" in text or "not " in text or "NOS" in text or "NEC" in text:
        for pattern, new in _UNSPECIFIED:
            text = pattern.sub(new, text)
    text = decapitalised(_spaced(text), lex)
    return _spaced(lex.rewrites.rewritten(text))


def _spaced(text: str) -> str:
    return (_SPACE.sub(" ", text) if "  " in text else text).strip(" ,;")


def decapitalised(text: str, lex: Lexicon) -> str:
    """Lower case for words that aren't names: names are known, acronyms hold more capitals
    or digits, and an unknown first word with an apostrophe is an eponym."""
    known = lex.words
    words = text.split(" ")
    for place, word in enumerate(words):
        if word[:1].isupper():
            key = (word, place == 0)
            if key not in known:
                known[key] = _decapitalised(word, place == 0, lex)
            words[place] = known[key]
    return " ".join(words)


def _decapitalised(word: str, first: bool, lex: Lexicon) -> str:
    stem = re.split(r"['’/]", word.strip(",;:.'’"))[0]
    parts = stem.split("-")
    if any(part[1:] != part[1:].lower() or not part.isalpha() for part in parts if part):
        return word
    if (
        stem in lex.proper
        or parts[0] in lex.proper
        or (len(parts[0]) == 1 and not (first and stem == "A"))
    ):
        return word
    if first and re.search(r"['’]", word) and stem.lower() not in lex.common:
        return word
    return "-".join(
        part if part in lex.proper or (place and len(part) == 1) else part[:1].lower() + part[1:]
        for place, part in enumerate(word.split("-"))
    )


def acronym(title: str, lex: Lexicon) -> str | None:
    """The title with a phrase replaced by the abbreviation that follows it in brackets, if
    the initials fit: "Human papillomavirus [HPV] ..." -> "HPV ..."."""
    for match in _ACRONYM.finditer(title):
        short = match[2]
        words = match[1].split(" ")
        letters = [c.lower() for c in short if c.isalpha()]
        if (
            len(words) >= len(letters)
            and [w[:1].lower() for w in words[-len(letters) :]] == letters
        ):
            start = match.start() + len(" ".join(words[: -len(letters)]))
            return tidy(f"{title[:start]} {short}{title[match.end() :]}".strip(), lex)
    return None


def templates(title: str, lex: Lexicon, sided: bool) -> tuple[str, ...]:
    """1-4 phrases for an official wording, the best first; for a ``sided`` code with
    ``{side}`` in place of its side ("left" also is a word of other meaning). Empty where
    nothing sayable is left."""
    text = tidy(title, lex)
    if not text or ("unspecified" in text and _OPEN.search(text)):
        return ()
    if _HEADLESS.search(text) or _dangling(text):
        return ()
    found = _sided(text, lex) if sided and _has_side(text) else _unsided(text, lex)
    short = acronym(title, lex) if "[" in title else None
    if short and not (sided and _has_side(short)):
        found.insert(1, short)
    if sided:
        # A title may print its side twice ("right ankle and joints of right foot").
        found = [_SIDE.sub("{side}", name) for name in found]
    plain = [
        name
        for name in dict.fromkeys(map(_spaced, found))
        if not _dangling(name) and not _TWICE.search(name)
    ]
    if not plain:
        return ()
    for pairs in (lex.exchanges, lex.short):
        changed = pairs.rewritten(plain[0])
        if changed != plain[0]:
            plain.append(changed.replace("the the ", "the "))
    return tuple(dict.fromkeys(plain))[:4]


def _dangling(text: str) -> bool:
    # Nearly all texts end otherwise, and a look at the end costs less than a search.
    return text.endswith(_DANGLING_ENDS) and _DANGLING.search(text) is not None


def _has_side(text: str) -> bool:
    if "right" not in text and "left" not in text:
        return ", bilateral" in text or text.startswith("bilateral ")
    return bool(_SIDE.search(text)) or ", bilateral" in text


def _sided(text: str, lex: Lexicon) -> list[str]:
    match = _COMMA_SIDE.match(text)
    if match:
        base, region, tail = match["base"], match["region"] or "", match["tail"] or ""
        side = "{side}"
        if match["side"] == "bilateral" and base.startswith(("presence", "acquired absence")):
            return [f"{base}, {side}{tail}"]
        if match["side"] == "bilateral" and not region:
            return [f"{side} {base}{tail}", f"{base}, {side}{tail}"]
        if not region or implied(base, region, lex):
            return _folded(base, tail, lex)
        if _SIDE.search(base):
            return [_slot(text, match["side"])]
        if match["side"] == "bilateral":
            return [f"{base} of both {region}{tail}", f"{base}, bilateral {region}{tail}"]
        names = [f"{base} of the {side} {region}{tail}", f"{base}, {side} {region}{tail}"]
        if len(base.split()) <= 4 and " of " not in base and " in " not in base:
            names.insert(0, f"{side} {region} {base}{tail}")
        return names
    match = _PREPOSITION_SIDE.match(text)
    if match and not _SIDE.search(match["head"]):
        return _placed(match["head"], match["prep"], match["site"], match["tail"] or "", lex)
    match = _LEADING_SIDE.match(text)
    if match:
        return [f"{{side}} {match['rest']}"]
    side_match = _SIDE.search(text)
    return [_slot(text, side_match[1])] if side_match else [text]


def _slot(text: str, side: str) -> str:
    return re.sub(rf"\b{side}\b", "{side}", text)


def _folded(base: str, tail: str, lex: Lexicon) -> list[str]:
    """The side of a comma phrase put where it belongs: before the last site."""
    match = _LAST_SITE.match(base)
    if match:
        site = match["site"]
        level = _LEVEL.match(site)
        if level:
            site, tail = level["site"], level["tail"] + tail
        return _placed(match["head"], match["prep"], site, tail, lex)
    return [f"{{side}} {base}{tail}", f"{base}, {{side}}{tail}"]


def implied(base: str, region: str, lex: Lexicon) -> bool:
    """Does the text name a site that lies in the region anyway ("shaft of humerus", "arm")?"""
    if region == "side":
        return True
    text = f" {base}"
    return any(f" {word}" in text for word in lex.implied.get(region, (region,)))


def _placed(head: str, prep: str, site: str, tail: str, lex: Lexicon) -> list[str]:
    """Names for "HEAD PREP {side} SITE TAIL"."""
    spoken = f"{{side}} {site}"
    if " of " in head and prep == "of":
        front, _, part = head.rpartition(" of ")
        part = part.removeprefix("the ")
        pattern = lex.parts.get(part)
        if pattern and site in lex.adjectives:
            spoken = "{side} " + pattern.format(adj=lex.adjectives[site], bone=site)
            head = front
        elif part == "multiple sites" and _noun(front, lex):
            return [
                f"{_joined(front, spoken, '', lex)}, multiple sites{tail}",
                f"{front} at multiple sites of the {spoken}{tail}",
            ]
        elif _AREA.search(part) or not _noun(front, lex):
            return [f"{head} of the {spoken}{tail}", f"{head}, {spoken}{tail}"]
        elif len(part.split()) <= 4 and "," not in part:
            spoken = f"{{side}} {site} {part}"
            return [
                _joined(front, spoken, tail, lex),
                f"{front} of the {{side}} {site} {part}{tail}",
                _listed(front, spoken, tail, lex),
            ]
    names = []
    if prep in ("of", "in", "to", "at") and _noun(head, lex) and "," not in site:
        names.append(_joined(head, spoken, tail, lex))
        names.append(f"{head} {prep} the {spoken}{tail}")
        names.append(_listed(head, spoken, tail, lex))
    else:
        names.append(f"{head} {prep} the {spoken}{tail}")
        if prep == "of" and head != "presence":
            names.append(f"{head}, {spoken}{tail}")
    return names


def _noun(head: str, lex: Lexicon) -> bool:
    match = _MODIFIED.match(head)
    core = match["core"] if match else head
    return core.rpartition(" ")[2] in lex.nouns and not _SEVERAL.search(core)


def _cut(head: str, lex: Lexicon) -> tuple[str, str, str]:
    """A head in its parts: "displaced fracture with x" -> ("displaced", "fracture", " with x").
    Compounds ("puncture wound") stay together."""
    match = _MODIFIED.match(head)
    core, modifier = (match["core"], match["modifier"]) if match else (head, "")
    for compound in lex.compounds:
        if core == compound or core.endswith(" " + compound):
            return core[: -len(compound)].strip(), compound, modifier
    adjectives, _, noun = core.rpartition(" ")
    return adjectives, noun, modifier


def _joined(head: str, site: str, tail: str, lex: Lexicon) -> str:
    """ "displaced transverse fracture" + "{side} femoral shaft" -> "displaced transverse {side}
    femoral shaft fracture"; only the pattern of a fracture goes before its side."""
    adjectives, noun, modifier = _cut(head, lex)
    comma = "," if modifier and tail.startswith(" with") else ""
    if noun.startswith("fracture") and _PATTERN.match(adjectives):
        return f"{adjectives} {site} {noun}{modifier}{comma}{tail}"
    return f"{site} {adjectives} {noun}{modifier}{comma}{tail}"


def _listed(head: str, site: str, tail: str, lex: Lexicon) -> str:
    """The form of a problem list: "{side} femoral shaft fracture, displaced transverse"."""
    adjectives, noun, modifier = _cut(head, lex)
    middle = f", {adjectives}" if adjectives else ""
    if modifier:
        middle += f",{modifier}" if adjectives else modifier
    comma = "," if tail.startswith(" ") and (modifier or adjectives) else ""
    return f"{site} {noun}{middle}{comma}{tail}"


def _unsided(text: str, lex: Lexicon) -> list[str]:
    names = []
    match = _TRAILING.match(text) if ", " in text else None
    if match:
        return [f"{match['word']} {match['base']}", text]
    match = _OF.match(text) if " of " in text else None
    if match and not match["tail"] and _noun(match["head"], lex):
        site = match["site"]
        if len(site.split()) <= 3 and not _VAGUE_SITE.search(site):
            names.append(_joined(match["head"], site, "", lex).strip())
            names.append(f"{match['head']} of the {site}" if site[:1].islower() else text)
            return names
    names.append(text)
    match = _LEADING.match(text)
    if match and not re.search(r"\b(with|without|due|of|in)\b", match["rest"]):
        names.append(f"{match['rest']}, {match['word']}")
    return names
