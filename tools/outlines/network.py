"""A small U-Net (Ronneberger et al. 2015): where the defect is, in a square around a region of the anomaly map."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

CHANNELS = (16, 32, 64, 96)


def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True))


class OutlineNetwork(nn.Module):
    """(N, 6, 64, 64) by `network_input` to logits (N, 1, 64, 64)."""

    def __init__(self):
        super().__init__()
        a, b, c, d = CHANNELS
        self.down = nn.ModuleList(nn.Sequential(block(i, o), block(o, o)) for i, o in ((6, a), (a, b), (b, c), (c, d)))
        self.narrow = nn.ModuleList(nn.Conv2d(i, o, 1) for i, o in ((d, c), (c, b), (b, a)))
        self.up = nn.ModuleList(block(o, o) for o in (c, b, a))
        self.answer = nn.Conv2d(a, 1, 1)

    def forward(self, x):
        levels = []
        for at, down in enumerate(self.down):
            x = down(F.max_pool2d(x, 2) if at else x)
            levels.append(x)
        for narrow, up, level in zip(self.narrow, self.up, levels[-2::-1]):
            x = up(level + F.interpolate(narrow(x), scale_factor=2, mode="nearest"))
        return self.answer(x)


def network_input(pixels, scores, grown, peak):
    """The same as `toInput` in src/vision/anomaly-map/outline-network.ts.
    @param pixels uint8 [N, 64, 64, 3] @param scores over the limit, [N, 64, 64] @param grown bool @param peak [N]"""
    x = pixels.astype(np.float32)
    x = (x - x.mean((1, 2, 3), keepdims=True)) / (x.std((1, 2, 3), keepdims=True) + 8)
    over = np.clip(scores - 1, -1, 2)[..., None]
    height = (scores / peak[:, None, None])[..., None]
    return np.concatenate([x, over, height, grown[..., None]], 3).astype(np.float32).transpose(0, 3, 1, 2)
