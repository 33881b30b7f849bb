"""How much a server takes unless it is told otherwise."""

from __future__ import annotations

MOST_SESSIONS = 64  # episodes at a time over HTTP, and as many over WebSocket
IDLE = 1800.0  # seconds; a trainer may update its weights between two steps
MOST_BYTES = 64 * 1024  # of a body or message
