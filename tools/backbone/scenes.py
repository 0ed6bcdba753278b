"""Whole pictures before the camera: float32 [SIZE, SIZE, 3]. Surfaces, products on a background, rows of parts, boards, labels."""

import cv2
import numpy as np
from fields import SIZE, fractal, log_uniform, ramp
from masks import SUBPIXEL, any_shape, as_mask, body, fixed
from surfaces import any_surface, cast, metal, palette, plain


def laid(picture, mask, layer):
    mask = mask[..., None]
    return picture + (layer - picture) * mask


def shadow(r, picture, mask):
    soft = np.roll(cv2.GaussianBlur(mask, (0, 0), log_uniform(r, 1, 9)), tuple(r.integers(-8, 9, 2)), (0, 1))
    return picture * (1 - np.float32(0.7 * r.random()) * soft)[..., None]


def layer_for(r, size):
    return any_surface(r) if size > 8 and r.random() < 0.5 else palette(r, 1)[0].astype(np.float32)[None, None]


def collage(r):
    """Shapes of all kinds and sizes over a surface."""
    picture = any_surface(r)
    count = int(log_uniform(r, 1, 30))
    fills = [any_surface(r) for _ in range(min(3, count))]
    for _ in range(count):
        size = log_uniform(r, 2, 110)
        mask = any_shape(r, size)
        if r.random() < 0.3:
            mask = cv2.GaussianBlur(mask, (0, 0), log_uniform(r, 0.5, 4))
        if r.random() < 0.25:
            picture = shadow(r, picture, mask)
        fill = fills[r.integers(len(fills))] if r.random() < 0.5 else palette(r, 1)[0].astype(np.float32)[None, None]
        picture = laid(picture, mask * np.float32(1 if r.random() < 0.7 else r.uniform(0.1, 0.9)), fill)
    return picture


def surface(r):
    return any_surface(r)


def machined(r):
    """A metal or cast face, sometimes with an edge, a groove or a stripe of other finish."""
    picture = (metal if r.random() < 0.5 else cast)(r)
    for _ in range(int(r.integers(0, 4))):
        x = r.uniform(0, SIZE)
        tilt, width = r.normal(0, 12), log_uniform(r, 1, 60)
        canvas = np.zeros((SIZE, SIZE), np.uint8)
        cv2.fillPoly(canvas, [fixed([(x, -2), (x + width, -2), (x + width + tilt, SIZE + 2), (x + tilt, SIZE + 2)])], 255, cv2.LINE_AA, SUBPIXEL)
        mask = as_mask(canvas if r.random() < 0.5 else np.ascontiguousarray(canvas.T))
        if r.random() < 0.5:
            mask = cv2.GaussianBlur(mask, (0, 0), log_uniform(r, 0.5, 6))
        fill = picture * np.float32(log_uniform(r, 0.4, 1.8)) if r.random() < 0.7 else (metal if r.random() < 0.5 else cast)(r)
        picture = laid(picture, mask, fill)
    return picture


def rounded(r, mask, layer):
    """Shading that falls off towards the outline, and a highlight: a solid body instead of a cut-out."""
    inside = (mask > 0.5).astype(np.uint8)
    depth = cv2.distanceTransform(inside, cv2.DIST_L2, 3)
    reach = log_uniform(r, 3, 50)
    height = np.sqrt(np.clip(depth / np.float32(reach), 0, 1))
    height = cv2.GaussianBlur(height, (0, 0), log_uniform(r, 0.7, 4))
    slope_x, slope_y = cv2.Sobel(height, cv2.CV_32F, 1, 0), cv2.Sobel(height, cv2.CV_32F, 0, 1)
    angle = r.uniform(0, 2 * np.pi)
    light = np.float32(np.cos(angle)) * slope_x + np.float32(np.sin(angle)) * slope_y
    shaded = layer * (1 + np.float32(r.uniform(0.1, 1.2)) * light.clip(-0.8, 0.8))[..., None]
    if r.random() < 0.4:
        shaded = shaded + (np.float32(r.uniform(0.2, 0.9)) * np.clip(light, 0, 1) ** 3)[..., None]
    return shaded


def product(r):
    """One body on a plain or textured background, with holes, marks and parts of its own."""
    background = plain(r) * np.float32(r.choice([0.1, 0.5, 1.0])) if r.random() < 0.6 else any_surface(r)
    mask = body(r)
    if r.random() < 0.5:
        background = shadow(r, background, mask)
    layer = any_surface(r)
    for _ in range(int(r.integers(0, 8))):
        size = log_uniform(r, 2, 45)
        centre = tuple(int(v) for v in SIZE / 2 + r.normal(0, 35, 2))
        layer = laid(layer, any_shape(r, size, centre), layer_for(r, size))
    if r.random() < 0.75:
        layer = rounded(r, mask, layer)
    return laid(background, mask, layer)


