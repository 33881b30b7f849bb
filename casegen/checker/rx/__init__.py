"""The independent checker of prescriptions: it sees prescription and record, and the drug
knowledge.

It imports only the schemas and look-up, never what makes the cases, so that the two can
contradict each other.
"""

from .check import check
from .model import Open, Report, Verdict, Watch
from .telling import authority_text, render_report, report_dict
from .written import read_dose, read_frequency

__all__ = [
    "Open",
    "Report",
    "Verdict",
    "Watch",
    "authority_text",
    "check",
    "read_dose",
    "read_frequency",
    "render_report",
    "report_dict",
]
