"""Makes the frozen name pools from Faker: ``python -m casegen.seeds.names.make_pools``.

Faker promises no stability between releases, so casegen draws names from these files and
needs Faker only for ``--locale``.
"""

from __future__ import annotations

from pathlib import Path

from faker import Faker

POOLS = {"female": "first_name_female", "male": "first_name_male", "last": "last_name"}
SIZE = 600
SEED = 20260401


def main() -> None:
    """Write one file a pool, a name a line, without repeats, in order of the alphabet."""
    for pool, method in POOLS.items():
        fake = Faker("en_US")
        fake.seed_instance(SEED)
        draw = getattr(fake, method)
        names: set[str] = set()
        for _ in range(SIZE * 60):
            names.add(draw())
            if len(names) == SIZE:
                break
        text = "".join(f"{name}\n" for name in sorted(names))
        Path(__file__).with_name(f"{pool}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
