"""Learning codes from a stream of rows: read, predicted, then learned."""
