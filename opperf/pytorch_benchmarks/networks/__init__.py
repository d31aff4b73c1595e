"""Small forms of well-known networks in plain PyTorch, with random weights and example inputs.

Each module has functions that take a batch and return a network, its inputs, and a loss. They have
as many parameters as the published ones. Importing this package does not import torch.
"""

from types import MappingProxyType

FACTORIES = MappingProxyType(
    {
        "resnet18": "resnet:resnet18",
        "resnet50": "resnet:resnet50",
        "mobilenet_v2": "mobilenet:mobilenet_v2",
        "vgg16": "vgg:vgg16",
        "vit_b_16": "vit:vit_b_16",
        "bert_base": "bert:bert_base",
        "gpt2": "gpt2:gpt2",
        "lstm": "lstm:lstm",
        "unet": "unet:unet",
        "dlrm": "dlrm:dlrm",
    }
)
"""The module and the function of each, by the name that `opperf profile --builtin` takes."""
