"""python3 crops.py PHOTOGRAPHS MODEL crops --seed 1 --pictures 2000

Paints defects on photographs, computes the anomaly map that the product has of each, and keeps the squares around
regions of the map: what the network is given, and the mask that it should answer with.
"""

import argparse
import struct
import subprocess
from pathlib import Path

import cv2
import numpy as np
from defects import SIZE, Camera, scene, with_defects
from scipy import ndimage

SIDE = 64  # samples along each side of a square
ROOM, LEAST_SIDE = 1 / 3, 64  # as in src/vision/anomaly-map/outline-network.ts
REFINEMENT = 5
EIGHT = np.ones((3, 3), int)


class Features:
    """Patch features by the product, in a process of its own."""

    def __init__(self, model):
        command = ["npx", "tsx", "features.ts", str(SIZE), str(Path(model).resolve())]
        self.process = subprocess.Popen(command, cwd=Path(__file__).parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, picture):
        """uint8 [SIZE, SIZE, 3], blue first, to float32 [rows, columns, dims]"""
        self.process.stdin.write(np.ascontiguousarray(picture[:, :, ::-1]).tobytes())
        self.process.stdin.flush()
        shape = struct.unpack("<iii", self.process.stdout.read(12))
        return np.frombuffer(self.process.stdout.read(int(np.prod(shape)) * 4), np.float32).reshape(shape)


def anomaly_map(features, bank):
    """Distances from the nearest features of good pictures, smoothed and refined as in the product."""
    patches = features.reshape(-1, features.shape[-1])
    squares = (patches**2).sum(1)[:, None] + (bank**2).sum(1) - 2 * patches @ bank.T
    distances = np.sqrt(np.maximum(squares.min(1), 0)).reshape(features.shape[:2])
    smooth = ndimage.gaussian_filter(distances, 1, mode="nearest", truncate=3)
    return cv2.resize(smooth, None, fx=REFINEMENT, fy=REFINEMENT, interpolation=cv2.INTER_LINEAR)


def part_at(scores, place, level):
    labels, _ = ndimage.label(scores >= level, EIGHT)
    return labels == labels[place]


def regions(scores, limit):
    """Peaks and the cells that they grow to, as in src/vision/anomaly-map/map-regions.ts."""
    lower = 0.88 * limit
    highest = ndimage.maximum_filter(scores, 3, mode="constant", cval=-1)
    candidates = sorted(map(tuple, np.argwhere((scores >= highest) & (scores >= limit))), key=lambda place: -scores[place])
    taken, peaks, is_peak = np.zeros(scores.shape, bool), [], np.zeros(scores.shape, bool)
    for place in candidates:
        around = part_at(scores, place, (lower + scores[place]) / 2)
        if not (around & (taken | (scores > scores[place]))).any():
            taken |= around
            peaks.append(place)
            is_peak[place] = True
    found = []
    for place in peaks:
        lowest, separate = max(lower, 0.4 * scores[place]), (lower + scores[place]) / 2
        levels = [lowest + (separate - lowest) * step / 8 for step in range(8)]
        parts = (part_at(scores, place, level) for level in levels)
        found.append((place, next((part for part in parts if (part & is_peak).sum() == 1), part_at(scores, place, separate))))
    return found


def square_around(r, grown):
    """A square of the picture, a little moved: left, top, side."""
    rows, columns = np.where(grown.any(1))[0], np.where(grown.any(0))[0]
    cell = SIZE / len(grown)
    x, y = (columns[0] + columns[-1] + 1) / 2 * cell, (rows[0] + rows[-1] + 1) / 2 * cell
    longer = max(columns[-1] + 1 - columns[0], rows[-1] + 1 - rows[0]) * cell
    side = max(LEAST_SIDE, (1 + 2 * ROOM) * longer) * np.exp(r.normal(0, 0.12))
    return x - side / 2 + r.normal(0, 0.05) * side, y - side / 2 + r.normal(0, 0.05) * side, side


def sampled(values, square, border=cv2.BORDER_REPLICATE):
    """Means over [SIDE, SIDE] samples of the square. @param values over the whole picture, in cells of any size"""
    left, top, side = square
    scale = len(values) / SIZE
    count = SIDE * int(np.clip(side * scale / SIDE, 1, 8))
    step = side / count * scale
    place = np.array([[step, 0, left * scale + step / 2 - 0.5], [0, step, top * scale + step / 2 - 0.5]], np.float32)
    fine = cv2.warpAffine(values, place, (count, count), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=border)
    return cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def crops_of(r, picture, mask, scores, background, count):
    """@param background highest score of a good picture"""
    least = max(background * 1.05, 0.3 * scores.max())
    labels, _ = ndimage.label(mask, EIGHT)
    for _ in range(count if least < 0.97 * scores.max() else 0):
        limit = np.exp(r.uniform(np.log(least), np.log(0.97 * scores.max())))
        found = regions(scores, limit)
        peak, grown = found[0 if r.random() < 0.5 else r.integers(len(found))]
        covered = cv2.resize(grown.astype(np.uint8), (SIZE, SIZE), interpolation=cv2.INTER_NEAREST) > 0
        defect = np.isin(labels, np.unique(labels[covered])) & (labels > 0)
        if defect.sum() < 12 or (defect & covered).sum() < 0.1 * defect.sum():
            continue
        square = square_around(r, grown)
        answer = sampled(defect.astype(np.float32), square, cv2.BORDER_CONSTANT)
        yield {
            "pixels": sampled(picture, square),
            "scores": (sampled(scores, square) / limit).astype(np.float16),
            "grown": sampled(grown.astype(np.float32), square, cv2.BORDER_CONSTANT) > 0.5,
            "peak": np.float32(scores[peak] / limit),
            "mask": np.round(answer * 255).astype(np.uint8),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("model")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", type=int, default=2000)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    r = np.random.default_rng(given.seed)
    files = sorted(given.photographs.glob("*.jpg"))
    features = Features(given.model)
    others = [scene(r, files[i]) for i in r.integers(0, len(files), 12)]
    crops, painted = [], 0
    while painted < given.pictures:
        good, camera = scene(r, files[r.integers(len(files))]), Camera(r)
        others[r.integers(len(others))] = good
        bank = np.concatenate([part.reshape(-1, part.shape[-1]) for part in (features(camera.take_good(good)) for _ in range(2))])
        background = anomaly_map(features(camera.take_good(good)), bank).max()
        for _ in range(2):
            picture, mask = with_defects(r, good, others, camera.level)
            if mask is None:
                continue
            taken = camera.take(picture)
            crops.extend(crops_of(r, taken, mask, anomaly_map(features(taken), bank), background, 2))
            painted += 1
    given.folder.mkdir(exist_ok=True)
    np.savez(given.folder / f"{given.seed}.npz", **{name: np.array([crop[name] for crop in crops]) for name in crops[0]})
    print(f"{len(crops)} crops of {painted} pictures")


if __name__ == "__main__":
    main()
