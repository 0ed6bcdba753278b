"""Checks an export: the file run by onnxruntime-node must answer like the checkpoint run by torch.

    python3 verify.py CHECKPOINT.pt BASIS.pt NETWORK.onnx [--fine-weight 0.5]
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch
from export import student_of
from pictures import shard
from targets import Basis, normalised

RUNNER = Path(__file__).with_name("run-network.mjs")


def run_in_onnxruntime(network: Path, x: np.ndarray):
    """float32 (N, 3, H, W) -> the outputs, flat float32, in the order of the file."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "input"
        source.write_bytes(np.ascontiguousarray(x, np.float32).tobytes())
        shape = [str(n) for n in x.shape]
        subprocess.run(["node", str(RUNNER), str(network), str(source), folder, *shape], check=True)
        return [np.fromfile(p, np.float32) for p in sorted(Path(folder).glob("output-*"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("basis", type=Path)
    parser.add_argument("network", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fine-weight", type=float, default=1.0)
    options = parser.parse_args()
    scales = Basis.load(options.basis).scales
    x = normalised(shard(options.seed, 3_000_000, 4))
    with torch.no_grad():
        fine, coarse = student_of(options.checkpoint, options.seed)(x)
    expected = [fine * scales[0] * options.fine_weight, coarse * scales[1]]
    for name, want, got in zip(("level8", "level16"), expected, run_in_onnxruntime(options.network, x.numpy()), strict=True):
        want = want.numpy().ravel()
        worst = float(np.abs(want - got).max() / want.std())
        print(f"{name}: largest difference {worst:.2e} of the standard deviation")
        if worst > 1e-4:
            raise SystemExit(f"{name} differs by more than 1e-4")


if __name__ == "__main__":
    main()
