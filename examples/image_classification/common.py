"""What both training scripts share: arguments, synthetic images, and the lines of their logs."""

from __future__ import annotations

import argparse
import logging
import time

import numpy as np

CLASSES, SIZE, CHANNELS = 10, 32, 3
"""Of CIFAR-10, whose images are not needed: these are drawn."""


def parse_arguments(purpose: str) -> argparse.Namespace:
    """Return the arguments, and let what is logged go to stderr."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--model", choices=["resnet_small"], default="resnet_small")
    parser.add_argument("--dataset", choices=["cifar10"], default="cifar10")
    parser.add_argument("--mode", choices=["imperative", "hybrid"], default="imperative")
    parser.add_argument("--gpus", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--batches", type=int, default=8, help="of an epoch")
    parser.add_argument("--log-interval", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    logging.basicConfig(level=logging.INFO)
    return parser.parse_args()


def draw_images(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return images in the shape of CIFAR-10's, each its class's own pattern in noise."""
    patterns = np.random.default_rng(0).standard_normal((CLASSES, CHANNELS, SIZE, SIZE))
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, CLASSES, count)
    noise = generator.standard_normal((count, CHANNELS, SIZE, SIZE))
    return (patterns[labels] + noise).astype("float32"), labels.astype("int64")


LOG = logging.getLogger()
"""The root's, whose lines begin with INFO:root: as those of Gluon's scripts do."""


class EpochLog:
    """Logs an epoch as Gluon's training scripts do."""

    def __init__(self, epoch: int, interval: int) -> None:
        self.epoch, self.interval = epoch, interval
        self.began = self.since = time.perf_counter()
        self.right = self.seen = self.seen_since = 0

    def add(self, batch: int, right: int, size: int) -> None:
        """Count a batch; log the speed over the last ones."""
        self.right += right
        self.seen += size
        self.seen_since += size
        if (batch + 1) % self.interval == 0:
            now = time.perf_counter()
            speed, accuracy = self.seen_since / (now - self.since), self.right / self.seen
            message = "Epoch[%d] Batch [%d]\tSpeed: %f samples/sec\taccuracy=%f"
            LOG.info(message, self.epoch, batch, speed, accuracy)
            self.since, self.seen_since = now, 0

    def end(self, validation: float) -> None:
        """Log what the epoch came to."""
        LOG.info("[Epoch %d] training: accuracy=%f", self.epoch, self.right / self.seen)
        LOG.info("[Epoch %d] time cost: %f", self.epoch, time.perf_counter() - self.began)
        LOG.info("[Epoch %d] validation: accuracy=%f", self.epoch, validation)
