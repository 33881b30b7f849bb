"""What the tables know of a code or a pair: the facts, and the facts as text."""
