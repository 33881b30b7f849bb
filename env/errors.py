"""Errors of play. Each is shown as one line."""

from __future__ import annotations

from casegen.schemas import CasegenError


class EpisodeError(CasegenError):
    """Something was asked of an episode that it can't do."""


class EpisodeOverError(EpisodeError):
    """A step after the end. ``reset`` begins a new episode."""


class EpisodeClosedError(EpisodeError):
    """A step on an episode that was closed, or never begun."""
