"""What written agents of any family share: scripts, sentences, and a simple reader of notes."""
