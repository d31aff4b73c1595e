"""Models of MXNet from files and from functions."""
