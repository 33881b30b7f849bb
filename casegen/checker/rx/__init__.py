"""The independent checker of prescriptions: it sees prescription and record, and the drug
knowledge.

It imports only the schemas and look-up, never what makes the cases, so that the two can
contradict each other.
"""

from .check import check
from .model import Open, Report, Verdict, Watch
from .written import read_dose, read_frequency

__all__ = ["Open", "Report", "Verdict", "Watch", "check", "read_dose", "read_frequency"]
