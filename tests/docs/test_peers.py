"""The tables of what peers cover name operators that exist, and leave nothing out twice."""

from __future__ import annotations

from collections import Counter
from runpy import run_path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.coverage.mxnet import registered_names
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@pytest.fixture
def peers(root: Path) -> Any:
    """Return docs/peers.py."""
    return run_path(str(root / "docs/peers.py"))


@pytest.fixture
def names(peers: Any) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return each peer's names and our operators."""
    found: Mapping[str, Mapping[str, Sequence[str]]] = peers["read"]("names.toml")
    return found


@pytest.fixture
def left_out(peers: Any) -> Sequence[Mapping[str, Any]]:
    """Return what is left out."""
    found: Sequence[Mapping[str, Any]] = peers["read"]("left_out.toml")["left_out"]
    return found


def test_our_operators_exist(names: Mapping[str, Mapping[str, Sequence[str]]], peers: Any) -> None:
    """Each name of a peer has at least one of our operators, and every one is declared."""
    known = {kind.name() for kind in operators().values()}
    assert set(names) == set(peers["PEERS"])
    for table in names.values():
        for name, ours in table.items():
            assert ours, name
            assert set(ours) <= known, name


def test_nothing_is_mapped_and_left_out(
    names: Mapping[str, Mapping[str, Sequence[str]]], left_out: Sequence[Mapping[str, Any]]
) -> None:
    """A name is left out once, and then no peer's name of an operator of ours."""
    out = Counter(name for entry in left_out for name in entry["names"])
    assert [name for name, count in out.items() if count > 1] == []
    mapped = {name for table in names.values() for name in table}
    assert mapped & set(out) == set()


def test_what_is_left_out_says_why(left_out: Sequence[Mapping[str, Any]], peers: Any) -> None:
    """Each entry has a reason and known frameworks, and a peer's names are among its names."""
    for entry in left_out:
        assert entry["reason"].strip()
        assert set(entry["frameworks"]) <= set(MEASURED)
        assert set(entry) <= {"names", "frameworks", "reason", *peers["PEERS"]}
        for peer in peers["PEERS"]:
            assert set(entry.get(peer, ())) <= set(entry["names"])


def test_mxnet_s_benchmark_goes_by_registered_names(
    names: Mapping[str, Mapping[str, Sequence[str]]],
) -> None:
    """MXNet knows each name of the table of its own benchmark."""
    framework: Any = find_framework("mxnet")
    if not framework.is_installed():
        pytest.skip("mxnet is not installed")
    framework.load(threads=1)
    known = {name for alike in registered_names(framework.mxnet) for name in alike}
    assert set(names["mxnet_opperf"]) <= known
