"""Platforms by name: this machine's, and those of other packages."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from opperf.core.environment import collect
from opperf.core.errors import UsageError
from opperf.specs.platforms import registry
from opperf.specs.platforms.host import visible_numbers
from opperf.specs.platforms.platform import Platform, PlatformDevice
from opperf.specs.platforms.program import ProgramRun
from opperf.specs.platforms.registry import find_platform, platform_names


class Bench(Platform):
    """A platform of another package."""

    name = "bench"

    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return two."""
        return tuple(PlatformDevice(identifier=name, hash=name * 8) for name in ("b0", "b1"))


BENCH = Bench()


def plug_in(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Let a package have a platform."""
    points = [EntryPoint("bench", value, registry.GROUP)]
    monkeypatch.setattr(registry, "plug_ins", lambda _group: points)


def test_the_processor_is_one_device() -> None:
    """Whose hash is the machine's key in every record, and FAI-PEP's names are known."""
    platform = find_platform("host/avx2")
    assert platform is find_platform("cpu")
    (device,) = platform.devices()
    assert (device.identifier, device.hash) == ("cpu", collect()["machine_key"])
    assert platform.framework_device(device) == "cpu"
    assert platform.host
    assert not find_platform("android/interactive").host


def test_gpus_are_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """One each, and two of a kind have different hashes; none where there is none."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr("opperf.specs.platforms.host.gpu_names", lambda: ["H100", "H100"])
    first, second = find_platform("cuda").devices()
    assert [each.identifier for each in (first, second)] == ["cuda:0", "cuda:1"]
    assert first.hash != second.hash
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    (only,) = find_platform("cuda").devices()
    assert (only.identifier, only.hash) == ("cuda:0", second.hash)
    monkeypatch.setattr("opperf.specs.platforms.host.gpu_names", list)
    assert find_platform("cuda").devices() == ()


@pytest.mark.parametrize(
    ("variable", "numbers"),
    [(None, [0, 1]), ("", []), ("1,0", [1, 0]), ("0,7,1", [0]), ("-1", [0, 1]), ("GPU-x", [0, 1])],
)
def test_the_variable_is_read_as_cuda_does(variable: str | None, numbers: list[int]) -> None:
    """What is no number leaves the machine's own order."""
    assert visible_numbers(variable, 2) == numbers


def test_a_package_adds_a_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an entry point that names an object of a subclass."""
    plug_in(monkeypatch, f"{__name__}:BENCH")
    monkeypatch.setattr(EntryPoint, "load", lambda _: BENCH)
    assert "bench" in platform_names()
    assert [each.identifier for each in find_platform("bench").devices()] == ["b0", "b1"]


def test_a_broken_or_unknown_platform_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    plug_in(monkeypatch, "json:loads")
    with pytest.raises(UsageError, match=r"plug-in 'bench' \(json:loads\) .* must be a Platform"):
        find_platform("bench")
    plug_in(monkeypatch, "no.such.module:X")
    with pytest.raises(UsageError, match=r"plug-in 'bench' .* cannot be loaded"):
        find_platform("bench")
    with pytest.raises(UsageError, match="unknown platform 'cuda0'; did you mean 'cuda'"):
        find_platform("cuda0")


def test_a_host_platform_runs_no_program(tmp_path: object) -> None:
    """Its tests are a framework's."""
    device = BENCH.devices()[0]
    run = ProgramRun(program=tmp_path, lines=("x",))  # type: ignore[arg-type] # never looked at
    with pytest.raises(UsageError, match="platform 'bench' runs no programs of its own"):
        BENCH.run(device, run)
