"""Places to measure in: images of containers, and machines of an engine that stands already."""
