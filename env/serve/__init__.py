"""A family's server: episodes over HTTP and WebSocket, and a page for people."""
