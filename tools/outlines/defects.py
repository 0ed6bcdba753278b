"""Pictures of photographs with painted defects, and the mask of what was painted. Colours are 0..255, blue first."""

import cv2
import numpy as np
from scipy import ndimage

SIZE = 320
ROWS, COLUMNS = np.mgrid[:SIZE, :SIZE].astype(np.float32)
MOST_SUBPIXEL = 4  # cv2's fixed-point bits


def log_uniform(r, low, high):
    return float(np.exp(r.uniform(np.log(low), np.log(high))))


def noise(r, scale):
    """Smooth noise with features of `scale` pixels, [SIZE, SIZE]."""
    count = max(2, int(np.ceil(SIZE / scale)) + 2)
    coarse = r.standard_normal((count, count)).astype(np.float32)
    fine = cv2.resize(coarse, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)[:SIZE, :SIZE]
    return fine if fine.shape == (SIZE, SIZE) else cv2.resize(fine, (SIZE, SIZE))


def scene(r, file):
    """A square of the photograph, at a scale and a contrast of its own, float32 [SIZE, SIZE, 3]."""
    photograph = cv2.imread(str(file), cv2.IMREAD_COLOR)
    height, width = photograph.shape[:2]
    side = int(min(height, width, SIZE / log_uniform(r, 0.25, 1.6)))
    top, left = int(r.uniform(0, height - side + 1e-6)), int(r.uniform(0, width - side + 1e-6))
    mode = cv2.INTER_AREA if side > SIZE else cv2.INTER_CUBIC
    square = cv2.resize(photograph[top : top + side, left : left + side], (SIZE, SIZE), interpolation=mode)
    if r.random() < 0.35:
        square = cv2.cvtColor(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    square = square.astype(np.float32)
    if r.random() < 0.3:
        square = 128 + (square - square.mean()) * log_uniform(r, 0.25, 1.2) + r.uniform(-60, 60)
    if r.random() < 0.3:
        square = cv2.GaussianBlur(square, (0, 0), log_uniform(r, 0.5, 2))
    if r.random() < 0.3:
        square = square * log_uniform(r, 0.15, 1)
    return np.clip(square, 0, 255)


class Camera:
    """Noise and JPEG of one camera."""

    def __init__(self, r):
        self.r, self.level, self.quality = r, log_uniform(r, 0.3, 5), int(r.uniform(55, 101))

    def take(self, picture):
        """float32 to uint8 of the same shape."""
        noisy = picture + self.r.standard_normal(picture.shape).astype(np.float32) * self.level
        taken = np.clip(noisy, 0, 255).astype(np.uint8)
        return taken if self.quality == 100 else cv2.imdecode(cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], 1)

    def take_good(self, picture):
        """Another good item: a little moved, turned and lit otherwise."""
        r = self.r
        move = cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), r.normal(0, 0.4), 1 + r.normal(0, 0.004))
        move[:, 2] += r.normal(0, 1, 2)
        moved = cv2.warpAffine(picture, move, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return self.take(moved * (1 + r.normal(0, 0.02)) + r.normal(0, 1))


def blob(r, size):
    """An uneven superellipse, soft or sharp at its edge. Masks are [SIZE, SIZE], 0..1."""
    y, x = r.uniform(0.05, 0.95, 2) * SIZE
    stretch, angle = np.exp(r.normal(0, 0.5)), r.uniform(0, np.pi)
    across = ((COLUMNS - x) * np.cos(angle) + (ROWS - y) * np.sin(angle)) / (size / 2 * np.sqrt(stretch))
    along = (-(COLUMNS - x) * np.sin(angle) + (ROWS - y) * np.cos(angle)) / (size / 2 / np.sqrt(stretch))
    power = r.choice([2, 2, 2, 1, 4])
    radius = (np.abs(across) ** power + np.abs(along) ** power) ** (1 / power)
    radius += r.uniform(0, 0.45) * noise(r, max(2, size * r.uniform(0.15, 0.6)))
    soft = 1 if r.random() < 0.6 else log_uniform(r, 1, max(1.1, size / 4))
    return np.clip((1 - radius) * size / 2 / soft + 0.5, 0, 1)


def fixed(points):
    return (np.asarray(points) * (1 << MOST_SUBPIXEL)).astype(np.int32)


def polygon(r, size):
    y, x = r.uniform(0.05, 0.95, 2) * SIZE
    count = int(r.integers(3, 9))
    angle, radius = np.sort(r.uniform(0, 2 * np.pi, count)), size / 2 * r.uniform(0.4, 1, count)
    mask = np.zeros((SIZE, SIZE), np.float32)
    corners = np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1)
    cv2.fillPoly(mask, [fixed(corners)], 1, cv2.LINE_AA, MOST_SUBPIXEL)
    return mask


def scratch(r, length, width):
    steps, heading, bend = int(r.integers(6, 24)), r.uniform(0, 2 * np.pi), abs(r.normal(0, 0.25))
    points = [r.uniform(0.08, 0.92, 2) * SIZE]
    for _ in range(steps):
        heading += r.normal(0, bend)
        points.append(points[-1] + length / steps * np.array([np.cos(heading), np.sin(heading)]))
    mask = np.zeros((SIZE, SIZE), np.float32)
    cv2.polylines(mask, [fixed(points)], False, 1, max(1, round(width)), cv2.LINE_AA, MOST_SUBPIXEL)
    return mask * min(1, width)


