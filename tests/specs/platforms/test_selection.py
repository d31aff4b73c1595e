"""Row 38: --devices and --excluded_devices as set algebra over identifiers and hashes."""

from __future__ import annotations

import itertools

import pytest

from opperf.core.errors import UsageError
from opperf.specs.platforms.platform import PlatformDevice
from opperf.specs.platforms.selection import choose_devices

ONE, TWO, THREE = (
    PlatformDevice(identifier=name, hash=digit * 16)
    for name, digit in (("R1", "a"), ("R2", "b"), ("R3", "c"))
)
ALL = (ONE, TWO, THREE)
WORDS = {"R1": ONE, "b" * 16: TWO, "B" * 16: TWO, "R3": THREE}


@pytest.mark.parametrize("wanted", [None, *itertools.combinations(WORDS, 2), ("R1",), (*WORDS,)])
@pytest.mark.parametrize("excluded", [None, *itertools.combinations(WORDS, 2), ("R1",)])
def test_the_wanted_ones_without_the_excluded_ones(
    wanted: tuple[str, ...] | None, excluded: tuple[str, ...] | None
) -> None:
    """In the platform's order, each once; an identifier and a hash name the same device."""
    want = {WORDS[word] for word in wanted} if wanted else set(ALL)
    left = want - {WORDS[word] for word in excluded or ()}
    given = (wanted and " , ".join(wanted), excluded and ",".join(excluded), "phones")
    if left:
        assert choose_devices(ALL, *given) == tuple(each for each in ALL if each in left)
    else:
        with pytest.raises(UsageError, match="all of them are excluded; there are R1"):
            choose_devices(ALL, *given)


@pytest.mark.parametrize("word", ["R4", "", "a" * 15, "r1"])
@pytest.mark.parametrize("flag", ["--devices", "--excluded_devices"])
def test_an_unknown_device_is_an_error(word: str, flag: str) -> None:
    """That names what there is, in a list of what is to run and of what is not."""
    text = f"R1,{word}"
    given = (text, None) if flag == "--devices" else (None, text)
    with pytest.raises(UsageError) as refused:
        choose_devices(ALL, *given, "phones")
    said = str(refused.value)
    assert said.startswith(f"{flag} {word!r}: platform 'phones' has no such device; ")
    assert said.endswith(f"there are R1 ({'a' * 16}), R2 ({'b' * 16}), R3 ({'c' * 16})")


def test_a_platform_without_devices_says_so() -> None:
    """And --devices "" names none."""
    with pytest.raises(UsageError, match="it has no device here; there are none"):
        choose_devices((), None, None, "phones")
    with pytest.raises(UsageError, match=r"--devices '': platform 'phones' has no such device"):
        choose_devices(ALL, "", None, "phones")
