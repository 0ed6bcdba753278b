"""Writes lessons: pictures and the teacher's answers to them, in shards that train.py reads while they come.

    python3 teach.py TEACHER.onnx FOLDER --seed 1 --first 0 --shards 200 [--keep 200] [--photographs FOLDER]

Shard i depends on the seed, i, the photographs and the basis alone. With `--keep` the oldest shards give way to new ones, so that the
folder stays within a fixed size (66 MB a shard).
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from photographs import Photographs
from pictures import shard
from targets import Basis, normalised, principal_basis, quantised
from teacher import Teacher

SHARD = 256
BATCH = 16
BASIS_SHARD = 1_000_000  # index outside the lessons'
BASIS_PICTURES = 768


def lesson(teacher, basis, seed: int, index: int, photographs=None):
    pictures = shard(seed, index, SHARD, photographs)
    fine, coarse = [], []
    for start in range(0, SHARD, BATCH):
        answers = basis.project(teacher(normalised(pictures[start : start + BATCH])))
        for kept, answer in zip((fine, coarse), answers, strict=True):
            kept.append(quantised(answer.permute(0, 2, 3, 1)).numpy())
    return pictures, np.concatenate(fine), np.concatenate(coarse)


def write(folder: Path, index: int, pictures, fine, coarse):
    """One file, complete or absent: pictures, then both levels, as one run of bytes."""
    target = folder / f"lesson-{index:06d}.bin"
    partial = target.with_suffix(".partial")
    with partial.open("wb") as file:
        for part in (pictures, fine, coarse):
            file.write(part.tobytes())
    partial.rename(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=200)
    parser.add_argument("--keep", type=int, default=200)
    parser.add_argument("--photographs", type=Path, help="a folder of JPEG files: three of four scenes come from it")
    parser.add_argument("--held-out", action="store_true", help="of the photographs, show only those held out for validation")
    options = parser.parse_args()
    photographs = Photographs(options.photographs, options.held_out) if options.photographs else None
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    teacher = Teacher(options.teacher, torch.bfloat16)
    basis_path = options.folder / "basis.pt"
    if not basis_path.exists():
        pictures = shard(options.seed, BASIS_SHARD, BASIS_PICTURES)
        principal_basis(teacher, (pictures[i : i + BATCH] for i in range(0, len(pictures), BATCH))).save(basis_path)
    basis = Basis.load(basis_path)
    for index in range(options.first, options.first + options.shards):
        if (options.folder / f"lesson-{index:06d}.bin").exists():
            continue
        write(options.folder, index, *lesson(teacher, basis, options.seed, index, photographs))
        for old in sorted(options.folder.glob("lesson-*.bin"))[: -options.keep]:
            old.unlink()


if __name__ == "__main__":
    main()
