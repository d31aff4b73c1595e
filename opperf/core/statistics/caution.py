"""Warnings as values: what a reader must know before trusting a number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Caution:
    """A code for programs, a sentence for people, and whether the number is too noisy to use."""

    code: str
    message: str
    noisy: bool = False
