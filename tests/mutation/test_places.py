"""A mutant's place is found by the shape of its tree, and one that is gone is said to be."""

from __future__ import annotations

import ast

import pytest

from tests.mutation.places import StaleError, mutated

SOURCE = """
LIMIT, MOST = 2, 3

class Sampler:
    def rate(self, times, share=0.5):
        first = times[0] - self.null
        if first > LIMIT:
            return None
        return round(sum(times) / len(times), digits=LIMIT)

def rate(times):
    return max(times)
"""


@pytest.mark.parametrize(
    ("place", "old", "new", "stands"),
    [
        ("", "LIMIT, MOST = 2, 3", "LIMIT, MOST = 2, 4", "LIMIT, MOST = (2, 4)"),
        ("Sampler.rate", "sum(times) / len(times)", "max(times)", "round(max(times), digits"),
        ("Sampler.rate", "samples[0] - self.cost", "samples[0]", "first = times[0]\n"),
        ("Sampler.rate", "0.5", "0.1", "share=0.1"),
        ("Sampler.rate", "digits=LIMIT", "digits=7", "digits=7"),
        ("rate", "return max(times)", "return min(times)", "return min(times)"),
        ("Sampler.rate", "if first > LIMIT:\n    return None\n", "", "self.null\n        pass\n"),
    ],
)
def test_a_place_is_found_by_its_shape(place: str, old: str, new: str, stands: str) -> None:
    """In its function alone, under whatever names, as an expression, a statement or an argument."""
    assert stands in ast.unparse(mutated(SOURCE, place, old, new)) + "\n"


def test_names_of_the_fragment_become_those_of_the_module() -> None:
    """In what is put there as well; formatting and quotes do not matter."""
    found = ast.unparse(mutated(SOURCE, "rate", "max( samples )", "samples[-1]"))
    assert "return times[-1]" in found


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        ("Sampler.speed", "1", "2", "no Sampler.speed"),
        ("rate", "min(times, 3)", "0", "rate has 0 times: min(times, 3)"),
        ("Sampler.rate", "a > a", "0", "Sampler.rate has 0 times: a > a"),
        ("Sampler.rate", "times", "0", "Sampler.rate has 3 times: times"),
        ("", "LIMIT, MOST = 2, 4", "0", "the module has 0 times: LIMIT, MOST = 2, 4"),
        ("rate", "max(times)", "mean(times)", "rate knows no mean: mean(times)"),
    ],
)
def test_a_stale_place_is_said_to_be(place: str, old: str, new: str, said: str) -> None:
    """Not there, there twice, or put where a name is unknown."""
    with pytest.raises(StaleError, match="^" + said.replace("(", r"\(").replace(")", r"\)") + "$"):
        mutated(SOURCE, place, old, new)
