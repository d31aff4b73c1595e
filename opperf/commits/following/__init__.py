"""Following a repository: each commit of a branch compared with a control, once and in order."""
