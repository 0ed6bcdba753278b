"""Moves a released student a share of the way to others, and writes it as a released checkpoint.

    python3 blend.py START.pt OUT.pt LEARNED.pt=0.3 …

What a student learned in contrast.py helps most in part: between its weights and those that it started from lie students
that keep more of what both are good at (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""

import argparse
from pathlib import Path

import torch


def weights(path: Path):
    return torch.load(path, map_location="cpu")["average"]


def blended(start, learned):
    """start + the sum of share · (weights − start). @param learned pairs of weights and share"""
    out = {}
    for name, value in start.items():
        if not value.is_floating_point():
            out[name] = value
            continue
        moved = value.float() * (1 - sum(share for _, share in learned))
        for other, share in learned:
            moved = moved + share * other[name].float()
        out[name] = moved.half()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("start", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("learned", nargs="+", help="CHECKPOINT.pt=SHARE")
    options = parser.parse_args()
    pairs = [text.rsplit("=", 1) for text in options.learned]
    average = blended(weights(options.start), [(weights(Path(path)), float(share)) for path, share in pairs])
    torch.save({"average": average, "released": True}, options.out)


if __name__ == "__main__":
    main()
