"""Where results go: a tree of folders, a server, the screen, and what plug-ins add."""
