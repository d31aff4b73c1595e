"""Smooth activations: functions of one element that stand between the layers of a network."""
