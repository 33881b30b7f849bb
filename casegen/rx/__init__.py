"""Rx cases: prescriptions in the record of a patient, and what is true of them."""

from .generator import RxGenerator

__all__ = ["RxGenerator"]
