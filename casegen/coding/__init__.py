"""The coding family: charts to ICD-10-CM codes, certified case by case."""

from .generator import CodingGenerator

__all__ = ["CodingGenerator"]
