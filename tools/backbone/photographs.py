"""Real photographs as scenes. The folder is not part of the project: the model card names the sources and their terms.

Every twentieth photograph is held out: lessons never show it, validation shows nothing else.
"""

from pathlib import Path

import cv2
import numpy as np
from fields import SIZE, log_uniform

HELD_OUT = 20
SMALLEST_CROP = 0.35  # of the short side: smaller ones hold nothing but blur


class Photographs:
    def __init__(self, folder: Path, held_out: bool = False):
        files = sorted(folder.glob("*.jpg"))
        self.files = [file for i, file in enumerate(files) if (i % HELD_OUT == 0) == held_out]
        if not self.files:
            raise FileNotFoundError(f"no photograph in {folder}")

    def scene(self, r):
        """A square of a photograph, float32 [SIZE, SIZE, 3] in 0..1, red first."""
        picture = cv2.imread(str(self.files[r.integers(len(self.files))]), cv2.IMREAD_COLOR)[:, :, ::-1]
        short = min(picture.shape[:2])
        side = max(32, int(short * log_uniform(r, SMALLEST_CROP, 1)))
        top = int(r.integers(0, picture.shape[0] - side + 1))
        left = int(r.integers(0, picture.shape[1] - side + 1))
        mode = cv2.INTER_AREA if side > SIZE else cv2.INTER_CUBIC
        square = cv2.resize(np.ascontiguousarray(picture[top : top + side, left : left + side]), (SIZE, SIZE), interpolation=mode)
        return square.astype(np.float32) / 255
