"""Teaches a student what it is used for: good pictures of a scene lie near one another, painted defects far from them.

    python3 contrast.py PHOTOGRAPHS OUT --seconds 500

The distances are those of the product: both levels joined and averaged over 2x2 cells, components evened, nearest patch
of good pictures. A second term keeps the answers near those of the student that it starts from. Several students with
other settings learn from the same episodes; OUT/NAME.pt are their averaged weights.
"""

import argparse
import copy
import multiprocessing
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from episodes import CROP, STORED, Episodes, read_photographs
from export import student_of
from patch_memory import joined_levels
from photographs import HELD_OUT
from targets import DEVIATION, MEAN, Basis

HERE = Path(__file__).parent
FINE_WEIGHT = 0.25
INSTANCES = 8  # drawings of one product
LARGE = 64  # so many numbers at once are a field, fewer are settings
BANKS = (1, 2, 4)  # good pictures in the memory of a task, by turns
TEXTURES = 0.15  # share of the photographs
AXES, ITERATIONS = 128, 2
NEAR = 0.05  # temperature of the largest distance of an image
MARGIN, SLOPE = 0.3, 0.15


class Instances:
    """A random generator for drawings that differ as items of one product do: settings come from one seed, fields of
    LARGE numbers or more from another."""

    def __init__(self, settings: int, instance: int):
        self.settings, self.fields = np.random.default_rng([77, settings]), np.random.default_rng([78, settings, instance])

    def __getattr__(self, name):
        def drawn(*values, **named):
            sizes = [value for value in (*values, *named.values()) if isinstance(value, tuple)]
            large = any(np.prod(size) >= LARGE for size in sizes)
            return getattr(self.fields if large else self.settings, name)(*values, **named)

        return drawn


def drawings(settings: int):
    """INSTANCES drawings of one product, uint8 [INSTANCES, SIZE, SIZE, 3]."""
    from scenes import any_scene

    cv2.setNumThreads(1)
    scenes = [any_scene(Instances(settings, i)) for i in range(INSTANCES)]
    return np.stack([np.clip(scene * 255, 0, 255).astype(np.uint8) for scene in scenes])


def read(paths):
    cv2.setNumThreads(1)
    return read_photographs(paths)


@torch.no_grad()
def likeness(student, cells, photographs, half):
    """How far patches of one corner of each photograph are from those of the other corners; small for textures."""
    corners = []
    for top in (10, 165):
        for left in (10, 225):
            part = photographs[:, :, top : top + 145, left : left + 145].float() / 255
            corners.append(network_input(F.interpolate(part, size=(CROP, CROP), mode="bilinear", align_corners=False)))
    values = []
    for corner in corners:
        with half:
            values.append(student(corner))
    features = [cells(levels) for levels in values]
    bank = torch.cat(features[1:], 1)
    return log_distances(features[0], bank).quantile(0.9, 1)


class Cells:
    """Features as the product compares them: (N, cells, 448)."""

    def __init__(self, scales, device):
        self.scales = (scales[0] * FINE_WEIGHT, scales[1])
        self.factors = torch.ones(1, device=device)

    def even(self, features):
        """Divides components by the eighth root of their variance, like the product."""
        variance = features.flatten(0, 1).var(0).clamp_min(1e-9)
        factors = variance**-0.125
        self.factors = factors * (variance.sum() / (variance * factors**2).sum()).sqrt()

    def __call__(self, levels):
        scaled = [level.float() * scale for level, scale in zip(levels, self.scales, strict=True)]
        return F.avg_pool2d(joined_levels(scaled), 2).flatten(2).transpose(1, 2) * self.factors


def network_input(x):
    """Pictures in 0..1 as the student takes them."""
    mean, deviation = (torch.tensor(v, device=x.device)[None, :, None, None] for v in (MEAN, DEVIATION))
    return ((x - mean) / deviation).contiguous(memory_format=torch.channels_last)


def log_distances(x, bank):
    squared = x.pow(2).sum(-1, keepdim=True) - 2 * x @ bank.transpose(1, 2) + bank.pow(2).sum(-1)[:, None]
    return 0.5 * torch.log(squared.clamp_min(1e-5).amin(2) + 1e-4)


