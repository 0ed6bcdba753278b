"""Scalar fields, the raw material of every surface: float32 [SIZE, SIZE], scaled to 0..1.

Each takes a numpy Generator and draws its own parameters from it, so that a seed fixes a picture.
"""

import cv2
import numpy as np

SIZE = 256
ROWS, COLUMNS = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)


def log_uniform(r, low, high):
    return float(np.exp(r.uniform(np.log(low), np.log(high))))


def unit_range(field):
    low, high = float(field.min()), float(field.max())
    return ((field - low) * np.float32(1 / (high - low + 1e-6))).astype(np.float32)


def rotated_coordinates(r):
    """Coordinates along and across a random direction, pixels."""
    angle = r.uniform(0, np.pi)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return COLUMNS * c + ROWS * s, ROWS * c - COLUMNS * s


def rotated(r, field):
    """The field turned by a random angle; it must cover a square of side 1.5 SIZE."""
    side = field.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), r.uniform(0, 180), 1)
    matrix[:, 2] -= (side - SIZE) / 2
    return cv2.warpAffine(field, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def fractal(r, roughness=None, stretch=None):
    """Noise summed over octaves. `roughness` 0 smooth .. 1 every octave alike; `stretch` > 1 makes grain in one direction."""
    roughness = r.uniform(0.25, 1.0) if roughness is None else roughness
    if stretch is None:
        stretch = log_uniform(r, 1, 20) if r.random() < 0.4 else 1.0
    side = SIZE if stretch == 1 else SIZE * 3 // 2
    field, amplitude, cells = np.zeros((side, side), np.float32), 1.0, int(r.integers(2, 6))
    while cells <= side:
        across = max(2, int(cells / stretch))
        grid = r.standard_normal((cells, across), np.float32)
        field += np.float32(amplitude) * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC if cells < 64 else cv2.INTER_LINEAR)
        amplitude *= roughness
        cells *= 2
    return unit_range(field if side == SIZE else rotated(r, field))


def grain(r):
    """Fine noise of one scale, as of sand-blasted, ground or cast surfaces."""
    noise = cv2.GaussianBlur(r.standard_normal((SIZE, SIZE), np.float32), (0, 0), log_uniform(r, 0.4, 4))
    return unit_range(noise)


def brushed(r):
    return fractal(r, r.uniform(0.7, 1.0), log_uniform(r, 15, 120))


def turned(r):
    """Marks of a lathe: noise along the radius around a point."""
    x, y = r.uniform(-0.5 * SIZE, 1.5 * SIZE, 2)
    radius = np.hypot(COLUMNS - np.float32(x), ROWS - np.float32(y))
    profile = cv2.GaussianBlur(r.standard_normal((1, 1024), np.float32), (0, 0), log_uniform(r, 0.6, 6))[0]
    return unit_range(profile[np.minimum(radius, 1023).astype(np.int32)])


def grating(r):
    along, across = rotated_coordinates(r)
    period = log_uniform(r, 3, 60)
    if r.random() < 0.4:
        along = along + fractal(r) * np.float32(r.uniform(0, 60))
    wave = np.sin(along * np.float32(2 * np.pi / period) + np.float32(r.uniform(0, 6)))
    if r.random() < 0.4:
        wave = np.sign(wave) * np.abs(wave) ** np.float32(r.uniform(0.1, 1))
    if r.random() < 0.5:
        other = np.sin(across * np.float32(2 * np.pi / (period * r.uniform(0.5, 2))))
        wave = (wave * other, np.maximum(wave, other), wave + other)[r.integers(3)]
    return unit_range(wave)


def weave(r):
    """Threads over and under each other."""
    along, across = rotated_coordinates(r)
    wobble = fractal(r, 0.5, 1.0) * np.float32(r.uniform(0, 8))
    period = log_uniform(r, 5, 28)
    u, v = (along + wobble) / np.float32(period), (across + wobble) / np.float32(period)
    twill = int(r.integers(2, 5))
    over = ((np.floor(u) + np.floor(v)) % twill) < max(1, twill // 2)
    warp, weft = np.abs(np.sin(np.pi * u)), np.abs(np.sin(np.pi * v))
    return unit_range(np.where(over, warp, weft * np.float32(r.uniform(0.5, 1))))


def cells(r):
    """Voronoi cells: distance to the seeds, a level per cell, or both."""
    count = int(log_uniform(r, 8, 900))
    seeds = r.integers(0, SIZE, (count, 2))
    mask = np.full((SIZE, SIZE), 255, np.uint8)
    mask[seeds[:, 0], seeds[:, 1]] = 0
    distance, label = cv2.distanceTransformWithLabels(mask, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    kind = r.integers(3)
    if kind == 0:
        return unit_range(distance)
    level = r.random(int(label.max()) + 1, np.float32)[label]
    return level if kind == 1 else unit_range(level + distance * np.float32(r.uniform(-1, 1) / distance.max()))


def specks(r):
    points = (r.random((SIZE, SIZE), np.float32) < log_uniform(r, 0.0005, 0.1)).astype(np.float32)
    return unit_range(cv2.GaussianBlur(points, (0, 0), log_uniform(r, 0.5, 4)))


def rings(r):
    x, y = r.uniform(-SIZE, 2 * SIZE, 2)
    distance = np.hypot(COLUMNS - np.float32(x), (ROWS - np.float32(y)) * np.float32(r.uniform(0.2, 1.5)))
    distance = distance + fractal(r) * np.float32(r.uniform(0, 80))
    return unit_range(np.sin(distance / np.float32(log_uniform(r, 1.6, 20))))


def ramp(r):
    along, _ = rotated_coordinates(r)
    return unit_range(along + fractal(r) * np.float32(r.uniform(0, 60)))


def fibres(r):
    """Many thin strands, as in paper, felt, hair or fabric waste."""
    field = np.zeros((SIZE, SIZE), np.uint8)
    direction, spread = r.uniform(0, np.pi), r.uniform(0.05, 3)
    for _ in range(int(log_uniform(r, 20, 250))):
        start = r.uniform(-20, SIZE + 20, 2)
        angle = direction + r.normal(0, spread) + np.cumsum(r.normal(0, 0.25, 8))
        steps = np.stack([np.cos(angle), np.sin(angle)], 1) * r.uniform(4, 20)
        points = (np.vstack([start, start + np.cumsum(steps, 0)]) * 8).astype(np.int32)
        cv2.polylines(field, [points], False, int(r.integers(60, 256)), 1, cv2.LINE_AA, 3)
    return field.astype(np.float32) / 255


FIELDS = (fractal, grain, brushed, turned, grating, weave, cells, specks, rings, ramp, fibres)
WEIGHTS = np.array([0.22, 0.12, 0.07, 0.05, 0.13, 0.09, 0.11, 0.07, 0.05, 0.05, 0.04])


def any_field(r):
    return FIELDS[r.choice(len(FIELDS), p=WEIGHTS)](r)
