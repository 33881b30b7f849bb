"""Open points that equal lines share, told once."""

from __future__ import annotations

from .model import Review

SHOWN = 8  # lines named one by one


def merged(reviews: list[Review]) -> list[Review]:
    """The reviews, those that differ by their line alone as one on the first of the lines."""
    groups: dict[tuple[str, str, str], list[Review]] = {}
    for review in reviews:
        groups.setdefault((review.kind, review.code, _rest(review)), []).append(review)
    if len(groups) == len(reviews):
        return reviews
    return [_one(group, rest) for (_, _, rest), group in groups.items()]


def _rest(review: Review) -> str:
    return review.message.removeprefix(f"line {review.line}: ")


def _one(group: list[Review], rest: str) -> Review:
    first = group[0]
    numbers = list(dict.fromkeys(review.line for review in group))
    if len(numbers) == 1:
        return first
    told = ", ".join(map(str, numbers[:SHOWN]))
    if len(numbers) > SHOWN:
        told += f" and {len(numbers) - SHOWN} more"
    message = f"lines {told}: {rest}"
    return Review(first.line, first.code, first.kind, message, first.authority)
