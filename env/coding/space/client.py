"""The typed client."""

from casegen.env.coding.client import MedicalCodingAssistantEnv

__all__ = ["MedicalCodingAssistantEnv"]
