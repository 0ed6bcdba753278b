"""The teacher: ResNet50v2 stages 1 to 3, read from its ONNX file into plain torch functions.

Batch normalisations that follow a convolution are folded into it. In bfloat16 on a CPU with AVX512_BF16 a
picture of 192x192 takes a third of the float32 time.
"""

from pathlib import Path

import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper

STAGES = ((1, 3, 1), (2, 4, 2), (3, 6, 2))  # number, blocks, stride of the first block
PREFIX = "resnetv24_"
EPSILON = 1e-5


class Teacher:
    """Maps pictures (N, 3, H, W), normalised as kensa.json says, to
    [layer1 (N, 256, H/4, W/4), layer2 (N, 512, H/8, W/8), layer3 (N, 1024, H/16, W/16)], float32."""

    def __init__(self, path: Path, dtype: torch.dtype = torch.float32):
        graph = onnx.load(str(path)).graph
        self.weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
        self.dtype = dtype
        self.affine = {}
        self.convolutions = {}
        self._fold_stem()
        for stage, blocks, _ in STAGES:
            self._fold_stage(stage, blocks)

    def _scale_and_shift(self, name: str):
        gamma, beta, mean, var = (
            self.weights[f"{PREFIX}{name}_{part}"] for part in ("gamma", "beta", "running_mean", "running_var")
        )
        scale = gamma / torch.sqrt(var + EPSILON)
        return scale, beta - mean * scale

    def _keep_affine(self, name: str):
        scale, shift = self._scale_and_shift(name)
        self.affine[name] = (scale[None, :, None, None].to(self.dtype), shift[None, :, None, None].to(self.dtype))

    def _keep_convolution(self, name: str, following: str | None):
        weight, bias = self.weights[f"{PREFIX}{name}_weight"], None
        if following is not None:
            scale, bias = self._scale_and_shift(following)
            weight = weight * scale[:, None, None, None]
        weight = weight.contiguous(memory_format=torch.channels_last)
        self.convolutions[name] = (weight.to(self.dtype), None if bias is None else bias.to(self.dtype))

    def _fold_stem(self):
        self._keep_affine("batchnorm0")
        self._keep_convolution("conv0", "batchnorm1")

    def _fold_stage(self, stage: int, blocks: int):
        number = 0
        for block in range(blocks):
            prefix = f"stage{stage}_"
            self._keep_affine(f"{prefix}batchnorm{3 * block}")
            self._keep_convolution(f"{prefix}conv{number}", f"{prefix}batchnorm{3 * block + 1}")
            self._keep_convolution(f"{prefix}conv{number + 1}", f"{prefix}batchnorm{3 * block + 2}")
            self._keep_convolution(f"{prefix}conv{number + 2}", None)
            number += 3
            if block == 0:
                self._keep_convolution(f"{prefix}conv{number}", None)
                number += 1

    def _convolve(self, x, name, stride=1, padding=0):
        weight, bias = self.convolutions[name]
        return F.conv2d(x, weight, bias, stride, padding)

    def _normalise(self, x, name):
        scale, shift = self.affine[name]
        return torch.addcmul(shift, x, scale)

    @torch.no_grad()
    def __call__(self, x):
        x = x.to(self.dtype).contiguous(memory_format=torch.channels_last)
        x = self._convolve(self._normalise(x, "batchnorm0"), "conv0", 2, 3).relu_()
        x = F.max_pool2d(x, 3, 2, 1)
        levels = []
        for stage, blocks, first_stride in STAGES:
            number = 0
            for block in range(blocks):
                prefix, stride = f"stage{stage}_", first_stride if block == 0 else 1
                a = self._normalise(x, f"{prefix}batchnorm{3 * block}").relu_()
                y = self._convolve(a, f"{prefix}conv{number}").relu_()
                y = self._convolve(y, f"{prefix}conv{number + 1}", stride, 1).relu_()
                y = self._convolve(y, f"{prefix}conv{number + 2}")
                number += 3
                if block == 0:
                    x = self._convolve(a, f"{prefix}conv{number}", stride)
                    number += 1
                x = x + y
            levels.append(x.float())
        return levels
