"""Results as other tools read them, one function a format."""
