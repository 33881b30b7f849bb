"""The app that the container serves, and the command that serves it."""

from casegen.env.rx.deployed import build
from casegen.env.rx.deployed import main as run

app = build()


def main() -> None:
    """``python -m server.app --host HOST --port PORT``."""
    raise SystemExit(run())


if __name__ == "__main__":
    main()
