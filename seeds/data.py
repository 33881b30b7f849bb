"""Reads YAML data files, parsed once and then kept in the user's cache."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from casegen.schemas import TableError

from .filecache import remembered


def parse(text: bytes, name: str) -> Any:
    """The content of the YAML ``text``; ``name`` is the file's, for complaints.

    The parsed form is kept by the digest of the text, since parsing costs a hundred times
    what reading it back does. Raises TableError where the text is no YAML.
    """

    def read_yaml() -> Any:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            return yaml.load(text, Loader=loader)
        except yaml.YAMLError as error:
            raise TableError(f"{name}: no valid YAML: {' '.join(str(error).split())}") from None

    return remembered(f"yaml-{name.rpartition('.')[0]}", sha256(text).hexdigest(), read_yaml)


def read(name: str) -> dict[str, Any]:
    """The mapping in a YAML file of this room. Raises TableError where there is none."""
    try:
        text = Path(__file__).with_name(name).read_bytes()
    except OSError as error:
        raise TableError(f"{name}: no valid YAML: {error}") from None
    content = parse(text, name)
    if not isinstance(content, dict):
        raise TableError(f"{name}: must hold a mapping")
    return content
