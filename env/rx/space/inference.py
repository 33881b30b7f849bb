"""A language model plays the three documented tasks; see README.md for its settings."""

from casegen.env.rx.inference import main

if __name__ == "__main__":
    raise SystemExit(main())
