"""How often: what a prescriber wrote as exact administrations in a number of days.

A text is read whole or not at all; nothing is guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

WEEK, MONTH = 7, 30


@dataclass(frozen=True, slots=True)
class Frequency:
    """From ``fewest`` to ``most`` administrations in ``days`` days. ``needed``: as needed, so
    there may be none. ``once``: one administration and no more. ``pieces``: how many tablets
    or the like a day at most, 0 where that is not told."""

    fewest: int
    most: int
    days: int
    needed: bool = False
    once: bool = False
    pieces: int = 0


_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
          "ten": 10, "twelve": 12, "once": 1, "twice": 2, "thrice": 3}  # fmt: skip
_N = r"(\d+|" + "|".join(_WORDS) + ")"
_TIMES = rf"(?:(once|twice|thrice)|{_N} ?(?:x|times?|doses?))"
_A_DAY = r"(?:daily|a day|per day|each day|every day|/ ?day|in 24 hours|in a day|every 24 hours)"
_A_WEEK = r"(?:weekly|a week|per week|each week|every week|/ ?week)"
_A_MONTH = r"(?:monthly|a month|per month|each month|every month)"
_DAYNAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_SHORT = {
    "daily": (1, 1), "qd": (1, 1), "od": (1, 1), "q1d": (1, 1), "every day": (1, 1),
    "each day": (1, 1), "per day": (1, 1), "a day": (1, 1), "bid": (2, 1), "tid": (3, 1),
    "qid": (4, 1), "qam": (1, 1), "qpm": (1, 1), "qhs": (1, 1), "hs": (1, 1), "nightly": (1, 1),
    "at bedtime": (1, 1), "at night": (1, 1), "every night": (1, 1), "every morning": (1, 1),
    "every evening": (1, 1), "in the morning": (1, 1), "in the evening": (1, 1),
    "each morning": (1, 1), "each evening": (1, 1), "at noon": (1, 1), "mornings": (1, 1),
    "with breakfast": (1, 1), "with dinner": (1, 1), "with the evening meal": (1, 1),
    "with supper": (1, 1), "morning and evening": (2, 1), "morning and night": (2, 1),
    "with breakfast and dinner": (2, 1), "in the morning and at bedtime": (2, 1),
    "before breakfast": (1, 1), "before breakfast and dinner": (2, 1),
    "before meals": (3, 1), "before each meal": (3, 1), "with each meal": (3, 1),
    "with meals": (3, 1), "ac": (3, 1), "before meals and at bedtime": (4, 1),
    "with meals and at bedtime": (4, 1), "every other day": (1, 2), "qod": (1, 2),
    "on alternate days": (1, 2), "weekly": (1, WEEK), "every week": (1, WEEK), "biw": (2, WEEK),
    "tiw": (3, WEEK), "every other week": (1, 2 * WEEK), "monthly": (1, MONTH),
    "every month": (1, MONTH), "once monthly": (1, MONTH),
}  # fmt: skip
# Said beside a frequency, and of no weight for how often.
_BESIDE = re.compile(
    r"(?: ?(?:,|;) ?| )(?:(?:at|in|on|with|before|after|without) (?:the )?(?:bedtime|night|"
    r"noon|morning|evening|evening meal|afternoon|meals?|each meal|food|breakfast|lunch|dinner|"
    r"supper|water|milk|an empty stomach|empty stomach)|by mouth|po|orally|apart|"
    rf"on {_DAYNAME}|as directed|qam|qpm|qhs|hs|nightly|"
    r"for (?:up to )?(?:\d+|one|two|three|four|five|six|seven|ten|fourteen) "
    r"(?:days?|weeks?|months?|doses)|x ?\d+ ?(?:d|days?|weeks?)|"
    r"(?:for|in) (?:the )?(?:pain|fever|nausea|vomiting|anxiety|sleep|insomnia|itching|cough|"
    r"wheezing|shortness of breath|headache|spasms?|muscle spasms?|migraine|allergies|"
    r"severe pain|moderate pain|moderate to severe pain|breakthrough pain|chest pain|diarrhea|"
    r"agitation|heartburn|constipation|rash))$"
)
_NEEDED = re.compile(r"(?: ?, ?| |^)(?:as needed|as required|when needed|if needed|prn)\b")
_AT_MOST = re.compile(
    r"(?: ?[,;(] ?| |^)(?:max(?:imum)?\.?(?: of)?|no more than|not more than|not to exceed|"
    rf"up to|at most) {_N}(?: ?(?P<what>x|times|doses?|tablets?|tabs?|capsules?|caps?|pills))?"
    rf" ?{_A_DAY}\)?"
)


def _count(text: str) -> int:
    return _WORDS.get(text) or int(text)


def _every(n: int, m: int, hours: int) -> Frequency | None:
    """Every ``n`` to ``m`` steps of so many hours."""
    low, high = sorted((n, m))
    if low == 0 or high * hours > 24 * 366:
        return None
    days, fewest, most = low * hours, 24, 24
    if low != high:  # the same number of days for both
        days, fewest, most = low * high * hours, 24 * low, 24 * high
    part = gcd(gcd(fewest, most), days)
    return Frequency(fewest // part, most // part, days // part)


_EVERY = re.compile(
    rf"(?:every|q) ?{_N}(?: ?(?:-|to|or) ?{_N})? ?(hours?|hrs?|h|days?|d|weeks?|wks?|months?)"
)
_PER = tuple(
    (re.compile(rf"{_TIMES}(?:(?: a| per|)? ?{unit})"), days)
    for unit, days in ((_A_DAY, 1), (_A_WEEK, WEEK), (_A_MONTH, MONTH))
)
_RANGE = re.compile(rf"{_N} ?(?:-|to|or) ?{_N} ?(?:x|times) ?{_A_DAY}")
_SPLIT = re.compile(rf"(?:divided )?in(?:to)? {_N} (?:equal(?:ly)? )?(?:divided )?doses")
_WEEKDAY = re.compile(rf"(?:every|each|on) {_DAYNAME}")


def _plain(text: str) -> str:
    text = text.casefold().replace("\u2013", "-").replace("\u00d7", "x")
    text = re.sub(r"\b([a-z])\.(?=[a-z]\.?)", r"\1", text)  # b.i.d. -> bid.
    text = re.sub(r"(?<=[a-z])\.(?=\s|,|$)", "", text)
    text = re.sub(
        r"^(?:(?:take|give|to be taken|divided|in divided doses|po|by mouth|orally) )+",
        "",
        " ".join(text.split()),
    )
    return text.strip(" ,;.")


def _base(text: str) -> Frequency | None:
    """A frequency without what may stand beside it."""
    if text in _SHORT:
        times, days = _SHORT[text]
        return Frequency(times, times, days)
    if text in ("once", "one time", "one time only", "single dose", "as a single dose", "now",
                "stat", "once only"):  # fmt: skip
        return Frequency(1, 1, 1, once=True)
    if match := _EVERY.fullmatch(text):
        step = match[3][0]
        if step in "hd":
            first = _count(match[1])
            last = _count(match[2]) if match[2] else first
            return _every(first, last, 1 if step == "h" else 24)
        if match[2]:
            return None
        return Frequency(1, 1, _count(match[1]) * (WEEK if step == "w" else MONTH))
    for pattern, days in _PER:
        if match := pattern.fullmatch(text):
            times = _count(match[1] or match[2])
            return Frequency(times, times, days) if times else None
    if match := _RANGE.fullmatch(text):
        low, high = sorted((_count(match[1]), _count(match[2])))
        return Frequency(low, high, 1)
    if match := _SPLIT.fullmatch(text):
        times = _count(match[1])
        return Frequency(times, times, 1) if times else None
    if _WEEKDAY.fullmatch(text):
        return Frequency(1, 1, WEEK)
    return None


@lru_cache(maxsize=10_000)
def read_frequency(text: str) -> Frequency | None:
    """``TID``, ``every 6 hours as needed, max 4 a day``, ``once weekly``; None for what can't be
    read whole."""
    rest = _plain(text)
    most = pieces = 0
    if match := _AT_MOST.search(rest):
        count = _count(match[1])
        if (match["what"] or "")[:1] in ("t", "c", "p") and match["what"] != "times":
            pieces = count
        else:
            most = count
        rest = (rest[: match.start()] + rest[match.end() :]).strip(" ,;")
    needed = _NEEDED.search(rest) is not None
    if needed:
        rest = _NEEDED.sub("", rest).strip(" ,;")
    found = _base(rest)
    while found is None and (match := _BESIDE.search(rest)):
        rest = rest[: match.start()].strip(" ,;")
        found = _base(rest)
    if found is None:
        if rest or not most:
            return None
        found = Frequency(0, most, 1)  # as needed, and no more than so many a day
    fewest, highest = found.fewest, found.most
    if most:
        highest = min(highest, most * found.days)
        fewest = min(fewest, highest)
    return Frequency(fewest, highest, found.days, needed, found.once, pieces)
