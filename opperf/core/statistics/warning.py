"""Warnings as values: what a reader must know before trusting a number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MeasurementWarning:
    """A code for programs and a sentence for people."""

    code: str
    message: str
