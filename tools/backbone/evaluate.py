"""Ranks networks on folders of products: image AUROC of a patch memory.

    python3 evaluate.py DATA NETWORK.onnx… --sets bottle cookie --fine-weight 1 0.5 0

DATA/SET/train/good, test/good, test/<kind>. A network is an export of ours or the teacher's file. `--fine-weight` tries
factors on the finer level. Only for ranking candidates; nothing is learned from these pictures.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from exported_network import exported_network
from patch_memory import PatchMemory, area_under_roc, image_score, joined_levels
from targets import normalised
from teacher import Teacher

SIZE = 256
BATCH = 16


def network(path: Path):
    if "resnet50v2" not in path.name:
        return exported_network(path)
    teacher = Teacher(path, torch.bfloat16)
    return lambda x: teacher(x)[1:]


def drawn(paths, count: int):
    """`count` of the paths by a fixed draw, all if there are fewer."""
    paths = sorted(paths)
    chosen = np.random.default_rng(0).permutation(len(paths))[:count]
    return [paths[i] for i in sorted(chosen)]


def split(folder: Path, train: int, good: int, defects: int):
    faulty = [drawn(kind.glob("*"), defects) for kind in sorted((folder / "test").iterdir()) if kind.name != "good"]
    return (
        drawn((folder / "train" / "good").glob("*"), train),
        drawn((folder / "test" / "good").glob("*"), good),
        [path for kind in faulty for path in kind],
    )


def picture(path: Path):
    image = cv2.resize(cv2.imread(str(path)), (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(image[:, :, ::-1])


def features(forward, paths):
    levels = []
    for start in range(0, len(paths), BATCH):
        answers = forward(normalised(np.stack([picture(p) for p in paths[start : start + BATCH]])))
        levels += [list(one) for one in zip(*answers, strict=True)]
    return levels


def measured(levels, parts, weight: float, bank: int):
    """AUROC over all defects, and of each kind."""
    train, good, faulty = parts
    scaled = {}
    for path, (fine, coarse) in levels.items():
        used = [fine[None] * weight, coarse[None]] if weight else [coarse[None]]
        scaled[path] = joined_levels(used)[0]
    memory = PatchMemory([scaled[p] for p in train], bank, 0)
    scores = {p: image_score(memory.distances(scaled[p]), SIZE) for p in good + faulty}
    normal = [scores[p] for p in good]
    kinds = {p.parent.name: [] for p in faulty}
    for path in faulty:
        kinds[path.parent.name].append(scores[path])
    each = {kind: round(area_under_roc(normal, values), 3) for kind, values in kinds.items()}
    return area_under_roc(normal, [scores[p] for p in faulty]), each


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--sets", nargs="+", required=True)
    parser.add_argument("--fine-weight", type=float, nargs="+", default=[1.0])
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--good", type=int, default=200)
    parser.add_argument("--defects", type=int, default=200, help="of each kind")
    parser.add_argument("--bank", type=int, default=8000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    for name in options.sets:
        parts = split(options.data / name, options.train, options.good, options.defects)
        paths = [path for part in parts for path in part]
        print(name, *(len(part) for part in parts), flush=True)
        for path in options.networks:
            levels = dict(zip(paths, features(network(path), paths), strict=True))
            for weight in options.fine_weight:
                score, kinds = measured(levels, parts, weight, options.bank)
                print(f"  {path.stem} fine {weight}: {score:.4f} {kinds}", flush=True)


if __name__ == "__main__":
    main()
