"""A page that shows what an export holds: one HTML file that needs nothing else."""
