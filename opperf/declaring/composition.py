"""What fused operators are made of: their parts, and a base class of those that are no more."""

from opperf.declaring.declaration import Declaration


class Composition(Declaration, abstract=True):
    """A fused operator whose FLOP are those of its parts."""

    fusable = True

    def flop_count(self) -> int:
        """Return the FLOP of the parts."""
        return sum(part.flop_count() for part in self.parts())


def part_of(operator: Declaration, kind: type[Declaration], **inputs: object) -> Declaration:
    """Return a part on these inputs, with the whole operator's dtype and initializer."""
    shared = {"dtype": operator.dtype, "initializer": operator.inputs["initializer"]}
    return kind({**inputs, **shared})
