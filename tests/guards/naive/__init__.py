"""A second, naive checker: a guard that shares nothing with the product but the models.

It reads the raw tabular list, the dated rows of the code editor and the service files by its
own slow means and judges a case from them. Where it and the product disagree, one of them is
wrong; both were written from the same rules, neither from the other's code.
"""

from __future__ import annotations

from .judge import Key, judge, key_of
from .mend import mended

__all__ = ["Key", "judge", "key_of", "mended"]
