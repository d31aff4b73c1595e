"""The specification file: read strictly, merged with shared meta, expanded into single tests."""
