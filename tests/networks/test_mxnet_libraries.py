"""Networks of Gluon's model zoo by name."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework

if not find_framework("mxnet").is_installed():
    pytest.skip("mxnet is not installed", allow_module_level=True)

mxnet = find_framework("mxnet").mxnet
libraries = pytest.importorskip("opperf.networks.mxnet.libraries")


@pytest.mark.parametrize(
    ("name", "size", "count"),
    [
        ("alexnet", 224, 61_100_840),
        ("densenet121", 224, 7_978_856),
        ("inceptionv3", 299, 23_834_568),
        ("mobilenet1.0", 224, 4_231_976),
        ("squeezenet1.1", 224, 1_235_496),
    ],
)
def test_a_name_of_the_zoo_makes_that_network(name: str, size: int, count: int) -> None:
    """Of its usual size, with as many parameters as published, all of a known shape."""
    model = libraries.make_library_model(f"model_zoo:{name}")
    parameters = model.collect_params().values()
    assert model.size == size
    assert sum(prod(one.shape) for one in parameters if one.grad_req != "null") == count


def test_a_network_of_the_zoo_makes_a_step() -> None:
    """On images of another size than its usual one."""
    model = libraries.make_library_model("model_zoo:resnet18_v1", 32)
    model.initialize()
    inputs, labels = model.example(2, np.random.default_rng(0))
    with mxnet.autograd.record():
        loss = model.loss(model(*map(model.tensor, inputs)), model.tensor(labels))
    loss.backward()
    assert inputs[0].shape == (2, 3, 32, 32)
    assert loss.shape == (2,)
    assert np.isfinite(loss.asnumpy()).all()


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("model_zoo:resnet19_v1", None, "model of the zoo 'resnet19_v1'.*resnet18_v1"),
        ("zoo:resnet18_v1", None, "library of mxnet's models 'zoo'.*model_zoo"),
        ("model_zoo:alexnet", 8, "model 'model_zoo:alexnet' of size 8 cannot be made: "),
    ],
)
def test_what_cannot_be_made_is_said_in_one_line(
    name: str, size: int | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the nearest name, or why."""
    with pytest.raises(UsageError, match=message) as caught:
        libraries.make_library_model(name, size)
    assert "\n" not in str(caught.value)
    assert capsys.readouterr().out == ""
