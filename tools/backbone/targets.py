"""What the student must answer: the teacher's stages 2 and 3, centred, compressed by PCA, in bytes on disk.

Both levels are divided by one number each (`scale`), so that the mean variance of a kept component is 1.
"""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

LEVELS = (1, 2)  # of the teacher's three
DIMENSIONS = (192, 256)
MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)
ALPHA = 255  # fourth byte of each pixel, for networks that take bytes
REACH = 16.0  # largest value that a byte can stand for


def normalised(pictures: np.ndarray):
    """uint8 (N, H, W, 3) -> float32 (N, 3, H, W), the network's input."""
    x = torch.from_numpy(np.array(pictures, order="C")).permute(0, 3, 1, 2).float().div_(255)
    return (x - torch.tensor(MEAN)[None, :, None, None]) / torch.tensor(DEVIATION)[None, :, None, None]


def as_bytes(x):
    """float32 (N, 3, H, W), normalised -> uint8 (N, H, W, 4): red, green, blue, ALPHA."""
    colours = x * torch.tensor(DEVIATION)[None, :, None, None] + torch.tensor(MEAN)[None, :, None, None]
    return F.pad((colours * 255).round().clamp(0, 255), (0, 0, 0, 0, 0, 1), value=ALPHA).permute(0, 2, 3, 1).byte()


def quantised(values):
    """float -> int8, finest around 0: q = 127·sign(v)·sqrt(|v|/REACH)."""
    return (values.sign() * (values.abs() / REACH).sqrt().clamp(max=1) * 127).round().to(torch.int8)


def restored(codes):
    q = codes.float() / 127
    return q * q.abs() * REACH


class Basis:
    """Means, principal directions and variances of each level."""

    def __init__(self, means, directions, variances):
        self.means, self.directions, self.variances = means, directions, variances
        self.scales = [float(v.mean().sqrt()) for v in variances]
        self.kernels = [
            (u.t() / s)[:, :, None, None].contiguous() for u, s in zip(directions, self.scales, strict=True)
        ]
        self.offsets = [
            -F.conv2d(m[None, :, None, None], k)[0, :, 0, 0] for m, k in zip(means, self.kernels, strict=True)
        ]

    def project(self, levels):
        """The teacher's three levels -> [(N, 192, H/8, W/8), (N, 256, H/16, W/16)]."""
        chosen = [levels[i] for i in LEVELS]
        return [F.conv2d(x, k, b) for x, k, b in zip(chosen, self.kernels, self.offsets, strict=True)]

    def save(self, path: Path):
        torch.save({"means": self.means, "directions": self.directions, "variances": self.variances}, path)

    @staticmethod
    def load(path: Path) -> "Basis":
        return Basis(**{name: [t.float() for t in parts] for name, parts in torch.load(path).items()})


def principal_basis(teacher, batches) -> Basis:
    """PCA of each level over all positions of all pictures in `batches` (uint8, N >= 16 each)."""
    sums = [0.0 for _ in LEVELS]
    products = [0.0 for _ in LEVELS]
    counts = [0 for _ in LEVELS]
    for pictures in batches:
        levels = teacher(normalised(pictures))
        for i, level in enumerate(LEVELS):
            x = levels[level].permute(1, 0, 2, 3).flatten(1)[:, :, None, None].contiguous()  # [channels, positions, 1, 1]
            products[i] = products[i] + F.conv2d(x, x)[:, :, 0, 0].double()
            sums[i] = sums[i] + x.sum((1, 2, 3)).double()
            counts[i] += x.shape[1]
    means, directions, variances = [], [], []
    for total, product, count, size in zip(sums, products, counts, DIMENSIONS, strict=True):
        mean = total / count
        values, vectors = torch.linalg.eigh(product / count - mean[:, None] * mean[None])
        values, vectors = values.flip(0), vectors.flip(1)
        print(f"{size} of {len(values)} components keep {float(values[:size].sum() / values.sum()):.4f} of the variance")
        means.append(mean.float())
        directions.append(vectors[:, :size].float().contiguous())
        variances.append(values[:size].float())
    return Basis(means, directions, variances)
