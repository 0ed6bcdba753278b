"""Small inspection tasks, drawn on the device that trains: good pictures of one scene, and the same scene with painted
defects. Pictures are float32 (N, 3, H, W) in 0..1, red first; masks are (N, 1, H, W).

Everything is drawn for a whole batch at once: on a GPU some hundred scenes a second, on a CPU about one.
"""

import math
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

STORED = 400  # side of a stored photograph
SHORT = 312  # its short side before it was mirrored
SCENE = 288
CROP = 224
POINTS = 14  # corners of a painted stroke
KINDS = ("pasted", "displaced", "texture", "flat", "lighter", "stain", "bent", "smeared", "dent", "line", "line_flat", "specks")
WEIGHTS = (1.0, 2.5, 1.0, 1.0, 1.5, 2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0)


def stored(picture):
    """A photograph as a square uint8 [STORED, STORED, 3], red first; what is missing at the short side is mirrored."""
    height, width = picture.shape[:2]
    scale = STORED / max(height, width)
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = cv2.resize(picture, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=mode)
    bottom, right = STORED - picture.shape[0], STORED - picture.shape[1]
    return cv2.copyMakeBorder(picture, 0, bottom, 0, right, cv2.BORDER_REFLECT)[:, :, ::-1]


def read_photographs(paths: list[Path]):
    return np.stack([stored(cv2.imread(str(path), cv2.IMREAD_COLOR)) for path in paths])


class Draw:
    """Random numbers on one device, one column a sample: (N, 1, 1, 1)."""

    def __init__(self, device, seed: int):
        self.device = device
        self.generator = torch.Generator(device).manual_seed(seed)

    def uniform(self, n, low=0.0, high=1.0):
        return torch.rand((n, 1, 1, 1), generator=self.generator, device=self.device) * (high - low) + low

    def log_uniform(self, n, low, high):
        return self.uniform(n, math.log(low), math.log(high)).exp()

    def normal(self, *shape):
        return torch.randn(shape, generator=self.generator, device=self.device)

    def chance(self, n, probability):
        return (self.uniform(n) < probability).float()

    def integers(self, n, count):
        return torch.randint(count, (n,), generator=self.generator, device=self.device)

    def noise(self, n, channels, side, coarsest=3, octaves=6, peak=None):
        """Smooth noise of about unit variance; each sample has a grain of its own, from coarse (0) to fine (1)."""
        peak = (self.uniform(n) if peak is None else peak) * (octaves - 1)
        total, energy = 0.0, 0.0
        for octave in range(octaves):
            weight = (-((octave - peak) ** 2)).exp()
            cells = coarsest * 2**octave
            field = F.interpolate(self.normal(n, channels, cells, cells), size=(side, side), mode="bicubic", align_corners=False)
            total, energy = total + weight * field, energy + weight**2
        return total / energy.sqrt() * 1.3


def coordinates(side, device):
    """Pixel coordinates from the middle: rows, columns, (1, 1, side, side)."""
    line = torch.arange(side, device=device, dtype=torch.float32) - (side - 1) / 2
    rows, columns = torch.meshgrid(line, line, indexing="ij")
    return rows[None, None], columns[None, None]


def sampled(pictures, rows, columns, mode="reflection"):
    """Pictures at pixel coordinates from their middle, (N, 1, h, w) each."""
    height, width = pictures.shape[-2:]
    grid = torch.cat([columns * 2 / width, rows * 2 / height], 1).permute(0, 2, 3, 1)
    return F.grid_sample(pictures, grid, mode="bilinear", padding_mode=mode, align_corners=False)


def turned(rows, columns, angle, scale):
    """Coordinates in a picture that is turned and enlarged by 1 / scale."""
    c, s = angle.cos() * scale, angle.sin() * scale
    return rows * c + columns * s, columns * c - rows * s


