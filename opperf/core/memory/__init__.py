"""The memory of this process: how much there is, where it lies, and what a call writes."""
