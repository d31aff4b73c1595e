"""A plain child is left as a user's own process is; any may be kept to a number of cores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.memory.layout import ADDR_NO_RANDOMIZE, ASK, personality
from opperf.measuring.children import timing as child
from opperf.measuring.worker.protocol import new_token, request
from opperf.measuring.worker.variables import child_variables

if TYPE_CHECKING:
    from pathlib import Path

OURS = {"GLIBC_TUNABLES", "OMP_WAIT_POLICY", "KMP_BLOCKTIME", "PYTHONHASHSEED"}


@pytest.fixture(autouse=True)
def _untuned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the user have tuned nothing."""
    for name in (*OURS, "THP_MEM_ALLOC_ENABLE", "MALLOC_ARENA_MAX"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("framework", ["mxnet", "numpy", "pytorch"])
def test_a_plain_child_has_no_settings_of_ours(framework: str) -> None:
    """But the number of threads, which was asked for."""
    plain, laid_out = (child_variables(framework, 1, {}, plain=plain) for plain in (True, False))
    assert not (OURS | {"THP_MEM_ALLOC_ENABLE"}) & set(plain)
    assert set(laid_out) >= OURS
    assert ("THP_MEM_ALLOC_ENABLE" in laid_out) == (framework == "pytorch")
    assert plain.get("OMP_NUM_THREADS") == laid_out.get("OMP_NUM_THREADS")


def test_a_plain_child_is_tuned_as_its_user_s_process_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laid out one has an allocation of its own, whatever the user's is."""
    monkeypatch.setenv("MALLOC_ARENA_MAX", "2")
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")
    monkeypatch.setenv("DNNL_TOKEN", "1")
    plain, laid_out = (child_variables("numpy", 1, {}, plain=plain) for plain in (True, False))
    assert plain["MALLOC_ARENA_MAX"] == "2"
    assert plain["GLIBC_TUNABLES"] == "glibc.malloc.tcache_count=0"
    assert "hugetlb" in laid_out["GLIBC_TUNABLES"]
    assert "MALLOC_ARENA_MAX" not in laid_out
    assert "DNNL_TOKEN" not in plain


def test_several_threads_wait_as_the_framework_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sleeping at once costs short parallel calls; the user's own setting stands."""
    assert child_variables("pytorch", 1, {})["OMP_WAIT_POLICY"] == "passive"
    assert "OMP_WAIT_POLICY" not in child_variables("pytorch", 2, {})
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    assert child_variables("pytorch", 2, {})["OMP_WAIT_POLICY"] == "active"


@pytest.mark.parametrize("plain", [True, False])
def test_a_plain_child_starts_where_the_system_puts_it(
    make: Any, python: Any, tmp_path: Path, plain: bool
) -> None:
    """Its personality is its parent's; that of another has fixed addresses, if it may."""
    own = personality(ASK)
    told = tmp_path / "personality"
    worker = make(plain=plain, python=python(f"cat /proc/$$/personality >{told}; exit 3"))
    worker.start()
    worker.process.wait()
    text = told.read_text().strip()
    if own is None or not text:
        pytest.skip("this system has no personalities")
    if plain:
        assert int(text, 16) == own
    else:
        assert int(text, 16) in {own, own | ADDR_NO_RANDOMIZE}


@pytest.mark.parametrize(
    ("kind", "cores", "done"),
    [
        ("laid_out", 0, ["touch", "pin 3"]),
        ("laid_out", 1, ["touch", "pin 1"]),
        ("plain", 0, []),
        ("plain", 1, ["pin 1"]),
    ],
)
def test_what_a_child_settles_before_its_framework_loads(
    monkeypatch: pytest.MonkeyPatch, kind: str, cores: int, done: list[str]
) -> None:
    """A laid out one its heap and its cores, a plain one what was asked for and no more."""
    seen: list[str] = []
    monkeypatch.setattr(child, "touch_heap", lambda: seen.append("touch"))
    monkeypatch.setattr(child, "pin", lambda number: seen.append(f"pin {number}"))
    monkeypatch.setattr(child, "keep_to_itself", list)
    for name in ("die_with_parent", "end_forks_that_return", "limit_memory"):
        monkeypatch.setattr(child, name, lambda _: None)
    for name in ("keep_below", "let_crashes_show"):
        monkeypatch.setattr(child, name, lambda: None)
    monkeypatch.setattr(child.gc, "freeze", lambda: None)
    monkeypatch.setattr(type(child.find_framework("numpy")), "threads_beside", 1)
    requests, ours = os.pipe()
    os.write(ours, request(new_token(), "{}"))
    os.close(ours)
    reading, replies = os.pipe()
    arguments = ["numpy", "cpu", "2", *map(str, (requests, replies, 0, 0, cores)), kind]
    child.serve(arguments, lambda *_: None)
    os.close(reading)
    os.close(replies)
    assert seen == done


def test_a_child_is_kept_to_the_cores_asked_for(make: Any) -> None:
    """The record's environment says which."""
    worker = make(plain=True, cores=1)
    worker.ensure()
    assert len(worker.environment["affinity"]) == 1
    usual = make(plain=True)
    usual.ensure()
    assert usual.environment["affinity"] == sorted(os.sched_getaffinity(0))
