"""The student: bottleneck blocks at strides 4, 8 and 16, a linear head on each of the last two. About 740 million
multiplications for 256x256."""

import torch
import torch.nn.functional as F
from targets import DIMENSIONS
from torch import nn

BLOCKS = (1, 3, 7)  # at strides 4, 8, 16


def convolution(inputs, outputs, size, stride=1):
    return [nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)]


class Block(nn.Module):
    def __init__(self, channels: int, narrow: int):
        super().__init__()
        self.path = nn.Sequential(
            *convolution(channels, narrow, 1), nn.ReLU(inplace=True),
            *convolution(narrow, narrow, 3), nn.ReLU(inplace=True),
            *convolution(narrow, channels, 1),
        )  # fmt: skip

    def forward(self, x):
        return F.relu(x + self.path(x))


class Student(nn.Module):
    """(N, 3, H, W), normalised -> level8 (N, 192, H/8, W/8), level16 (N, 256, H/16, W/16)."""

    def __init__(self, blocks=BLOCKS):
        super().__init__()
        relu = nn.ReLU(inplace=True)
        self.stem = nn.Sequential(*convolution(3, 32, 3, 2), relu, *convolution(32, 64, 3, 2), relu)
        self.stage4 = nn.Sequential(*[Block(64, 32) for _ in range(blocks[0])])
        self.down8 = nn.Sequential(*convolution(64, 128, 3, 2), relu)
        self.stage8 = nn.Sequential(*[Block(128, 64) for _ in range(blocks[1])])
        self.down16 = nn.Sequential(*convolution(128, 256, 3, 2), relu)
        self.stage16 = nn.Sequential(*[Block(256, 96) for _ in range(blocks[2])])
        self.head8 = nn.Conv2d(128, DIMENSIONS[0], 1)
        self.head16 = nn.Conv2d(256, DIMENSIONS[1], 1)

    def trunk(self, x):
        """Features below the heads."""
        fine = self.stage8(self.down8(self.stage4(self.stem(x))))
        return fine, self.stage16(self.down16(fine))

    def forward(self, x):
        fine, coarse = self.trunk(x)
        return self.head8(fine), self.head16(coarse)

    def convolutions(self):
        """(convolution, its batch norm) in the order of computation, without the heads."""
        modules = [m for m in self.modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
        return [(a, b) for a, b in zip(modules, modules[1:], strict=False) if isinstance(b, nn.BatchNorm2d)]


@torch.no_grad()
def recalibrated(student, batches):
    """Batch norm statistics as plain means over `batches` of inputs, for weights that were averaged."""
    norms = [m for m in student.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    student.train()
    for x in batches:
        student(x.contiguous(memory_format=torch.channels_last))
    student.eval()
    for norm in norms:
        norm.momentum = 0.1
    return student
