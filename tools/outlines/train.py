"""python3 train.py crops run.pt --steps 12000 [--start checkpoints/outlines.pt] [--validation crops/99.npz]

Learns from all crops in the folder. The weights that are kept are a moving mean over the last steps.
"""

import argparse
import copy
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from network import OutlineNetwork, network_input

BATCH = 32
KEPT = 0.998  # of the moving mean, each step
MISSED = 1.4  # what a missed pixel counts in the overlap; a pixel too many counts the rest of 2
PERSON = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))  # a person outlines over gaps


def outlined(masks):
    room = [cv2.copyMakeBorder(mask, 8, 8, 8, 8, cv2.BORDER_CONSTANT) for mask in masks]
    return np.array([cv2.morphologyEx(mask, cv2.MORPH_CLOSE, PERSON)[8:-8, 8:-8] for mask in room])


def load(file):
    crops = dict(np.load(file))
    return {**crops, "mask": outlined(crops["mask"])}


def inputs_of(crops, chosen):
    return network_input(crops["pixels"][chosen], crops["scores"][chosen].astype(np.float32), crops["grown"][chosen], crops["peak"][chosen])


def batch(r, crops):
    chosen = np.sort(r.choice(len(crops["peak"]), BATCH, replace=False))
    x, mask = inputs_of(crops, chosen), crops["mask"][chosen, None].astype(np.float32) / 255
    x = x[:, [*r.permutation(3), 3, 4, 5]]
    if r.random() < 0.3:
        x[:, :3] = -x[:, :3]
    turns, flip = int(r.integers(4)), r.random() < 0.5
    x, mask = (np.rot90(values, turns, (2, 3))[..., :: -1 if flip else 1] for values in (x, mask))
    return torch.from_numpy(np.ascontiguousarray(x)), torch.from_numpy(np.ascontiguousarray(mask))


def loss_of(logits, mask):
    """Cross entropy, and the overlap as a Tversky index (Salehi et al. 2017) that minds missed pixels more."""
    inside = torch.sigmoid(logits)
    both, more, missed = ((values).sum((1, 2, 3)) for values in (inside * mask, inside * (1 - mask), (1 - inside) * mask))
    overlap = (both + 1) / (both + (2 - MISSED) * more + MISSED * missed + 1)
    return F.binary_cross_entropy_with_logits(logits, mask, pos_weight=torch.tensor(2.0)) + 1 - overlap.mean()


def median_overlap(network, crops):
    """Median intersection over union at a probability of 0.5."""
    network.eval()
    with torch.no_grad():
        parts = np.array_split(np.arange(len(crops["peak"])), max(1, len(crops["peak"]) // 50))
        inside = np.concatenate([network(torch.from_numpy(inputs_of(crops, part)))[:, 0].numpy() > 0 for part in parts])
    mask = crops["mask"] > 127
    return float(np.median((inside & mask).sum((1, 2)) / np.maximum(1, (inside | mask).sum((1, 2)))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("run")
    parser.add_argument("--steps", type=int, default=12_000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start")
    parser.add_argument("--validation", type=Path)
    given = parser.parse_args()
    torch.manual_seed(0)
    r = np.random.default_rng(0)
    held_out = load(given.validation) if given.validation else None
    files = [load(file) for file in sorted(given.folder.glob("*.npz")) if file != given.validation]
    shares = np.array([len(crops["peak"]) for crops in files], float)
    network = OutlineNetwork()
    if given.start:
        network.load_state_dict({name: value.float() if value.is_floating_point() else value for name, value in torch.load(given.start).items()})
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), given.rate, weight_decay=1e-3)
    for step in range(1, given.steps + 1):
        x, mask = batch(r, files[r.choice(len(files), p=shares / shares.sum())])
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1, step / 200) * (0.5 + 0.5 * np.cos(np.pi * step / given.steps)) + 1e-5
        loss = loss_of(network.train()(x), mask)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            for kept, now in zip(mean.state_dict().values(), network.state_dict().values()):
                kept.lerp_(now, 1 - KEPT) if kept.is_floating_point() else kept.copy_(now)
        if step % 1000 == 0 or step == given.steps:
            torch.save(mean.state_dict(), given.run)
            print(step, f"loss {loss.item():.3f}", f"overlap {median_overlap(mean, held_out):.3f}" if held_out else "", flush=True)


if __name__ == "__main__":
    main()
