"""``python -m casegen``."""

from casegen.cli import main

if __name__ == "__main__":
    main()
