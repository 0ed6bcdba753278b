"""Pictures for the student to learn from, generated from a seed alone: no photograph is involved.

    python3 procedural_pictures.py SEED SHEET.png     # a sheet of examples to look at
"""

import sys

import cv2
import numpy as np
from camera import Camera
from defects import with_defects
from fields import SIZE
from scenes import any_scene

CROP = 192
CROPS_PER_SCENE = 4


def pair_of_pictures(r):
    """A picture and its faulty twin, uint8 [SIZE, SIZE, 3], seen by the same camera."""
    scene, camera = any_scene(r), Camera(r)
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


def shard(seed: int, index: int, count: int):
    """uint8 [count, CROP, CROP, 3]: of every four crops the first two are a clean one and its faulty twin, the
    other two are crops of the clean and of the faulty picture at other places. Depends on seed and index only."""
    r = np.random.default_rng([seed, index])
    out = np.empty((count, CROP, CROP, 3), np.uint8)
    for start in range(0, count, CROPS_PER_SCENE):
        clean, faulty = pair_of_pictures(r)
        crops = [*crop(r, (clean, faulty)), *crop(r, (clean,)), *crop(r, (faulty,))]
        out[start : start + CROPS_PER_SCENE] = np.stack(crops)[: count - start]
    return out


def main():
    seed, path = int(sys.argv[1]), sys.argv[2]
    pictures = shard(seed, 0, 64)
    sheet = pictures.reshape(8, 8, CROP, CROP, 3).transpose(0, 2, 1, 3, 4).reshape(8 * CROP, 8 * CROP, 3)
    cv2.imwrite(path, sheet[:, :, ::-1])


if __name__ == "__main__":
    main()
