"""Where the raw files lie."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

SEEDS = Path(__file__).resolve().parents[3] / "seeds"


def tabular_xml() -> Path:
    """The CDC tabular list in the data of ``simple-icd-10-cm`` (found, not imported)."""
    spec = find_spec("simple_icd_10_cm")
    assert spec is not None and spec.origin is not None, "simple-icd-10-cm is not installed"
    found = sorted((Path(spec.origin).parent / "data").glob("*tabular*.xml"))
    assert len(found) == 1, f"one tabular list is expected, not {found}"
    return found[0]