def parts(r):
    """The same part again and again, in rows or scattered."""
    picture = any_surface(r) if r.random() < 0.5 else plain(r)
    tile = int(r.integers(24, 100))
    stamp = cv2.resize(product(r), (tile, tile), interpolation=cv2.INTER_AREA)
    round_mask = np.zeros((tile, tile), np.uint8)
    cv2.ellipse(round_mask, (tile // 2,) * 2, (int(tile * 0.47), int(tile * r.uniform(0.25, 0.47))), 0, 0, 360, 255, -1, cv2.LINE_AA)
    alpha = as_mask(round_mask)[..., None] if r.random() < 0.7 else np.ones((tile, tile, 1), np.float32)
    pitch, jitter = int(tile * r.uniform(0.9, 1.5)), r.choice([0, 1, 6])
    for y in range(-(tile // 2), SIZE, pitch):
        for x in range(-(tile // 2), SIZE, pitch):
            top, left = y + int(r.normal(0, jitter)), x + int(r.normal(0, jitter))
            t0, l0, t1, l1 = max(top, 0), max(left, 0), min(top + tile, SIZE), min(left + tile, SIZE)
            if t1 <= t0 or l1 <= l0:
                continue
            window = (slice(t0 - top, t1 - top), slice(l0 - left, l1 - left))
            place = picture[t0:t1, l0:l1]
            picture[t0:t1, l0:l1] = place + (stamp[window] - place) * alpha[window]
    return picture


def trace(r, canvas, width):
    """A conductor that turns by 45 degrees."""
    point, heading = r.uniform(0, SIZE, 2), int(r.integers(8))
    points = [point]
    for _ in range(int(r.integers(2, 7))):
        point = point + log_uniform(r, 8, 90) * np.array([np.cos(heading * np.pi / 4), np.sin(heading * np.pi / 4)])
        points.append(point)
        heading += int(r.choice([-1, 1]))
    cv2.polylines(canvas, [fixed(points)], False, 255, width, cv2.LINE_AA, SUBPIXEL)
    for end in (points[0], points[-1]):
        cv2.circle(canvas, tuple(fixed(end)), int(width * r.uniform(1, 2.2) * 8), 255, -1, cv2.LINE_AA, SUBPIXEL)


def board(r):
    """A circuit board: traces, pads, vias, parts, print."""
    black, white = np.zeros(3, np.float32), np.ones(3, np.float32)
    binary = r.random() < 0.3
    base, copper = (black, white) if binary else (palette(r, 1)[0].astype(np.float32), palette(r, 1)[0].astype(np.float32))
    picture = np.broadcast_to(base, (SIZE, SIZE, 3)).astype(np.float32, order="C")
    if not binary:
        picture = picture * (0.9 + 0.2 * fractal(r))[..., None]
    canvas, width = np.zeros((SIZE, SIZE), np.uint8), int(r.integers(1, 9))
    for _ in range(int(log_uniform(r, 4, 40))):
        trace(r, canvas, width)
    if r.random() < 0.5:
        pitch, side, top, left = int(r.integers(5, 20)), int(r.integers(2, 9)), int(r.integers(0, 200)), int(r.integers(0, 200))
        for x in range(left, min(SIZE, left + pitch * int(r.integers(4, 16))), pitch):
            cv2.rectangle(canvas, (x, top), (x + side, top + 2 * side), 255, -1)
    picture = laid(picture, as_mask(canvas), copper[None, None])
    drills = np.zeros((SIZE, SIZE), np.uint8)
    for _ in range(int(r.integers(0, 25))):
        cv2.circle(drills, tuple(int(v) for v in r.integers(0, SIZE, 2)), int(r.integers(1, 6)), 255, -1, cv2.LINE_AA)
    picture = np.ascontiguousarray(laid(picture, as_mask(drills), base[None, None] * 0.3), np.float32)
    for _ in range(0 if binary else int(r.integers(0, 6))):
        x, y, w, h = (int(v) for v in (*r.integers(0, SIZE, 2), *r.integers(6, 60, 2)))
        cv2.rectangle(picture, (x, y), (x + w, y + h), tuple(float(v) for v in palette(r, 1)[0]), -1)
    return printed(r, picture) if r.random() < 0.5 else picture


def printed(r, picture):
    """Lines of text, a bar code or a frame upon a picture."""
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    scale, font = r.uniform(0.25, 1.2), int(r.integers(0, 8))
    left, y = int(r.integers(0, 80)), int(r.integers(0, 100))
    for _ in range(int(r.integers(1, 8))):
        letters = "".join(chr(r.integers(33, 127)) for _ in range(r.integers(2, 20)))
        cv2.putText(canvas, letters, (left, y), font, scale, 255, int(r.integers(1, 3)), cv2.LINE_AA)
        y += int(32 * scale) + 4
    if r.random() < 0.3:
        x, top = int(r.integers(0, 150)), int(r.integers(0, 200))
        for stripe in np.cumsum(r.integers(1, 6, 30)):
            cv2.rectangle(canvas, (x + int(stripe), top), (x + int(stripe) + int(r.integers(0, 3)), top + 40), 255, -1)
    ink = palette(r, 1)[0].astype(np.float32)[None, None]
    return laid(picture, as_mask(canvas), ink)


def label(r):
    return printed(r, plain(r) if r.random() < 0.5 else any_surface(r))


def gradient(r):
    """Glass, glaze, sky: almost nothing but a slow change of brightness."""
    return plain(r) * (1 + np.float32(r.uniform(0.1, 0.8)) * (ramp(r) - 0.5))[..., None]


SCENES = (surface, collage, machined, product, parts, board, label, gradient)
WEIGHTS = np.array([0.18, 0.25, 0.14, 0.2, 0.07, 0.08, 0.05, 0.03])


def any_scene(r):
    return SCENES[r.choice(len(SCENES), p=WEIGHTS)](r)
