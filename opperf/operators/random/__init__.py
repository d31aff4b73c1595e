"""Random operators, checked by what their samples must share: moments, support, elements."""
