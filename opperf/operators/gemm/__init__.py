"""Matrix products; int8 is left out, which does not hold their sums."""
