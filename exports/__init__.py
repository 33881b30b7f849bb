"""What leaves the project: rollouts, row formats, the dataset writer, the card, the report.

This room turns cases and trajectories into datasets. It stands last in the line and may import
every other room; none may import it. Nothing heavy is imported until it is used.
"""
