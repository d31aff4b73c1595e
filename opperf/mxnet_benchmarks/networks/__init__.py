"""The networks of opperf.pytorch_benchmarks.networks in plain Gluon, with as many parameters.

Each module has functions that take a batch and return a block, its inputs, a loss and its target.
Importing this package does not import mxnet.
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