@torch.no_grad()
def principal(bank):
    """Orthonormal axes (n, dims, AXES) of the largest variance, by subspace iteration."""
    x = (bank - bank.mean(1, keepdim=True)).double()
    generator = torch.Generator(bank.device).manual_seed(0)
    axes = torch.randn((len(x), x.shape[2], AXES), generator=generator, device=x.device, dtype=x.dtype)
    for _ in range(ITERATIONS):
        axes = x.transpose(1, 2) @ (x @ axes)
        axes = axes / axes.norm(dim=1, keepdim=True)
        gram = axes.transpose(1, 2) @ axes
        gram = gram + 1e-9 * torch.eye(AXES, device=x.device, dtype=x.dtype)
        axes = torch.linalg.solve_triangular(torch.linalg.cholesky(gram), axes.transpose(1, 2), upper=False).transpose(1, 2)
    return axes.float()


def largest(values, chosen):
    return NEAR * torch.logsumexp(torch.where(chosen, values, torch.full_like(values, -1e3)) / NEAR, 1)


class Task:
    """One batch of episodes as tensors, the same for every student."""

    def __init__(self, episodes: Episodes, n: int, bank: int):
        self.n, self.bank = n, bank
        with torch.no_grad():
            good, faulty, masks = episodes.batch(n, bank)
            self.x = network_input(torch.cat([*good, *faulty]))
            self.defect, self.clear = [], []
            for mask in masks:
                covered = F.max_pool2d(F.avg_pool2d(mask, 4), 4)
                self.defect.append(covered.flatten(1) > 0.3)
                self.clear.append(F.max_pool2d(F.max_pool2d(mask, 16), 5, 1, 2).flatten(1) <= 0)

    def losses(self, cells):
        """cells (images, cells, dims) -> loss by image, loss by cell, share of defects above every good cell, gap."""
        n = self.n
        bank = torch.cat([cells[i * n : (i + 1) * n] for i in range(self.bank)], 1)
        axes = principal(bank)
        bank, cells = bank @ axes, cells @ axes.repeat(len(cells) // n, 1, 1)
        good = log_distances(cells[self.bank * n : (self.bank + 1) * n], bank)
        image, cell, found, gaps = [], [], [], []
        for i, (defect, clear) in enumerate(zip(self.defect, self.clear, strict=True)):
            start = (self.bank + 1 + i) * n
            faulty = log_distances(cells[start : start + n], bank)
            usable = defect.any(1)
            everywhere = torch.ones_like(good, dtype=torch.bool)
            normal = largest(torch.cat([good, faulty], 1), torch.cat([everywhere, clear], 1))
            worst = largest(faulty, defect)
            gap = (worst - normal)[usable]
            if not len(gap):  # a small batch without a visible defect
                continue
            image.append(F.softplus((MARGIN - gap) / SLOPE).mean())
            below = F.softplus((normal[:, None] - faulty + 0.1) / SLOPE) * defect
            cell.append((below.sum(1) / defect.sum(1).clamp_min(1))[usable].mean())
            found.append((gap > 0).float().mean())
            gaps.append(gap.mean())
        return [torch.stack(v).mean() if v else cells.sum() * 0 for v in (image, cell, found, gaps)]


class Learner:
    def __init__(self, name, start, settings, device):
        self.name, self.settings = name, settings
        self.student = copy.deepcopy(start).to(device).to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.student)
        self.optimizer = torch.optim.AdamW(self.student.parameters(), settings["rate"], weight_decay=1e-5)
        self.step, self.running = 0, None

    def learn(self, task: Task, cells: Cells, kept, half, done: float):
        s = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = s["rate"] * min(1, (self.step + 1) / 50) * max(0.01, min(1, (1 - done) / 0.6))
        with half:
            levels = self.student(task.x)
        image, cell, found, gap = task.losses(cells(levels))
        keep = sum(F.mse_loss(new.float(), old) / old.var() for new, old in zip(levels, kept, strict=True))
        loss = image + s["cell"] * cell + s["keep"] * keep
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        with torch.no_grad():
            for old, new in zip(self.average.parameters(), self.student.parameters(), strict=True):
                old.lerp_(new, 1 - min(0.995, self.step / (self.step + 10)))
        now = torch.stack([v.detach() for v in (image, cell, found, gap, keep)])
        self.running = now if self.running is None else self.running.lerp(now, 0.03)

    def save(self, folder: Path):
        state = {k: v.half().cpu() if v.is_floating_point() else v.cpu() for k, v in self.average.state_dict().items()}
        torch.save({"average": state, "released": True}, folder / f"{self.name}.pt")


