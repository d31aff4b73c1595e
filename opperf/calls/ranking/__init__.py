"""What each call costs its network, and what our declarations cover of it."""
