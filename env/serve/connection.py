"""A connection that can't be held open by a request that never comes whole."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL = 30.0  # seconds; a request is at most a page of text


class Connection(H11Protocol):
    """Uvicorn's connection, with a bound on the time that a request, head and body, may take to
    arrive. Uvicorn itself bounds only the time between two requests."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The first request is awaited."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or the last of it."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """The next request is awaited."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._unwatch()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End. What is still awaited of a request will not be answered."""
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_started:
            self.transport.close()
        else:
            super().shutdown()

    def _watch(self) -> None:
        # An upgrade hands the transport to the protocol of WebSocket, which has its own bounds.
        ours = self.transport.get_protocol() is self and not self.transport.is_closing()
        if not ours or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(ARRIVAL, self.transport.close)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
