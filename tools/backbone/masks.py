"""Shapes as masks: float32 [SIZE, SIZE], 0..1."""

import cv2
import numpy as np
from fields import SIZE, fractal, log_uniform

SUBPIXEL = 3  # cv2's fixed-point bits


def fixed(points):
    return (np.asarray(points) * (1 << SUBPIXEL)).astype(np.int32)


def as_mask(canvas):
    return canvas.astype(np.float32) * np.float32(1 / 255)


def ellipse(r, canvas, centre, size):
    axes = (max(1, int(size)), max(1, int(size * r.uniform(0.2, 1))))
    cv2.ellipse(canvas, centre, axes, r.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)


def box(r, canvas, centre, size):
    corners = cv2.boxPoints((centre, (size * 2.0, max(2.0, size * 2 * r.uniform(0.1, 1))), float(r.uniform(0, 180))))
    cv2.fillPoly(canvas, [fixed(corners)], 255, cv2.LINE_AA, SUBPIXEL)


def polygon(r, canvas, centre, size):
    count = int(r.integers(3, 9))
    angle = np.sort(r.uniform(0, 2 * np.pi, count))
    radius = size * r.uniform(0.4, 1, count)
    points = np.stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)], 1)
    cv2.fillPoly(canvas, [fixed(points)], 255, cv2.LINE_AA, SUBPIXEL)


def ring(r, canvas, centre, size):
    cv2.ellipse(canvas, centre, (max(1, int(size)),) * 2, 0, 0, 360, 255, max(1, int(size * r.uniform(0.05, 0.5))), cv2.LINE_AA)


def line(r, canvas, centre, size):
    points = np.cumsum(r.normal(0, size / 3, (int(r.integers(3, 12)), 2)), 0) + centre
    cv2.polylines(canvas, [fixed(points)], False, 255, int(r.integers(1, max(2, size / 6) + 1)), cv2.LINE_AA, SUBPIXEL)


def text(r, canvas, centre, size):
    letters = "".join(chr(r.integers(33, 127)) for _ in range(r.integers(1, 8)))
    cv2.putText(canvas, letters, centre, int(r.integers(0, 8)), size / 25, 255, int(r.integers(1, 4)), cv2.LINE_AA)


def blotch(r, canvas, centre, size):
    field = fractal(r, r.uniform(0.3, 0.8), 1.0)
    share = min(0.5, (size / SIZE) * r.uniform(0.3, 1.5))
    np.maximum(canvas, (field > np.quantile(field[::4, ::4], 1 - share)).astype(np.uint8) * 255, out=canvas)


SHAPES = (ellipse, box, polygon, ring, line, text, blotch)


def any_shape(r, size, centre=None):
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    centre = tuple(int(v) for v in r.integers(0, SIZE, 2)) if centre is None else centre
    SHAPES[r.integers(len(SHAPES))](r, canvas, centre, size)
    return as_mask(canvas)


def body(r):
    """The outline of one product in the middle of the picture."""
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    centre = tuple(int(v) for v in SIZE / 2 + r.normal(0, 8, 2))
    size = r.uniform(50, 125)
    (ellipse, box, polygon, ring)[r.choice(4, p=[0.4, 0.35, 0.15, 0.1])](r, canvas, centre, size)
    if r.random() < 0.3:
        field = cv2.GaussianBlur(canvas, (0, 0), log_uniform(r, 2, 8)).astype(np.float32)
        canvas = ((field + 120 * (fractal(r, 0.5, 1.0) - 0.5)) > 128).astype(np.uint8) * 255
        canvas = cv2.GaussianBlur(canvas, (0, 0), 0.7)
    return as_mask(canvas)
