"""Makes the 8-bit network from a checkpoint: a QDQ graph that onnxruntime runs in integers.

    python3 quantize.py CHECKPOINT.pt BASIS.pt OUT.onnx [--fine-weight 0.5]

Weights are int8, a scale for each output channel; activations uint8, a scale for each tensor, chosen on generated
pictures for the least squared error. Clipping at zero is the ReLU. The input is the picture's own bytes, so that nothing
of it is rounded and no float has to be turned or rounded before the first convolution. The outputs' components differ
much in size, so each is divided by its own limit before it is rounded and multiplied by it afterwards.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from export import DESCRIPTION, student_of
from first_convolution import MIDDLE, Neighbourhoods, in_pairs, on_bytes
from graph import INPUT, OUTPUTS, Convolution, finished, operations
from onnx import TensorProto, helper, numpy_helper
from pictures import shard
from targets import Basis, normalised

CALIBRATION_SHARD = 1_600_000
CALIBRATION_PICTURES = 256
BATCH = 16
BINS = 4096


@torch.no_grad()
def computed(steps: list[Convolution], x):
    """Every value of the graph by name; `NAME.path` is what a block adds to its input."""
    values = {INPUT: x.contiguous(memory_format=torch.channels_last)}
    for step in steps:
        size = step.weight.shape[2]
        y = F.conv2d(values[step.source], torch.from_numpy(step.weight), torch.from_numpy(step.bias), step.stride, size // 2)
        if step.added:
            values[f"{step.name}.path"] = y
            y = y + values[step.added]
        values[step.name] = F.relu(y) if step.relu else y
    return values


class Histogram:
    """Counts of values over a range that is fixed by the first batch, with room to spare."""

    def __init__(self, values):
        low, high = float(values.min()), float(values.max())
        self.low, self.high = min(0.0, low * 1.5), max(1e-6, high * 1.5)
        self.counts = torch.zeros(BINS, dtype=torch.float64)

    def add(self, values):
        self.counts += torch.histc(values.clamp(self.low, self.high), BINS, self.low, self.high).double()

    def quantization(self):
        """(scale, zero point) of the least squared error among ranges cut at either end."""
        centres = np.linspace(self.low, self.high, BINS, endpoint=False) + (self.high - self.low) / BINS / 2
        counts = self.counts.numpy()
        seen = np.nonzero(counts)[0]
        bottom, top = min(0.0, centres[seen[0]]), max(1e-6, centres[seen[-1]])
        best = (np.inf, 1.0, 0)
        for share in np.linspace(0.2, 1, 41):
            scale = (top - bottom) * share / 255
            zero = int(round(-bottom * share / scale))
            rounded = (np.clip(np.round(centres / scale) + zero, 0, 255) - zero) * scale
            best = min(best, (float((counts * (rounded - centres) ** 2).sum()), float(scale), zero))
        return best[1:]


def calibrated(steps, batches):
    """(scale, zero point) of every value, the largest magnitude of each channel of the outputs, and what the first
    convolution sees."""
    histograms, limits, seen = {}, {}, Neighbourhoods()
    for x in batches:
        seen.add(x)
        for name, value in computed(steps, x).items():
            histograms.setdefault(name, Histogram(value)).add(value)
            if name in OUTPUTS:
                largest = value.abs().amax((0, 2, 3)).numpy()
                limits[name] = np.maximum(limits.get(name, largest), largest)
    return {name: histogram.quantization() for name, histogram in histograms.items()}, limits, seen


class QuantizedGraph:
    def __init__(self, steps, ranges, limits, seen):
        self.ranges, self.limits = ranges, limits
        self.nodes, self.tensors = [], []
        self._first(steps[0], seen)
        for step in steps[1:]:
            self._convolution(step)

    def _tensor(self, name, value):
        self.tensors.append(numpy_helper.from_array(value, name))
        return name

    def _round(self, source: str, name: str):
        """source (float) -> NAME, its float value after rounding to 8 bits."""
        range_ = self._range(name)
        self.nodes.append(helper.make_node("QuantizeLinear", [source, *range_], [f"{name}.q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}.q", *range_], [name]))

    def _range(self, name: str):
        scale, zero = self.ranges[name]
        return [
            self._tensor(f"{name}.scale", np.array(scale, np.float32)),
            self._tensor(f"{name}.zero", np.array(zero, np.uint8)),
        ]

    def _divided(self, source: str, name: str, channels: int):
        """The same bytes (N, H, W, channels of source) as NAME (N, channels, H, the rest); nothing moves in memory."""
        shape = self._tensor(f"{name}.shape", np.array([0, 0, -1, channels], np.int64))
        self.nodes.append(helper.make_node("Reshape", [source, shape], [f"{name}.pixels"]))
        self.nodes.append(helper.make_node("Transpose", [f"{name}.pixels"], [name], perm=[0, 3, 1, 2]))

    def _answer(self, step):
        """An output: rounded in units of a 127th of each channel's limit."""
        limit = np.maximum(self.limits[step.name], 1e-6).astype(np.float32)
        unit = [
            self._tensor(f"{step.name}.unit", np.array(1 / 127, np.float32)),
            self._tensor(f"{step.name}.middle", np.array(128, np.uint8)),
        ]
        back = [
            self._tensor(f"{step.name}.scale", limit / 127),
            self._tensor(f"{step.name}.zero", np.full(len(limit), 128, np.uint8)),
        ]
        self.nodes.append(helper.make_node("QuantizeLinear", [f"{step.name}.raw", *unit], [f"{step.name}.q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{step.name}.q", *back], [step.name], axis=1))

    def _first(self, step, seen):
        """In pairs: the runtime lists the address of all that each place of the result sees, which takes longer than the products."""
        codes, scale, bias = on_bytes(step, seen)
        whole = [self._tensor("pixels.scale", np.array(1, np.float32)), self._tensor("pixels.zero", np.array(MIDDLE, np.uint8))]
        self._divided(step.source, "pixels.codes", 8)
        self.nodes.append(helper.make_node("DequantizeLinear", ["pixels.codes", *whole], ["pixels"]))
        scales = np.tile(scale, 2)
        self._rounded_sums(step, "pixels", in_pairs(codes), scales, scales, np.tile(bias, 2), pads=[1, 1, 1, 0])
        range_ = self._range(step.name)
        self.nodes.append(helper.make_node("QuantizeLinear", [f"{step.name}.raw", *range_], [f"{step.name}.pairs"]))
        self.nodes.append(helper.make_node("Transpose", [f"{step.name}.pairs"], [f"{step.name}.rows"], perm=[0, 2, 3, 1]))
        self._divided(f"{step.name}.rows", f"{step.name}.q", len(codes))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{step.name}.q", *range_], [step.name]))

    def _rounded_sums(self, step, source, codes, scale, unit, bias, **others):
        """source (8 bits) -> NAME.raw, `unit` being what one step of a sum stands for."""
        weight = self._constant(f"{step.name}.weight", codes, scale, np.zeros(len(scale), np.int8))
        sums = np.round(bias / unit.astype(np.float64)).astype(np.int32)
        start = self._constant(f"{step.name}.bias", sums, unit, np.zeros(len(unit), np.int32))
        self.nodes.append(helper.make_node("Conv", [source, weight, start], [f"{step.name}.raw"], **{**settings(step), **others}))

    def _constant(self, name: str, codes, scale, zero):
        inputs = [
            self._tensor(f"{name}.codes", codes),
            self._tensor(f"{name}.scale", scale),
            self._tensor(f"{name}.zero", zero),
        ]
        self.nodes.append(helper.make_node("DequantizeLinear", inputs, [name], axis=0))
        return name

    def _convolution(self, step):
        share = 1 / np.maximum(self.limits[step.name], 1e-6) if step.name in OUTPUTS else np.ones(len(step.weight))
        exact = step.weight * share[:, None, None, None]
        scale = (np.maximum(np.abs(exact).reshape(len(exact), -1).max(1), 1e-8) / 127).astype(np.float32)
        codes = np.clip(np.round(exact / scale[:, None, None, None]), -127, 127).astype(np.int8)
        unit = (scale * np.float32(self.ranges[step.source][0])).astype(np.float32)
        self._rounded_sums(step, step.source, codes, scale, unit, step.bias * share)
        if step.name in OUTPUTS:
            self._answer(step)
            return
        if not step.added:
            self._round(f"{step.name}.raw", step.name)
            return
        self._round(f"{step.name}.raw", f"{step.name}.path")
        self.nodes.append(helper.make_node("Add", [step.added, f"{step.name}.path"], [f"{step.name}.sum"]))
        self._round(f"{step.name}.sum", step.name)


def settings(step: Convolution):
    size = step.weight.shape[2]
    return {"kernel_shape": [size] * 2, "strides": [step.stride] * 2, "pads": [size // 2] * 4}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("basis", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fine-weight", type=float, default=1.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    scales = Basis.load(options.basis).scales
    steps = operations(student_of(options.checkpoint, options.seed), (scales[0] * options.fine_weight, scales[1]))
    pictures = shard(options.seed, CALIBRATION_SHARD, CALIBRATION_PICTURES)
    calibration = calibrated(steps, (normalised(pictures[i : i + BATCH]) for i in range(0, len(pictures), BATCH)))
    graph = QuantizedGraph(steps, *calibration)
    picture = helper.make_tensor_value_info(INPUT, TensorProto.UINT8, ["N", "H", "W", 4])
    onnx.save(finished(graph.nodes, graph.tensors, steps, f"{DESCRIPTION} 8-bit.", picture), str(options.out))


if __name__ == "__main__":
    main()
