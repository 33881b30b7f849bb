"""CPT and HCPCS services with plain labels of our own, and the NCCI tables among them."""

from .loader import EDITION, load, read
from .model import EM, PtpEdit, Retired, Service
from .tables import EM_MODIFIER, Services

__all__ = [
    "EDITION",
    "EM",
    "EM_MODIFIER",
    "PtpEdit",
    "Retired",
    "Service",
    "Services",
    "load",
    "read",
]
