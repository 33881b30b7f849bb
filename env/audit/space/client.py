"""The typed client."""

from casegen.env.audit.client import MedicalCodingEnv

__all__ = ["MedicalCodingEnv"]
