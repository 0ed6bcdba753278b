"""Reads what teach.py wrote: batches of pictures and targets, with clean and faulty twins side by side."""

from pathlib import Path

import numpy as np
import torch
from pictures import CROP
from targets import DIMENSIONS, normalised, restored
from teach import SHARD

SHAPES = ((SHARD, CROP, CROP, 3), (SHARD, CROP // 8, CROP // 8, DIMENSIONS[0]), (SHARD, CROP // 16, CROP // 16, DIMENSIONS[1]))
TYPES = (np.uint8, np.int8, np.int8)


def open_shard(path: Path):
    parts, offset = [], 0
    for shape, kind in zip(SHAPES, TYPES, strict=True):
        parts.append(np.memmap(path, kind, "r", offset, shape))
        offset += int(np.prod(shape))
    return parts


def on_channels(codes: np.ndarray):
    """int8 (N, h, w, C) -> float32 (N, C, h, w)."""
    return restored(torch.from_numpy(np.array(codes))).permute(0, 3, 1, 2)


class Lessons:
    """A pool of shards that follows the folder. A batch is `pairs` pairs (clean, faulty, clean, faulty, …), then singles."""

    def __init__(self, folder: Path, seed: int):
        self.folder, self.random, self.shards = folder, np.random.default_rng(seed), {}

    def refresh(self):
        present = {p.name: p for p in self.folder.glob("lesson-*.bin")}
        self.shards = {n: self.shards.get(n) or open_shard(p) for n, p in sorted(present.items())}
        return len(self.shards)

    def _indices(self, pairs: int, singles: int):
        scenes = self.random.integers(SHARD // 4, size=pairs + singles)
        paired = (4 * scenes[:pairs, None] + np.arange(2)).ravel()
        return np.concatenate([paired, 4 * scenes[pairs:] + 2 + self.random.integers(2, size=singles)])

    def batch(self, pairs: int, singles: int):
        names = list(self.shards)
        chosen = self.random.integers(len(names), size=pairs + singles)
        owners = np.concatenate([np.repeat(chosen[:pairs], 2), chosen[pairs:]])
        rows = [
            [part[i] for part in self.shards[names[owner]]]
            for owner, i in zip(owners, self._indices(pairs, singles), strict=True)
        ]
        pictures, fine, coarse = (np.stack(column) for column in zip(*rows, strict=True))
        x = normalised(pictures).contiguous(memory_format=torch.channels_last)
        return x, (on_channels(fine), on_channels(coarse))


def fixed_batches(path: Path, size=16):
    """One shard in order, for validation; every group of four begins with a pair."""
    pictures, fine, coarse = open_shard(path)
    for start in range(0, SHARD, size):
        part = slice(start, start + size)
        yield normalised(pictures[part]), (on_channels(fine[part]), on_channels(coarse[part]))
