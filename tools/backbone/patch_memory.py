"""A plain patch memory (after Roth et al. 2022) for comparing networks: random bank, nearest neighbour,
maximum of the smoothed map. The product's own engine is TypeScript; this one only ranks candidates."""

import cv2
import numpy as np
import torch
import torch.nn.functional as F


def joined_levels(levels):
    """[(N, C, h, w)…] from fine to coarse -> (N, sum of C, h, w) on the finest grid, each cell the mean of its 3x3 cells."""
    pooled = [F.avg_pool2d(level, 3, 1, 1, count_include_pad=False) for level in levels]
    grid = pooled[0].shape[-2:]
    same = [pooled[0]] + [F.interpolate(p, size=grid, mode="bilinear", align_corners=False) for p in pooled[1:]]
    return torch.cat(same, 1)


class PatchMemory:
    def __init__(self, features, size: int, seed: int):
        """features: list of (C, h, w). Keeps `size` patches drawn at random without repetition."""
        generator = np.random.default_rng(seed)
        count, channels = len(features), features[0].shape[0]
        cells = features[0].shape[1] * features[0].shape[2]
        chosen = generator.choice(count * cells, min(size, count * cells), replace=False)
        flat = [f.reshape(channels, cells) for f in features]
        bank = torch.stack([flat[i // cells][:, i % cells] for i in chosen])
        self.bank = bank[:, :, None, None].contiguous()
        self.norms = (bank**2).sum(1)[None, :, None, None]

    def distances(self, features):
        """(C, h, w) -> (h, w) distance to the nearest kept patch. A 1x1 convolution is the fastest product here."""
        channels, rows, columns = features.shape
        x = features.reshape(channels, 16, -1).transpose(0, 1)[..., None]  # torch's fast 1x1 kernel wants a batch of 16
        squared = F.conv2d(x, self.bank).mul_(-2).add_(self.norms).amin(1) + (x**2).sum(1)
        return squared.clamp_min(0).sqrt().reshape(rows, columns).numpy()


def image_score(distances, size: int) -> float:
    """Maximum of the map enlarged to the input's size and smoothed with sigma 4 pixels, as PatchCore does."""
    enlarged = cv2.resize(distances, (size, size), interpolation=cv2.INTER_LINEAR)
    return float(cv2.GaussianBlur(enlarged, (0, 0), 4).max())


def area_under_roc(good, defect) -> float:
    """Chance that a defect scores higher than a good item; ties count half."""
    g, d = np.asarray(good), np.asarray(defect)[:, None]
    return float(((d > g).mean() + (d >= g).mean()) / 2)
