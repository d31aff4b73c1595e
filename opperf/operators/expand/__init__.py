"""Broadcasting, repetition and padding."""
