"""The devices of a run: one or several, as they are named, stored and found again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from opperf.cli.common.manifest import selection_from
from opperf.cli.common.options import devices_of
from opperf.core.configuration.options import resolve
from opperf.planning.selection import Selection


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("cpu", ("cpu",)),
        ("cuda", ("cuda:0",)),
        ("cpu,cuda:1", ("cpu", "cuda:1")),
        ("cuda, gpu(0), cuda:0, cpu", ("cuda:0", "cpu")),
    ],
)
def test_devices_are_listed_with_commas(text: str, devices: tuple[str, ...]) -> None:
    """Each once, however it is spelled, in the order given; cuda alone is the first GPU."""
    configuration = resolve({"device": text}, {}, Path("/nowhere"))
    assert devices_of(configuration) == devices


def test_a_run_of_several_devices_is_resumed_on_all() -> None:
    """The manifest keeps them."""
    selection = Selection(frameworks=("pytorch",), devices=("cpu", "cuda:1"))
    assert selection_from(asdict(selection)) == selection


def test_a_run_of_an_earlier_release_is_resumed_on_its_device() -> None:
    """That knew one device a run."""
    stored = asdict(Selection(frameworks=("pytorch",)))
    del stored["devices"]
    found = selection_from({**stored, "device": "cuda:1"})
    assert found == Selection(frameworks=("pytorch",), devices=("cuda:1",))
