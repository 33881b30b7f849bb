"""A language model plays the five documented tasks; see README.md for its settings."""

from casegen.env.audit.inference import main

if __name__ == "__main__":
    raise SystemExit(main())
