"""``python -m casegen.env.coding.simulate_learning``: the same as ``casegen learn``."""

from __future__ import annotations

import sys

from casegen.cli import main as casegen


def main() -> None:
    """Learn from the options of the command line; never returns."""
    casegen(["learn", *sys.argv[1:]])


if __name__ == "__main__":
    main()
