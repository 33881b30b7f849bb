"""Clinical knowledge of conditions, one YAML file per ICD-10-CM chapter.

``load()`` reads the files once per process; nothing is read at import.
"""

from __future__ import annotations

from .loader import load, read
from .model import Addition, Condition, Value

__all__ = ["Addition", "Condition", "Value", "load", "read"]
