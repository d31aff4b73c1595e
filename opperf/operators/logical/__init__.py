"""Logic on tensors whose elements count as true unless they are zero."""
