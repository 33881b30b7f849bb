"""Wrong codes that stand near the right ones, one module a way of being wrong."""
