"""``python -m casegen.env.coding.simulate_learning``: the same as ``casegen learn``."""

from __future__ import annotations

import sys

from casegen.cli import main

if __name__ == "__main__":
    main(["learn", *sys.argv[1:]])