def blurred(pictures, sigma, reach=7):
    """Gaussian blur, a sigma for each sample."""
    n, channels = pictures.shape[:2]
    offset = torch.arange(-reach, reach + 1, device=pictures.device, dtype=torch.float32)
    kernel = (-(offset[None] ** 2) / (2 * sigma.reshape(n, 1).clamp_min(0.05) ** 2)).exp()
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)
    x = F.pad(pictures, (reach,) * 4, mode="reflect").reshape(1, n * channels, *(s + 2 * reach for s in pictures.shape[-2:]))
    x = F.conv2d(x, kernel[:, None, None, :], groups=n * channels)
    return F.conv2d(x, kernel[:, None, :, None], groups=n * channels).reshape(pictures.shape)


def cosine_basis(device):
    k, x = torch.meshgrid(torch.arange(8.0, device=device), torch.arange(8.0, device=device), indexing="ij")
    basis = torch.cos((2 * x + 1) * k * math.pi / 16) * 0.5
    basis[0] /= math.sqrt(2)
    return basis


def compressed(pictures, quality):
    """What JPEG leaves of pictures: 8x8 cosine coefficients of light and colour, rounded. `quality` 1..100, (N, 1, 1, 1)."""
    n, _, height, width = pictures.shape
    basis = cosine_basis(pictures.device)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    k = torch.arange(8.0, device=pictures.device)
    steps = (10 + 5.5 * (k[:, None] + k[None]) ** 1.15)[None, None, None, None]  # close to the standard's table
    red, green, blue = pictures.unbind(1)
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    planes = torch.stack([light, (blue - light) * 0.564, (red - light) * 0.713], 1) * 255
    blocks = planes.reshape(n, 3, height // 8, 8, width // 8, 8).transpose(3, 4)
    coefficients = basis @ blocks @ basis.t()
    step = (steps * scale[:, :, :, :, None, None] * torch.tensor([1.0, 1.7, 1.7], device=pictures.device)[None, :, None, None, None, None]).clamp_min(1)
    blocks = basis.t() @ ((coefficients / step).round() * step) @ basis
    light, b, r = (blocks.transpose(3, 4).reshape(n, 3, height, width) / 255).unbind(1)
    red, blue = light + r / 0.713, light + b / 0.564
    return torch.stack([red, (light - 0.299 * red - 0.114 * blue) / 0.587, blue], 1)


class Masks:
    """Shapes of defects, 0..1, (N, 1, SCENE, SCENE)."""

    def __init__(self, draw: Draw):
        self.draw = draw
        self.rows, self.columns = coordinates(SCENE, draw.device)

    def _places(self, n):
        reach = CROP / 2 - 14
        return self.draw.uniform(n, -reach, reach), self.draw.uniform(n, -reach, reach)

    def blobs(self, n, size):
        """Uneven superellipses, sharp or soft at the edge."""
        d = self.draw
        y, x = self._places(n)
        stretch = (0.45 * d.normal(n, 1, 1, 1)).exp()
        rows, columns = turned(self.rows - y, self.columns - x, d.uniform(n, 0, math.pi), 1)
        power = torch.where(d.chance(n, 0.25) > 0, 6.0, 2.0)
        radius = ((rows / stretch).abs() ** power + (columns * stretch).abs() ** power + 1e-6) ** (1 / power) / (size / 2)
        radius = radius + d.uniform(n, 0, 0.35) * d.noise(n, 1, SCENE)
        soft = torch.where(d.chance(n, 0.6) > 0, torch.ones_like(size), 1 + d.uniform(n) * size / 4)
        return ((1 - radius) * size / 2 / soft + 0.5).clamp(0, 1)

    def strokes(self, n):
        """Scratches and cracks: a path that wanders, some pixels wide."""
        d = self.draw
        length, width = d.log_uniform(n, 14, 200), d.log_uniform(n, 0.6, 5)
        bend = d.normal(n, 1, 1, 1).abs() * 0.3
        heading = d.uniform(n, 0, 2 * math.pi)[:, 0, 0] + (bend[:, 0, 0] * d.normal(n, POINTS)).cumsum(1)
        step = (length / POINTS)[:, 0, 0]
        y0, x0 = self._places(n)
        ys = y0[:, 0, 0] + (heading.sin() * step).cumsum(1)
        xs = x0[:, 0, 0] + (heading.cos() * step).cumsum(1)
        wobble = d.chance(n, 0.4) * d.uniform(n, 0.5, 3)
        rows, columns = self.rows + wobble * d.noise(n, 1, SCENE), self.columns + wobble * d.noise(n, 1, SCENE)
        least = torch.full((n, 1, SCENE, SCENE), 1e9, device=d.device)
        column = lambda values, i: values[:, i, None, None, None]  # noqa: E731
        for i in range(POINTS - 1):
            ay, ax, by, bx = column(ys, i), column(xs, i), column(ys, i + 1), column(xs, i + 1)
            dy, dx = by - ay, bx - ax
            share = (((rows - ay) * dy + (columns - ax) * dx) / (dy**2 + dx**2 + 1e-6)).clamp(0, 1)
            least = torch.minimum(least, (rows - ay - share * dy) ** 2 + (columns - ax - share * dx) ** 2)
        return (width / 2 - least.sqrt() + 0.5).clamp(0, 1) * width.clamp(max=1)

    def specks(self, n, count=10):
        d = self.draw
        y, x = self._places(n)
        spread = d.log_uniform(n, 6, 50)
        mask = torch.zeros((n, 1, SCENE, SCENE), device=d.device)
        for _ in range(count):
            distance = ((self.rows - y - spread * d.normal(n, 1, 1, 1)) ** 2 + (self.columns - x - spread * d.normal(n, 1, 1, 1)) ** 2).sqrt()
            mask = torch.maximum(mask, (d.log_uniform(n, 0.8, 4) - distance + 0.5).clamp(0, 1) * d.chance(n, 0.6))
        return mask


class Scenes:
    """What the items of N episodes show. An item is a picture (N, 3, SCENE, SCENE).

    Objects: every item shows the same part of the same photograph. Textures: every item shows another part. Drawn
    scenes: every item is another drawing with the same settings.
    """

    def __init__(self, draw: Draw, rows, columns, groups, kinds, n: int):
        d = self.draw = draw
        self.n, self.rows, self.columns, self.groups = n, rows, columns, groups
        self.group = kinds[d.integers(n, len(kinds))]
        self.texture = (self.group[:, 2] > 0).reshape(n, 1, 1, 1).float()
        shortest = torch.where(self.texture > 0, 0.35, 0.45)
        self.side = SHORT * (shortest.log() * d.uniform(n)).exp()
        self.side = torch.where(self.texture > 0, self.side.clamp(max=200), self.side)
        self.quarter = d.integers(n, 4).reshape(n, 1, 1, 1) * (math.pi / 2)
        self.any_turn = self.texture * d.chance(n, 0.4)
        self.place = self._place()
        self.grey, self.flat = d.chance(n, 0.4), d.chance(n, 0.3)
        self.contrast, self.middle = d.log_uniform(n, 0.25, 1.2), d.uniform(n, 0.25, 0.75)
        self.blur = d.chance(n, 0.4) * d.log_uniform(n, 0.5, 2.0)
        self.light = torch.where(d.chance(n, 0.2) > 0, d.log_uniform(n, 0.15, 1), torch.ones_like(self.contrast))
        self.mean = None

    def _place(self):
        return self.draw.uniform(self.n, -1, 1), self.draw.uniform(self.n, -1, 1)

    def item(self):
        d, n = self.draw, self.n
        chosen = self.group[:, 0] + (d.uniform(n)[:, 0, 0, 0] * self.group[:, 1]).long().clamp(max=7)
        picture = self.groups[chosen].float() / 255
        moved = [t * new + (1 - t) * old for t, new, old in zip((self.texture,) * 2, self._place(), self.place, strict=True)]
        angle = self.quarter + self.any_turn * d.uniform(n, 0, 2 * math.pi)
        rows, columns = turned(self.rows, self.columns, angle, self.side / SCENE)
        reach = (SHORT - self.side) / 2
        picture = sampled(picture, rows + reach * moved[0] - (STORED - SHORT) / 2, columns + reach * moved[1])
        picture = picture + self.grey * (picture.mean(1, keepdim=True) - picture)
        if self.mean is None:
            self.mean = picture.mean((1, 2, 3), keepdim=True)
        picture = picture + self.flat * (self.middle + (picture - self.mean) * self.contrast - picture)
        return (blurred(picture, self.blur) * self.light).clamp(0, 1)


class Episodes:
    """`pictures` uint8 (M, 3, STORED, STORED) on the device; `kinds` int64 (groups, 3): first picture, number of
    pictures (at most 8) and whether it is a texture."""

    def __init__(self, pictures, kinds, seed: int):
        self.pictures, self.kinds = pictures, kinds
        self.draw = Draw(pictures.device, seed)
        self.masks = Masks(self.draw)
        self.rows, self.columns = coordinates(CROP, pictures.device)

    def defects(self, scenes):
        """Painted pictures, and masks of what can be seen."""
        d, n = self.draw, len(scenes)
        weights = torch.tensor(WEIGHTS, device=d.device)
        kind = torch.multinomial(weights.expand(n, -1), 1, generator=d.generator)[:, 0]
        size = d.log_uniform(n, 6, 110)
        is_kind = lambda *names: sum((kind == KINDS.index(name)).float() for name in names).reshape(n, 1, 1, 1)  # noqa: E731
        lines, specks = is_kind("line", "line_flat"), is_kind("specks")
        mask = (1 - lines - specks) * self.masks.blobs(n, size) + lines * self.masks.strokes(n) + specks * self.masks.specks(n)
        strength = torch.where(lines + specks + is_kind("texture", "flat") > 0, d.uniform(n, 0.3, 1), torch.ones_like(size))
        painted = scenes + mask * strength * (self._fillings(scenes, mask, size, is_kind).clamp(0, 1) - scenes)
        seen = blurred((painted - scenes).abs().amax(1, keepdim=True), torch.full((n, 1, 1, 1), 1.2, device=d.device))
        return painted, mask * (seen > 0.025)

    def _fillings(self, scenes, mask, size, is_kind):
        d, n = self.draw, len(scenes)
        rows, columns = self.masks.rows, self.masks.columns
        grey = (scenes.amax(1) - scenes.amin(1)).amax((1, 2)).reshape(n, 1, 1, 1) < 0.02
        colour = torch.rand((n, 3, 1, 1), generator=d.generator, device=d.device)
        colour = torch.where(grey | (d.chance(n, 0.4) > 0), colour[:, :1].expand(-1, 3, -1, -1), colour)
        moved = turned(rows, columns, d.uniform(n, 0, 2 * math.pi), d.log_uniform(n, 0.7, 1.4))
        other = sampled(scenes.roll(1, 0), moved[0] + d.uniform(n, -60, 60), moved[1] + d.uniform(n, -60, 60))
        relief = scenes + (other - other.mean((2, 3), keepdim=True)) * d.uniform(n, 0.3, 1)
        pasted = torch.where(d.chance(n, 0.5) > 0, other, relief)
        still = d.chance(n, 0.5)
        moved = turned(rows, columns, (1 - still) * d.uniform(n, 0, 2 * math.pi), 1)
        displaced = sampled(scenes, moved[0] + d.uniform(n, -110, 110), moved[1] + d.uniform(n, -110, 110))
        pull = size * d.uniform(n, 0.06, 0.3)
        bent = sampled(scenes, rows + pull * d.noise(n, 1, SCENE), columns + pull * d.noise(n, 1, SCENE))
        smeared = blurred(scenes, d.log_uniform(n, 1.2, 5))
        height = blurred(mask, (size * 0.08).clamp(0.8, 5))
        angle = d.uniform(n, 0, 2 * math.pi)
        shade = angle.cos() * (height.roll(1, 3) - height.roll(-1, 3)) + angle.sin() * (height.roll(1, 2) - height.roll(-1, 2))
        shade = shade / (shade.abs().amax((2, 3), keepdim=True) + 1e-6) * d.uniform(n, 0.1, 0.45)
        sign = d.chance(n, 0.5) * 2 - 1
        stain = scenes * (0.3 * d.normal(n, 1, 1, 1) + (1 - grey.float()) * d.chance(n, 0.5) * 0.12 * d.normal(n, 3, 1, 1)).exp() + 0.05 * d.normal(n, 1, 1, 1)
        lighter = scenes + sign * d.log_uniform(n, 0.05, 0.5)
        texture = colour + d.noise(n, 1, SCENE) * d.uniform(n, 0.02, 0.2)
        return (
            is_kind("pasted") * pasted + is_kind("displaced") * displaced + is_kind("texture") * texture
            + is_kind("flat", "line_flat") * colour + is_kind("lighter", "line", "specks") * lighter + is_kind("stain") * stain
            + is_kind("bent") * bent + is_kind("smeared") * smeared + is_kind("dent") * (scenes + shade)
        )  # fmt: skip

    def looks(self, n):
        """How items of each scene lie and are photographed: spreads, (N, 1, 1, 1) each."""
        d = self.draw
        return {
            "shift": d.log_uniform(n, 0.3, 12), "turn": d.log_uniform(n, 0.002, 0.25), "zoom": d.log_uniform(n, 0.002, 0.02),
            "bend": d.chance(n, 0.6) * d.log_uniform(n, 0.2, 3), "light": d.chance(n, 0.6) * d.uniform(n, 0.01, 0.08),
            "gain": d.uniform(n, 0.0, 0.06), "blur": d.chance(n, 0.4) * d.uniform(n, 0.3, 1.0),
            "noise": d.log_uniform(n, 0.3, 6) / 255, "quality": d.uniform(n, 50, 100), "colour": d.chance(n, 0.5),
            "grain": d.chance(n, 0.4) * d.log_uniform(n, 0.01, 0.1), "grain_size": d.uniform(n),
        }  # fmt: skip

    def item(self, scenes, looks, mask=None):
        """One photograph of each scene, (N, 3, CROP, CROP), and the mask moved along with it."""
        d, n = self.draw, len(scenes)
        angle, zoom = looks["turn"] * d.normal(n, 1, 1, 1), 1 + looks["zoom"] * d.normal(n, 1, 1, 1)
        shift = [(looks["shift"] * d.normal(n, 1, 1, 1)).clamp(-26, 26) for _ in range(2)]
        rows, columns = turned(self.rows, self.columns, angle, zoom)
        rows = rows + shift[0] + looks["bend"] * d.noise(n, 1, CROP, octaves=4)
        columns = columns + shift[1] + looks["bend"] * d.noise(n, 1, CROP, octaves=4)
        x = sampled(scenes, rows, columns)
        x = x * (1 + looks["grain"] * d.noise(n, 1, CROP, octaves=7, peak=looks["grain_size"]))
        x = x * (1 + looks["light"] * d.noise(n, 1, CROP, coarsest=2, octaves=2)) * (1 + looks["gain"] * d.normal(n, 1, 1, 1)) + 0.3 * looks["gain"] * d.normal(n, 1, 1, 1)
        x = blurred(x, looks["blur"] * d.uniform(n, 0.5, 1.5))
        x = x + looks["noise"] * torch.where(looks["colour"] > 0, d.normal(n, 3, CROP, CROP), d.normal(n, 1, CROP, CROP))
        x = compressed(x.clamp(0, 1), looks["quality"])
        x = ((x * 255).round() / 255).clamp(0, 1)
        return x if mask is None else (x, sampled(mask, rows, columns, "zeros"))

    def batch(self, n, bank: int):
        """`bank` good pictures of each scene, one more good one, two with defects, and the masks of those."""
        scenes, looks = Scenes(self.draw, self.masks.rows, self.masks.columns, self.pictures, self.kinds, n), self.looks(n)
        good = [self.item(scenes.item(), looks) for _ in range(bank + 1)]
        faulty = [self.item(painted, looks, mask) for painted, mask in (self.defects(scenes.item()) for _ in range(2))]
        return good, [x for x, _ in faulty], [mask for _, mask in faulty]
