"""Which of several Excludes1 notes between two codes a finding cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casegen.seeds.icd10cm.conflicts import ExcludesHit


def strongest(hits: tuple[ExcludesHit, ...]) -> ExcludesHit | None:
    """The note to cite: one that is certain, then one on a code itself, then the one that
    stands on the longest code (a block or chapter last), then the one whose holder sorts
    first, so that the order of the lines doesn't matter. None if no note reaches."""
    reaching = [hit for hit in hits if hit.reach != "no"]
    return min(reaching, key=_rank) if reaching else None


def _rank(hit: ExcludesHit) -> tuple[bool, bool, int, str]:
    return (
        hit.reach != "certain",
        hit.stands_on != hit.holder,
        -place_rank(hit.stands_on),
        hit.holder,
    )


def place_rank(stands_on: str) -> int:
    """How narrow the place of a note is: the length of a code, 0 for a block, -1 for a
    chapter."""
    if "chapter" in stands_on:
        return -1
    if "-" in stands_on or stands_on.startswith("block"):
        return 0
    return len(stands_on)
