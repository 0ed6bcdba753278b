"""Small faults put into a scene, so that the student learns how the teacher's answer changes where a product goes wrong."""

import cv2
import numpy as np
from fields import SIZE, fractal, log_uniform
from masks import SUBPIXEL, any_shape, as_mask, fixed
from scenes import laid
from surfaces import any_surface, palette


def spot(r):
    """A place in the picture, pixels (x, y)."""
    return r.uniform(0.15, 0.85, 2) * SIZE


def shifted_brightness(r, picture, mask):
    """Lighter, darker or another colour, faint or strong."""
    strength = np.float32(log_uniform(r, 0.1, 1))
    if r.random() < 0.7:
        target = np.float32(0.0 if r.random() < 0.6 else 1.0)
    else:
        target = palette(r, 1)[0].astype(np.float32)[None, None]
    return laid(picture, mask * strength, np.broadcast_to(target, (1, 1, 3)))


def wandering(r, start, length, bend, count):
    angle = r.uniform(0, 2 * np.pi) + np.cumsum(r.normal(0, bend, count))
    return np.vstack([start, start + np.cumsum(np.stack([np.cos(angle), np.sin(angle)], 1) * (length / count), 0)])


def stroke(r, paths, width):
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    cv2.polylines(canvas, [fixed(p) for p in paths], False, 255, width, cv2.LINE_AA, SUBPIXEL)
    mask = as_mask(canvas)
    return cv2.GaussianBlur(mask, (0, 0), r.uniform(0.4, 1.5)) if r.random() < 0.5 else mask


def scratch(r, picture):
    path = wandering(r, spot(r), log_uniform(r, 10, 160), 0.05, 8)
    return shifted_brightness(r, picture, stroke(r, [path], int(r.integers(1, 3))))


def crack(r, picture):
    main = wandering(r, spot(r), log_uniform(r, 15, 160), 0.6, 16)
    branches = [wandering(r, main[r.integers(len(main))], log_uniform(r, 5, 40), 0.6, 6) for _ in range(r.integers(0, 4))]
    return shifted_brightness(r, picture, stroke(r, [main, *branches], int(r.integers(1, 3))))


def blowhole(r, picture):
    """Dark pits with a bright rim."""
    for _ in range(int(r.integers(1, 4))):
        canvas = np.zeros((SIZE, SIZE), np.uint8)
        size = log_uniform(r, 0.8, 9)
        centre = tuple(fixed(spot(r)))
        axes = (int(size * 8), int(size * r.uniform(0.4, 1) * 8))
        cv2.ellipse(canvas, centre, axes, r.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA, SUBPIXEL)
        mask = cv2.GaussianBlur(as_mask(canvas), (0, 0), r.uniform(0.4, 1.5))
        rim = np.clip(np.roll(mask, tuple(r.integers(-2, 3, 2)), (0, 1)) - mask, 0, 1)
        picture = picture * (1 - np.float32(log_uniform(r, 0.15, 1)) * mask)[..., None]
        picture = picture + (np.float32(r.uniform(0, 0.5)) * rim)[..., None]
    return picture


def stain(r, picture):
    size = log_uniform(r, 3, 40)
    mask = any_shape(r, size, tuple(int(v) for v in spot(r)))
    return shifted_brightness(r, picture, cv2.GaussianBlur(mask, (0, 0), log_uniform(r, 0.5, 10)))


def local_mask(r, low, high):
    x, y = spot(r)
    radius = log_uniform(r, low, high)
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    cv2.ellipse(canvas, (int(x), int(y)), (int(radius) + 1, int(radius * r.uniform(0.4, 1)) + 1), r.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(as_mask(canvas), (0, 0), log_uniform(r, 0.5, 4))
    return mask * (fractal(r, 0.6, 1.0) > r.uniform(0.2, 0.6)) if r.random() < 0.4 else mask


def missing(r, picture):
    """A piece gone: what lies below is seen."""
    below = palette(r, 1)[0].astype(np.float32)[None, None] if r.random() < 0.5 else any_surface(r)
    return laid(picture, local_mask(r, 3, 30), below)


def displaced(r, picture):
    """A piece of the same product where it should not be, mirrored or shifted."""
    other = np.roll(picture, tuple(r.integers(-80, 81, 2)), (0, 1))
    return laid(picture, local_mask(r, 4, 35), other[:, ::-1] if r.random() < 0.3 else other)


def smeared(r, picture):
    return laid(picture, local_mask(r, 5, 40), cv2.GaussianBlur(picture, (0, 0), log_uniform(r, 1, 6)))


def roughened(r, picture):
    noise = (r.standard_normal((SIZE, SIZE, 1), np.float32)) * np.float32(log_uniform(r, 0.03, 0.3))
    return laid(picture, local_mask(r, 4, 40), picture + cv2.GaussianBlur(noise, (0, 0), r.uniform(0.5, 2))[..., None])


def bent(r, picture):
    """The picture pushed aside around a place."""
    x, y = spot(r)
    columns, rows = np.meshgrid(np.arange(SIZE, dtype=np.float32), np.arange(SIZE, dtype=np.float32))
    pull = np.exp(-((columns - np.float32(x)) ** 2 + (rows - np.float32(y)) ** 2) / np.float32(2 * log_uniform(r, 5, 30) ** 2))
    dx, dy = r.normal(0, 8, 2).astype(np.float32)
    return cv2.remap(picture, columns + dx * pull, rows + dy * pull, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def debris(r, picture):
    """A foreign body: thread, chip, grain."""
    mask = any_shape(r, log_uniform(r, 2, 20), tuple(int(v) for v in spot(r)))
    return laid(picture, mask, any_surface(r) if r.random() < 0.4 else palette(r, 1)[0].astype(np.float32)[None, None])


DEFECTS = (scratch, crack, blowhole, stain, missing, displaced, smeared, roughened, bent, debris)


def with_defects(r, picture):
    for _ in range(int(r.integers(1, 4))):
        picture = DEFECTS[r.integers(len(DEFECTS))](r, picture)
    return picture
