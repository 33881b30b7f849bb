"""The app that the container serves, and the command that serves it."""

from casegen.env.audit.deployed import build
from casegen.env.audit.deployed import main as run

app = build()


def main() -> None:
    """``python -m server.app --host HOST --port PORT``."""
    raise SystemExit(run())


if __name__ == "__main__":
    main()
