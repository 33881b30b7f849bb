"""ICD-10-CM, April 2026: every code with its notes, validity dates, edits and wording.

``load()`` gives the tables; they are compiled on first use.
"""

from .codes import canonical, stem
from .conflicts import ExcludesHit, TabularNote
from .sevenths import Seventh
from .tables import Tables, load
from .tail import TailCode

__all__ = [
    "ExcludesHit",
    "Seventh",
    "TabularNote",
    "Tables",
    "TailCode",
    "canonical",
    "load",
    "stem",
]
