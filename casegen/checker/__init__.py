"""The independent claim scrubber: it sees claim, patient and record, and the tables.

It imports only the schemas and table look-up, never what makes the cases, so that the two
can contradict each other.
"""

from .check import check
from .model import ClaimView, Line, Report, Review, Verdict
from .outside import read_claim, render_report, report_dict

__all__ = [
    "ClaimView",
    "Line",
    "Report",
    "Review",
    "Verdict",
    "check",
    "read_claim",
    "render_report",
    "report_dict",
]
