"""Changes of shape: the same elements, in another order or under other indices."""
