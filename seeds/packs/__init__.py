"""The packs that ship with casegen: documented tasks as facts and texts, benchmarks as recipes."""

from .documented import Documented, Documents, read_documents
from .shipped import PACKS, path_of

__all__ = ["PACKS", "Documented", "Documents", "path_of", "read_documents"]
