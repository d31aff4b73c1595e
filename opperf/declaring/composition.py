"""Base class of fused operators whose work is the sum of their parts."""

from opperf.declaring.declaration import Declaration


class Composition(Declaration, abstract=True):
    """A fused operator whose FLOP are those of its parts."""

    fusable = True

    def flop_count(self) -> int:
        """Return the FLOP of the parts."""
        return sum(part.flop_count() for part in self.parts())
