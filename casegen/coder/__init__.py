"""Derives the right claim from the chart by the official rules."""

from .diagnoses import code_chart
from .draft import Draft

__all__ = ["Draft", "code_chart"]
