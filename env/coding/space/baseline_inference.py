"""The reference baseline, offline, or a language model on the documented tasks; see README.md."""

from casegen.env.coding.baseline_inference import main

if __name__ == "__main__":
    raise SystemExit(main())
