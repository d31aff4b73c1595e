"""What an error says of a row: a fault is told from what the processor cannot do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.frameworks.failure import classify
from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework

WORDS = "could not create a primitive descriptor iterator"
LACK = "needs avx512_core; this processor lacks avx512f"


class MXNetError(RuntimeError):
    """As MXNet names its errors."""


@pytest.fixture
def mxnet(monkeypatch: pytest.MonkeyPatch) -> Framework:
    """Return MXNet's front on a processor without AVX-512."""
    front = find_framework("mxnet")
    monkeypatch.setattr(front, "shortage", {"avx512_core": LACK}.get)
    return front


def test_what_the_processor_cannot_do_is_unsupported(mxnet: Framework) -> None:
    """In the framework's words, with what is missing."""
    status, reason = classify(MXNetError(WORDS), mxnet, "bfloat16")
    assert (status, reason) == ("unsupported", f"MXNetError: {WORDS} ({LACK})")


def test_where_the_instruction_set_is_there_it_is_a_fault(
    mxnet: Framework, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same words, on a processor that lacks nothing or does not say what it has."""
    monkeypatch.setattr(mxnet, "shortage", lambda _: None)
    assert classify(MXNetError(WORDS), mxnet, "bfloat16") == ("failed", f"MXNetError: {WORDS}")


@pytest.mark.parametrize(
    ("said", "dtype"),
    [
        (WORDS, "float32"),
        (WORDS, "float16"),
        ("could not execute a primitive", "bfloat16"),
        ("shapes do not match", "bfloat16"),
    ],
)
def test_other_words_and_other_dtypes_are_faults(mxnet: Framework, said: str, dtype: str) -> None:
    """A processor that lacks something excuses nothing else."""
    assert classify(MXNetError(said), mxnet, dtype) == ("failed", f"MXNetError: {said}")


@pytest.mark.parametrize(
    ("said", "dtype", "required"),
    [
        ("mkldnn_convolution: bf16 path needs the cpu support avx512bw", "bfloat16", "avx512_core"),
        ("mkldnn_matmul: fp16 path needs the cpu support avx512", "float16", "avx512_core_fp16"),
    ],
)
def test_pytorch_says_so_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch, said: str, dtype: str, required: str
) -> None:
    """Each kind of half precision has an instruction set of its own."""
    front = find_framework("pytorch")
    monkeypatch.setattr(front, "shortage", {required: "needs it"}.get)
    assert classify(RuntimeError(said), front, dtype)[0] == "unsupported"
    monkeypatch.setattr(front, "shortage", lambda _: None)
    assert classify(RuntimeError(said), front, dtype)[0] == "failed"
