"""Packs of tasks: named, versioned, hashed sets of cases with the profile they are played by."""

from __future__ import annotations

from dataclasses import dataclass, field

from .anycase import AnyCase
from .play import Profile


@dataclass(frozen=True, slots=True)
class Task:
    """One case to play.

    ``id`` tells nothing of the answer. ``own_rules`` holds what the task itself rules where
    official tables disagree, by code (``J44.1``) or by pair (``93306|93307``, in the order of
    the text); a tool tells such a rule first, labelled as the task's own, then the official
    one. ``reference_note`` says where and why the two differ.
    """

    id: str
    family: str
    profile: Profile
    case: AnyCase
    pack: str | None = None
    own_rules: dict[str, str] = field(default_factory=dict)
    reference_note: str | None = None
