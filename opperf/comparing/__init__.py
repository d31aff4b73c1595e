"""From what two arms took, session by session, to a verdict; it reads numbers only."""
