"""Makes the network that the product ships from a checkpoint of train.py.

    python3 export.py CHECKPOINT.pt BASIS.pt OUT.onnx [--fine-weight 0.5] [--release CHECKPOINT_OUT.pt]

Takes the averaged weights, sets the batch norms' statistics on generated pictures, folds them, and multiplies the heads
so that the outputs are in the teacher's units. `--fine-weight` makes level8 count less in distances over both levels.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from graph import float_model, operations
from photographs import Photographs
from pictures import shard
from student import Student, recalibrated
from targets import Basis, normalised

STATISTICS_SHARD = 1_500_000
STATISTICS_PICTURES = 768
BATCH = 16
DESCRIPTION = "Kensa's backbone. Taught by ResNet50v2 (Apache-2.0) on photographs and generated pictures; no inspection data set is among them."


def statistics_batches(seed: int, photographs=None):
    """Shuffled: a batch must hold as many scenes as in training, or variances come out too small."""
    pictures = shard(seed, STATISTICS_SHARD, STATISTICS_PICTURES, photographs)
    pictures = pictures[np.random.default_rng(seed).permutation(len(pictures))]
    return (normalised(pictures[i : i + BATCH]) for i in range(0, len(pictures), BATCH))


def student_of(checkpoint: Path, seed: int, photographs=None) -> Student:
    """The averaged student, ready to answer. A released checkpoint has its statistics already."""
    state = torch.load(checkpoint)
    student = Student().to(memory_format=torch.channels_last)
    student.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in state["average"].items()})
    return student.eval() if state.get("released") else recalibrated(student, statistics_batches(seed, photographs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("basis", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fine-weight", type=float, default=1.0)
    parser.add_argument("--release", type=Path, help="write the student in half precision, to commit")
    parser.add_argument("--photographs", type=Path, help="those that it learned from; a released checkpoint needs none")
    options = parser.parse_args()
    photographs = Photographs(options.photographs) if options.photographs else None
    torch.set_num_threads(1)
    if options.release:
        student = student_of(options.checkpoint, options.seed, photographs)
        half = {k: v.half() if v.is_floating_point() else v for k, v in student.state_dict().items()}
        torch.save({"average": half, "released": True}, options.release)
    student = student_of(options.release or options.checkpoint, options.seed, photographs)
    scales = Basis.load(options.basis).scales
    model = float_model(operations(student, (scales[0] * options.fine_weight, scales[1])), DESCRIPTION)
    onnx.save(model, str(options.out))


if __name__ == "__main__":
    main()
