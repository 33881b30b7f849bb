"""Phrase banks, section headings and the sentences that state added codes."""

from .loader import load
from .model import SETTINGS, Entry, Phrases, Style

__all__ = ["SETTINGS", "Entry", "Phrases", "Style", "load"]
