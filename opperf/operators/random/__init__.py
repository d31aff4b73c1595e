"""Random operators, checked by statistics of their samples."""
