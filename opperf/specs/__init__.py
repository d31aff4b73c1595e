"""Specifications: a model, its files and its tests as JSON, which any framework can run."""
