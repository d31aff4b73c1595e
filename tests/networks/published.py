"""Figures of others for networks that stand here too, by our ids."""

from __future__ import annotations

DLBS = {
    "acoustic_model": 34_678_784,
    "alexnet": 62_378_344,
    "alexnet_owt": 61_100_840,
    "deep_mnist": 11_972_510,
    "googlenet": 6_998_552,
    "inception3": 23_869_094,
    "inception4": 42_743_133,
    "overfeat": 145_920_872,
    "resnet18": 11_703_485,
    "resnet34": 21_819_085,
    "resnet50": 25_610_269,
    "resnet101": 44_654_608,
    "resnet152": 60_344_387,
    "resnet200": 64_850_035,
    "resnet269": 102_326_456,
    "vgg11": 132_863_336,
    "vgg13": 133_047_848,
    "vgg16": 138_357_544,
    "vgg19": 143_667_240,
}
"""Parameters by the table "Supported models" of dlbs, docs/models/models.md.

They are those of Caffe's files, which keep three more of a batch normalization: the running mean
and variance of each channel, and one factor.
"""
DLBS_ONLY = {
    # The first block of these has a shortcut of a 1x1 convolution, which the paper has not:
    # its weights, its batch normalization's scale and shift, and those three.
    "resnet18": 64 * 64 + 4 * 64 + 1,
    "resnet34": 64 * 64 + 4 * 64 + 1,
    # The first convolution of this one has a bias.
    "resnet50": 64,
}
"""Parameters in that table of what we, as the papers, do not have."""
LIBRARIES = {
    "alexnet_owt": 61_100_840,
    "inception_resnet_v2": 55_843_464,
    "inception4": 42_679_816,
    # 27,161,264 with an auxiliary classifier of 3,326,696.
    "inception3": 27_161_264 - 3_326_696,
    "mobilenet_v2": 3_504_872,
    "resnet18": 11_689_512,
    "resnet34": 21_797_672,
    "resnet50": 25_557_032,
    "resnet101": 44_549_160,
    "resnet152": 60_192_808,
    "vgg11": 132_863_336,
    "vgg13": 133_047_848,
    "vgg16": 138_357_544,
    "vgg19": 143_667_240,
    "vit_b_16": 86_567_656,
    "bert_base": 109_482_240,
    "gpt2": 124_439_808,
}
"""Parameters by torchvision's table of weights, transformers' models, and imgclsmob's tests."""
OPERATIONS = {
    "alexnet": 1.14,
    "alexnet_owt": 0.714,
    "inception3": 5.713,
    "inception4": 12.28,
    "inception_resnet_v2": 13.18,
    "overfeat": 2.81,
    "mobilenet_v2": 0.301,
    "resnet18": 1.814,
    "resnet34": 3.664,
    "resnet50": 4.089,
    "resnet101": 7.801,
    "resnet152": 11.514,
    "vgg11": 7.609,
    "vgg13": 11.308,
    "vgg16": 15.470,
    "vgg19": 19.632,
}
"""Billions of multiplications of an example, each with its addition.

By the column "GFLOPS" of torchvision's table of weights; AlexNet's by dlbs, docs/models/models.md;
OverFeat's by table 4 of its paper; of Inception v4 and Inception-ResNet by timm's results.
"""
