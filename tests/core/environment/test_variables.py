"""What a measuring child inherits."""

from __future__ import annotations

import pytest

from opperf.core.environment.variables import child_environment

INHERITED = [
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH", "CC", "CXX"),
    *("OMP_NUM_THREADS", "MKL_NUM_THREADS", "KMP_BLOCKTIME", "OPENBLAS_NUM_THREADS"),
    *("MXNET_ENGINE_TYPE", "TORCH_LOGS", "TORCHINDUCTOR_CACHE_DIR", "CUDA_VISIBLE_DEVICES"),
    *("NVIDIA_TF32_OVERRIDE", "GLIBC_TUNABLES"),
    *("ATEN_CPU_CAPABILITY", "DNNL_MAX_CPU_ISA", "ONEDNN_MAX_CPU_ISA", "OPENBLAS_CORETYPE"),
    *("NPY_DISABLE_CPU_FEATURES", "MKL_ENABLE_INSTRUCTIONS"),
]
STRANGERS = [
    *("USER", "DISPLAY", "SSH_AUTH_SOCK", "AWS_REGION", "LD_PRELOAD", "PYTHONHASHSEED"),
    *("ONEDNN_VERBOSE", "DNNL_JIT_DUMP", "ATEN_NO_SUCH_THING"),
    *("VIRTUAL_ENV", "PYTHONSTARTUP", "PATHX", "XOMP_NUM_THREADS", "omp_num_threads"),
]


@pytest.mark.parametrize("name", INHERITED)
def test_allow_list_passes(name: str) -> None:
    """A variable on the allow-list reaches the child unchanged."""
    assert child_environment({name: "value"}, {}) == {name: "value"}


@pytest.mark.parametrize("name", STRANGERS)
def test_others_do_not_pass(name: str) -> None:
    """A variable that is not on the allow-list does not reach the child."""
    assert child_environment({name: "value"}, {}) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPPERF_TOKEN", "hunter2"),
        ("OPPERF_Secret_File", "hunter2"),
        ("MXNET_PASSWORD", "hunter2"),
        ("CUDA_KEY", "hunter2"),
        ("TORCH_CREDENTIALS", "hunter2"),
        ("OPPERF_STORE", "postgresql://me:hunter2@host/db"),
    ],
)
def test_secrets_do_not_pass(name: str, value: str) -> None:
    """A secret does not reach the child, even under a name on the allow-list."""
    assert child_environment({name: value}, {}) == {}


def test_extra_wins() -> None:
    """What is set for the child replaces what it inherits, and needs no allow-list."""
    environ = {"OMP_NUM_THREADS": "8", "PATH": "/bin"}
    extra = {"OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    assert child_environment(environ, extra) == {"PATH": "/bin", **extra}


def test_arguments_are_left_alone() -> None:
    """The caller's mappings are not changed."""
    environ, extra = {"PATH": "/bin"}, {"OMP_NUM_THREADS": "1"}
    child_environment(environ, extra)["PATH"] = "/changed"
    assert (environ, extra) == ({"PATH": "/bin"}, {"OMP_NUM_THREADS": "1"})
