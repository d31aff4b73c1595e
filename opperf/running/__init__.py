"""The operators as users import them: declarations that can be run."""
