"""What fused operators share that have nothing but their parts in common."""

from opperf.declaring.declaration import Declaration


class Composition(Declaration, abstract=True):
    """A fused operator whose work is that of its parts."""

    fusable = True

    def flop_count(self) -> int:
        """Return the operations of the parts."""
        return sum(part.flop_count() for part in self.parts())