@torch.no_grad()
def measured(student, tasks, cells, half):
    values = []
    for task in tasks:
        with half:
            levels = student(task.x)
        values.append(torch.stack(task.losses(cells(levels))))
    return [round(float(v), 4) for v in torch.stack(values).mean(0)]


def read_pictures(folder: Path, products: int, device):
    """uint8 (N, 3, STORED, STORED): the photographs, then INSTANCES drawings of each product; and how many photographs."""
    paths = sorted(folder.iterdir())
    with multiprocessing.get_context("fork").Pool() as pool:
        parts = pool.map_async(read, [paths[i : i + 32] for i in range(0, len(paths), 32)])
        drawn = pool.map(drawings, range(products), chunksize=2)
        photographs = torch.from_numpy(np.concatenate(parts.get())).permute(0, 3, 1, 2).contiguous().to(device)
    enlarged = [
        F.interpolate(torch.from_numpy(part).permute(0, 3, 1, 2).float().to(device), size=(STORED, STORED), mode="bilinear").byte()
        for part in drawn
    ]
    return torch.cat([photographs, *enlarged]), len(photographs)


def kinds_of_scenes(pictures, photographs: int, alike):
    """What Episodes draws from, as (first picture, number of pictures, texture): for learning, and held out."""
    device = pictures.device
    place = torch.arange(photographs, device=device)
    texture = (alike <= alike.quantile(TEXTURES)).long()
    photographed = torch.stack([place, torch.ones_like(place), texture], 1)
    first = torch.arange(photographs, len(pictures), INSTANCES, device=device)
    products = torch.stack([first, torch.full_like(first, INSTANCES), torch.zeros_like(first)], 1)
    held, few = place % HELD_OUT == 0, len(products) // HELD_OUT
    textures = photographed[~held & (texture > 0)]
    # Textures and drawings are few, so they come twice.
    learned = torch.cat([photographed[~held], textures, products[few:], products[few:]])
    return learned, torch.cat([photographed[held], products[:few]])


def learner_of(text: str, start, device) -> Learner:
    """@param text NAME:rate=…,keep=…,cell=…"""
    name, _, rest = text.partition(":")
    return Learner(name, start, {key: float(value) for key, value in (part.split("=") for part in rest.split(","))}, device)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", type=Path, default=HERE / "checkpoints/taught.pt")
    parser.add_argument("--basis", type=Path, default=HERE / "checkpoints/basis.pt")
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--scenes", type=int, default=48, help="scenes of a batch")
    parser.add_argument("--products", type=int, default=800, help="products that are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--learners", nargs="+", default=["student:rate=1e-3,keep=1,cell=0.3"], help="NAME:rate=…,keep=…,cell=…")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.allow_tf32 = True  # not for matrix products: distances are differences of large numbers
    torch.backends.cudnn.benchmark = True
    half = torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")
    options.out.mkdir(parents=True, exist_ok=True)
    pictures, photographs = read_pictures(options.photographs, options.products, device)

    start = student_of(options.start, options.seed).to(device)
    cells = Cells(Basis.load(options.basis).scales, device)
    alike = torch.cat([likeness(start, cells, part, half) for part in pictures[:photographs].split(64)])
    learned, held_out = kinds_of_scenes(pictures, photographs, alike)
    episodes, unseen = Episodes(pictures, learned, options.seed), Episodes(pictures, held_out, 99)
    n = options.scenes
    tasks = [Task(unseen, n, BANKS[i % 3]) for i in range(8)]
    with torch.no_grad(), half:
        cells.even(torch.cat([cells(start(task.x)) for task in tasks[:4]]))
    print("image, cell, found, gap on held-out scenes at the start:", measured(start, tasks, cells, half), flush=True)

    learners = [learner_of(text, start, device) for text in options.learners]
    began, step, shown = time.time(), 0, 0.0
    while (done := (time.time() - began) / options.seconds) < 1:
        task = Task(episodes, n, BANKS[step % 3])
        with torch.no_grad(), half:
            kept = [level.float() for level in start(task.x)]
        for learner in learners:
            learner.learn(task, cells, kept, half, done)
        step += 1
        if time.time() - shown > options.seconds / 20:
            shown = time.time()
            print(step, round(shown - began), {x.name: [round(float(v), 3) for v in x.running] for x in learners}, flush=True)
            for learner in learners:
                learner.save(options.out)
    for learner in learners:
        learner.save(options.out)
        print(learner.name, learner.settings, measured(learner.average, tasks, cells, half), flush=True)


if __name__ == "__main__":
    main()
