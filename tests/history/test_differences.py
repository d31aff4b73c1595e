"""What is not the same about two environments."""

from __future__ import annotations

from opperf.history.differences import differences


def test_instruction_sets_come_first() -> None:
    """A line names few facts, and this one chooses the code that runs."""
    before = {"kernel": "6.1", "os": "a", "instruction_sets": ["avx2", "avx512f"]}
    after = {"kernel": "6.2", "os": "b", "instruction_sets": ["avx2"]}
    assert [each.fact for each in differences(before, after)] == [
        "instruction_sets",
        "kernel",
        "os",
    ]


def test_what_older_records_lack_does_not_come_first() -> None:
    """That it is missing there says nothing about the processor."""
    before = {"kernel": "6.1", "instruction_sets_allowed": {"oneDNN": "avx2"}}
    after = {
        "kernel": "6.2",
        "instruction_sets": ["avx2"],
        "instruction_sets_allowed": {"oneDNN": "avx512_core"},
    }
    found = [each.fact for each in differences(before, after)]
    assert found == ["instruction_sets_allowed.oneDNN", "kernel", "instruction_sets"]
