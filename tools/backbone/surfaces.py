"""Coloured surfaces: float32 [SIZE, SIZE, 3], about 0..1, made of scalar fields."""

import numpy as np
from fields import SIZE, any_field, brushed, fibres, fractal, grain, log_uniform, specks, turned, unit_range, weave


def palette(r, count):
    """`count` colours, often close to each other, often without saturation."""
    kind = r.random()
    first = r.random(3)
    if kind < 0.35:
        first = np.full(3, r.random()) + r.normal(0, 0.03, 3)
        return np.clip(first + r.uniform(0.03, 0.9) * (r.random((count, 1)) - 0.5) + r.normal(0, 0.01, (count, 3)), 0, 1)
    if kind < 0.7:
        return np.clip(first + (r.random((count, 3)) - 0.5) * r.uniform(0.05, 0.8), 0, 1)
    return r.random((count, 3))


def coloured(r, field, colours=None):
    """The field through a table of 256 colours between the palette's."""
    colours = palette(r, int(r.integers(2, 5))) if colours is None else colours
    positions = np.linspace(0, 1, len(colours))
    ramp = np.linspace(0, 1, 1024) ** (log_uniform(r, 0.3, 3) if r.random() < 0.3 else 1)
    table = np.stack([np.interp(ramp, positions, colours[:, c]) for c in range(3)], 1).astype(np.float32)
    return table[(field * 1023).astype(np.int32)]


def plain(r):
    return np.broadcast_to(palette(r, 1)[0].astype(np.float32), (SIZE, SIZE, 3)).copy()


def around(colour, field, contrast):
    """A colour made lighter and darker by a field."""
    return (colour[None, None] * (1 + contrast * (field - field.mean()))[..., None]).astype(np.float32)


def metal(r):
    base = np.full(3, r.uniform(0.12, 0.8)) + r.normal(0, 0.02, 3)
    kind = r.integers(3)
    marks = brushed(r) if kind == 0 else turned(r) if kind == 1 else grain(r)
    surface = around(base, marks, r.uniform(0.05, 0.8))
    return surface * (1 + r.uniform(0, 0.6) * (fractal(r, 0.4) - 0.5))[..., None]


def cast(r):
    """Dark matt grey with fine grain and faint clouds, as of ferrite, castings and concrete."""
    base = np.full(3, r.uniform(0.1, 0.7)) + r.normal(0, 0.01, 3)
    field = grain(r) * r.uniform(0.05, 0.5) + fractal(r, r.uniform(0.4, 0.9)) * r.uniform(0.05, 0.5)
    if r.random() < 0.4:
        field = field - specks(r) * r.uniform(0, 0.5)
    return around(base, field, r.uniform(0.3, 1.5))


def fabric(r):
    colours = palette(r, 2)
    surface = coloured(r, weave(r), colours)
    return surface * (1 + r.uniform(0, 0.5) * (grain(r) - 0.5))[..., None]


def baked(r):
    """Crumb, nut, leather, stone: clouds of two scales and specks."""
    field = unit_range(fractal(r, r.uniform(0.5, 0.9), 1.0) + r.uniform(0, 1) * grain(r))
    surface = coloured(r, field)
    stains = (specks(r) * r.uniform(0, 1.2))[..., None].clip(0, 1)
    return surface * (1 - stains) + palette(r, 1)[0].astype(np.float32) * stains


def paper(r):
    base = r.uniform(0.5, 1) + r.normal(0, 0.05, 3)
    return around(base, fibres(r) if r.random() < 0.5 else grain(r), r.uniform(0, 0.3))


def mixed(r):
    weight = np.float32(r.uniform(0.2, 0.8))
    return coloured(r, any_field(r)) * weight + coloured(r, any_field(r)) * (1 - weight)


def any_field_surface(r):
    return coloured(r, any_field(r))


SURFACES = (any_field_surface, plain, metal, cast, fabric, baked, paper, mixed)
WEIGHTS = np.array([0.36, 0.14, 0.12, 0.12, 0.07, 0.08, 0.04, 0.07])


def any_surface(r):
    return SURFACES[r.choice(len(SURFACES), p=WEIGHTS)](r)
