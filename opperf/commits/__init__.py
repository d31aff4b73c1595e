"""Commits of a repository: in order, each built once, followed and compared with a control."""
