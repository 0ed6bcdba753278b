"""Pictures for the student to learn from: generated scenes, and squares of photographs where a folder of them is given.

    python3 pictures.py SEED SHEET.png [PHOTOGRAPHS]     # a sheet of examples to look at
"""

import sys
from pathlib import Path

import cv2
import numpy as np
from camera import Camera
from defects import with_defects
from fields import SIZE
from photographs import Photographs
from scenes import any_scene

CROP = 192
CROPS_PER_SCENE = 4
PHOTOGRAPHED = 0.75  # share of scenes that are photographs
AS_TAKEN = 0.6  # share of photographs that keep their own light, blur and noise


def as_bytes_only(scene):
    return np.clip(scene * 255 + np.float32(0.5), 0, 255).astype(np.uint8)


def pair_of_pictures(r, photographs=None):
    """A picture and its faulty twin, uint8 [SIZE, SIZE, 3], seen by the same camera."""
    if photographs is None or r.random() >= PHOTOGRAPHED:
        scene, camera = any_scene(r), Camera(r)
    else:
        scene = photographs.scene(r)
        camera = as_bytes_only if r.random() < AS_TAKEN else Camera(r)
    return camera(scene), camera(with_defects(r, scene))


def crop(r, pictures):
    """The same random crop, zoom, turn and mirroring of each picture, uint8 [CROP, CROP, 3]."""
    side = int(r.integers(CROP * 2 // 3, SIZE + 1))
    top, left = r.integers(0, SIZE - side + 1, 2)
    mode = cv2.INTER_AREA if side > CROP else cv2.INTER_LINEAR
    turns, mirrored = int(r.integers(4)), r.random() < 0.5
    out = []
    for picture in pictures:
        part = cv2.resize(picture[top : top + side, left : left + side], (CROP, CROP), interpolation=mode)
        part = np.rot90(part, turns)
        out.append(part[:, ::-1] if mirrored else part)
    return out


def shard(seed: int, index: int, count: int, photographs: Photographs | None = None):
    """uint8 [count, CROP, CROP, 3]: of every four crops the first two are a clean one and its faulty twin, the
    other two are crops of the clean and of the faulty picture at other places. Depends on seed, index and the
    photographs alone."""
    r = np.random.default_rng([seed, index])
    out = np.empty((count, CROP, CROP, 3), np.uint8)
    for start in range(0, count, CROPS_PER_SCENE):
        clean, faulty = pair_of_pictures(r, photographs)
        crops = [*crop(r, (clean, faulty)), *crop(r, (clean,)), *crop(r, (faulty,))]
        out[start : start + CROPS_PER_SCENE] = np.stack(crops)[: count - start]
    return out


def main():
    seed, path = int(sys.argv[1]), sys.argv[2]
    photographs = Photographs(Path(sys.argv[3])) if len(sys.argv) > 3 else None
    pictures = shard(seed, 0, 64, photographs)
    sheet = pictures.reshape(8, 8, CROP, CROP, 3).transpose(0, 2, 1, 3, 4).reshape(8 * CROP, 8 * CROP, 3)
    cv2.imwrite(path, sheet[:, :, ::-1])


if __name__ == "__main__":
    main()
