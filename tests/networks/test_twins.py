"""A network of MXNet with the numbers of its twin in PyTorch returns what that returns."""

from __future__ import annotations

from importlib import import_module
from math import sqrt
from typing import Any

import numpy as np
import pytest
import torch

from opperf.core.frameworks.registry import find_framework
from opperf.networks.discovery import find_entries
from opperf.networks.registry import implementation_of, make_model

if not find_framework("mxnet").is_installed():
    pytest.skip("mxnet is not installed", allow_module_level=True)

mxnet = find_framework("mxnet").mxnet
Constant = mxnet.gluon.Constant
ENTRIES = {framework: find_entries(framework) for framework in ("mxnet", "pytorch")}
BATCH = 2
NEAR = 3e-5
"""Part of the greatest number; and a hundredth of that by which two examples must differ."""
CLASSES = (
    "alexnet", "bert_base", "deep_mnist", "deep_speech2", "dlrm", "googlenet", "gpt2", "inception3",
    "inception4", "inception_resnet_v2", "lstm", "mobilenet_v2", "overfeat", "resnet18", "resnet50",
    "sensor_net", "unet", "vgg11", "vit_b_16",
)  # fmt: skip
"""A network of each class, and of each block of ResNet."""
FEWER = {
    "bert_base": {"LAYERS": 2, "VOCABULARY": 1000},
    "deep_speech2": {"HIDDEN": 128},
    "dlrm": {"ROWS": 1000},
    "gpt2": {"LAYERS": 2, "VOCABULARY": 1000},
    "vit_b_16": {"LAYERS": 2},
}
"""What large networks have less of here, and are as telling with."""
NORMAL = np.random.default_rng(0).standard_normal(9973, dtype=np.float32)


def smallest(name: str, framework: str) -> Any:
    """Return a network of the least size that a step works with in both frameworks."""
    tiny = max(implementation_of(entries[name])[0].tiny for entries in ENTRIES.values())
    return make_model(ENTRIES[framework][name], tiny)


def scattered(network: torch.nn.Module) -> list[np.ndarray[Any, Any]]:
    """Return the numbers of a network in order, drawn so that its inputs show in its output."""
    found = []
    for name, one in network.state_dict().items():
        if one.is_floating_point():
            drawn = np.resize(NORMAL, one.shape)
            if one.dim() > 1:
                drawn *= sqrt(2 / one[0].numel())
            elif name.endswith(("weight", "running_var")) and "." in name:
                drawn = 1 + np.abs(drawn) / 4
            else:
                drawn /= 10
            one.copy_(torch.from_numpy(drawn))
            found.append(drawn)
    return found


def test_twins_have_the_same_facts() -> None:
    """Sizes, the batch, classes and channels."""
    facts = [
        {
            name: [
                getattr(implementation_of(entry)[0], fact)
                for fact in ("size", "tiny", "batch", "classes", "channels")
            ]
            for name, entry in entries.items()
        }
        for entries in ENTRIES.values()
    ]
    assert facts[0] == facts[1]


@pytest.mark.parametrize("name", CLASSES)
def test_twins_return_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And their losses are the same, and the gradients of these by what they return."""
    for entries in ENTRIES.values():
        for constant, value in FEWER.get(name, {}).items():
            monkeypatch.setattr(import_module(entries[name].module), constant, value)
    ours, theirs = smallest(name, "mxnet"), smallest(name, "pytorch").eval()
    parameters = ours.collect_params()
    parameters.setattr("grad_req", "null")
    ours.initialize(mxnet.init.Zero())
    own = [one for one in parameters.values() if not isinstance(one, Constant)]
    for parameter, numbers in zip(own, scattered(theirs), strict=True):
        assert parameter.shape == numbers.shape
        parameter.set_data(mxnet.nd.from_numpy(numbers))
    inputs, labels = theirs.example(BATCH, np.random.default_rng(0))
    with torch.no_grad():
        expected = theirs(*map(theirs.tensor, inputs)).requires_grad_()
    output = ours(*map(ours.tensor, inputs))
    output.attach_grad()
    with mxnet.autograd.record():
        loss = ours.loss(output, ours.tensor(labels)).mean()
    loss.backward()
    expected_loss = theirs.loss(expected, theirs.tensor(labels))
    expected_loss.backward()
    found, wanted = output.asnumpy(), expected.detach().numpy()
    assert np.ptp(wanted, axis=0).max() > 100 * NEAR * np.abs(wanted).max()
    pairs = [
        (found, wanted),
        (loss.asnumpy(), expected_loss.detach().numpy()),
        (output.grad.asnumpy(), expected.grad.numpy()),
    ]
    for one, other in pairs:
        np.testing.assert_allclose(one, other, rtol=0, atol=NEAR * np.abs(other).max())
