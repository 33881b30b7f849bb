"""What a failed test of the knowledge data tells a contributor: the rule, the place, the mend."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "seeds" / "conditions"
_ID = re.compile(r"^  - id: (\S+)", re.M)
_MOST = 20


@lru_cache(maxsize=1)
def _files() -> dict[str, str]:
    """The file of each condition."""
    return {
        name: f"seeds/conditions/{path.name}"
        for path in sorted(FOLDER.glob("*.yaml"))
        for name in _ID.findall(path.read_text("utf-8"))
    }


def told(wrong: Collection[Any] | Mapping[Any, Any], rule: str, mend: str) -> str:
    """The rule that is broken, each value that breaks it with its file, and how to mend it.
    ``wrong`` holds or begins with the names of values (``copd.stable``)."""
    items = wrong.items() if isinstance(wrong, Mapping) else ((one, None) for one in wrong)
    lines = []
    for key, found in items:
        name, *more = key if isinstance(key, tuple) else (key,)
        text = " ".join(str(one) for one in (*more, found) if one is not None)
        lines.append(f"  {_files().get(name.partition('.')[0], 'some file')}: {name}: {text}")
    rest = [f"  and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return "\n".join([rule, *lines[:_MOST], *rest, f"mend: {mend}"])
