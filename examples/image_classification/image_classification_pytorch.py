"""Train a small residual network in PyTorch on synthetic images; logs like the Gluon script."""

from __future__ import annotations

import sys

import torch
from common import CHANNELS, CLASSES, EpochLog, draw_images, parse_arguments
from torch import nn

WIDTH = 8


class Residual(nn.Module):
    """x + conv(relu(conv(x))), each convolution with its batch norm."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        return torch.relu(data + self.body(data))


def make_network() -> nn.Module:
    """Return two residual blocks behind a convolution with stride, and a dense layer."""
    return nn.Sequential(
        nn.Conv2d(CHANNELS, WIDTH, 3, stride=2, padding=1),
        Residual(WIDTH),
        nn.MaxPool2d(2),
        Residual(WIDTH),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(WIDTH, CLASSES),
    )


def main() -> None:
    """Train and validate."""
    arguments = parse_arguments(__doc__)
    if arguments.gpus > torch.cuda.device_count():
        sys.exit(f"--gpus {arguments.gpus}: this machine has {torch.cuda.device_count()}")
    place = "cuda:0" if arguments.gpus else "cpu"
    torch.manual_seed(arguments.seed)
    images, labels = draw_images(arguments.batches * arguments.batch_size, arguments.seed)
    data, targets = torch.from_numpy(images).to(place), torch.from_numpy(labels).to(place)
    drawn = draw_images(arguments.batch_size * 2, arguments.seed + 1)
    held_out, truth = map(torch.from_numpy, drawn)
    network = make_network().to(place)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for epoch in range(arguments.epochs):
        log = EpochLog(epoch, arguments.log_interval)
        network.train()
        for batch in range(arguments.batches):
            rows = slice(batch * arguments.batch_size, (batch + 1) * arguments.batch_size)
            optimizer.zero_grad()
            outputs = network(data[rows])
            nn.functional.cross_entropy(outputs, targets[rows]).backward()
            optimizer.step()
            right = (outputs.argmax(1) == targets[rows]).sum().item()
            log.add(batch, int(right), arguments.batch_size)
        network.eval()
        with torch.no_grad():
            found = network(held_out.to(place)).argmax(1).cpu()
        log.end((found == truth).float().mean().item())


if __name__ == "__main__":
    main()
