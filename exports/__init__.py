"""What leaves the project: rollouts, row formats, the dataset writer, the card, the report.

This room will hold what turns cases and trajectories into datasets. It stands last in the
line and may import every other room; none may import it. Version 0.1 writes cases as JSON
lines from the command line and exports nothing else yet.
"""