def crack(r, length):
    mask = scratch(r, length, log_uniform(r, 0.7, 4))
    for _ in range(int(r.integers(0, 3))):
        branch = scratch(r, length * r.uniform(0.2, 0.6), log_uniform(r, 0.7, 3))
        places, starts = np.argwhere(mask > 0.5), np.argwhere(branch > 0.3)
        if len(places) and len(starts):
            mask = np.maximum(mask, ndimage.shift(branch, places[r.integers(len(places))] - starts[0], order=0))
    return mask


def specks(r, size):
    around, mask = np.argwhere(blob(r, max(size, 20)) > 0.5), np.zeros((SIZE, SIZE), np.float32)
    for _ in range(int(r.integers(3, 14)) if len(around) else 0):
        y, x = around[r.integers(len(around))]
        cv2.circle(mask, (int(x), int(y)), int(log_uniform(r, 1, 4)), 1, -1, cv2.LINE_AA)
    return mask


def shape_of(r, kind, size):
    if kind == "scratch":
        return scratch(r, log_uniform(r, 20, 220), log_uniform(r, 0.8, 7))
    if kind == "crack":
        return crack(r, log_uniform(r, 30, 220))
    if kind == "specks":
        return specks(r, size)
    if kind == "displaced" and r.random() < 0.4:  # a gap, as where something broke
        width = int(log_uniform(r, 3, 22))
        return np.clip(cv2.dilate(crack(r, log_uniform(r, 60, 260)), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))), 0, 1)
    return blob(r, size) if r.random() < 0.7 else polygon(r, size)


def colour(r, grey):
    return np.repeat(r.uniform(0, 255), 3) if grey or r.random() < 0.5 else r.uniform(0, 255, 3)


def filling(r, kind, picture, others, mask, size):
    """What the mask shows instead of the picture, how much of it, and the mask."""
    grey = np.ptp(picture.reshape(-1, 3), 1).max() < 3
    if kind in ("pasted", "displaced"):
        source = others[r.integers(len(others))] if kind == "pasted" else picture
        turned = kind == "pasted" or r.random() < 0.5
        move = cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), r.uniform(0, 360) if turned else 0, log_uniform(r, 0.7, 1.4) if kind == "pasted" else 1)
        move[:, 2] += r.uniform(-0.4, 0.4, 2) * SIZE
        piece = cv2.warpAffine(source, move, (SIZE, SIZE), borderMode=cv2.BORDER_REFLECT)
        if kind == "pasted" and r.random() < 0.5:
            piece = picture + (piece - piece.mean((0, 1))) * r.uniform(0.3, 1)
        return piece, 1, mask
    if kind == "texture":
        return colour(r, grey) + noise(r, log_uniform(r, 1, 40))[..., None] * r.uniform(3, 50), r.uniform(0.35, 1), mask
    if kind in ("scratch", "crack", "specks"):
        strength = r.uniform(0.4, 1)
        if r.random() < 0.4:
            return np.broadcast_to(colour(r, grey), picture.shape), strength, mask
        return picture + r.choice([-1, 1]) * r.uniform(20, 120), strength, mask
    if kind == "stain":
        tint = r.normal(0, 0.12, 3) * (not grey and r.random() < 0.5)
        return picture * np.exp(r.normal(0, 0.35) + tint) + r.normal(0, 20), 1, mask
    if kind == "bent":
        pull, scale = size * r.uniform(0.1, 0.4), max(4, size * r.uniform(0.4, 1.2))
        return cv2.remap(picture, COLUMNS + pull * noise(r, scale), ROWS + pull * noise(r, scale), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), 1, mask
    if kind == "smeared":
        return cv2.GaussianBlur(picture, (0, 0), max(1.5, size * r.uniform(0.05, 0.25))), 1, mask
    if kind == "missing":
        return cv2.medianBlur(picture.astype(np.uint8), 2 * int(r.uniform(4, 15)) + 1).astype(np.float32), 1, mask
    if kind == "dent":
        height, light = cv2.GaussianBlur(mask, (0, 0), max(1.0, size * 0.12)), r.uniform(0, 2 * np.pi)
        shade = cv2.Sobel(height, cv2.CV_32F, 1, 0) * np.cos(light) + cv2.Sobel(height, cv2.CV_32F, 0, 1) * np.sin(light)
        shade = shade / (np.abs(shade).max() + 1e-6) * r.uniform(30, 110)
        return picture + shade[..., None], 1, np.clip(cv2.dilate(mask, np.ones((3, 3))), 0, 1)
    return np.broadcast_to(colour(r, grey), picture.shape), r.uniform(0.35, 1), mask


KINDS = ("pasted", "displaced", "displaced", "displaced", "texture", "scratch", "crack", "stain", "stain", "bent", "smeared", "flat", "dent", "specks", "missing")
THIN = ("scratch", "crack", "specks")


def with_defects(r, picture, others, level):
    """@param others pictures to take pieces from @param level of the camera's noise
    @returns the picture, and a mask of what a person would see and outline; None where nothing can be seen"""
    painted, seen = picture.copy(), np.zeros((SIZE, SIZE), bool)
    for _ in range(r.choice([1, 1, 2, 2, 3])):
        size, kind = log_uniform(r, 6, 220), r.choice(KINDS)
        source, strength, mask = filling(r, kind, picture, others, shape_of(r, kind, size), size)
        changed = painted + (mask * strength)[..., None] * (np.clip(source, 0, 255) - painted)
        visible = cv2.GaussianBlur(np.abs(changed - painted).max(2), (0, 0), 1.5) > max(5, level * 1.2)
        part = (mask > 0.35) & visible
        if kind not in THIN:
            closed = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)) > 0
            part = ndimage.binary_fill_holes(closed) & (mask > 0.2)
        if part.sum() >= 12:
            painted, seen = changed, seen | part
    return np.clip(painted, 0, 255), seen if seen.any() else None
