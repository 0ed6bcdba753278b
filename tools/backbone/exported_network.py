"""Runs an export in torch, so that candidates can be ranked without onnxruntime. Only the operators that ours have;
8-bit graphs are computed in floats on the rounded values, which gives the integers' results up to float rounding."""

from pathlib import Path

import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, numpy_helper
from targets import as_bytes


def convolution(node, inputs):
    settings = {a.name: list(a.ints) for a in node.attribute if a.ints}
    x, *constants = inputs
    top, left, bottom, right = settings["pads"]
    return F.conv2d(F.pad(x, (left, right, top, bottom)), *constants, stride=settings["strides"])


def transposed(node, inputs):
    return inputs[0].permute(*node.attribute[0].ints).contiguous(memory_format=torch.channels_last)


def reshaped(_node, inputs):
    x, shape = inputs
    return x.reshape([size or x.shape[axis] for axis, size in enumerate(shape.tolist())])


def quantized(_node, inputs):
    x, scale, zero = inputs
    return (torch.round(x / scale) + zero).clamp(0, 255)


def dequantized(node, inputs):
    x, scale, zero = (v.float() for v in inputs)
    axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
    shape = [-1 if i == axis else 1 for i in range(x.dim())] if scale.dim() else []
    return (x - zero.reshape(shape)) * scale.reshape(shape)


OPERATORS = {
    "Conv": convolution,
    "Transpose": transposed,
    "Reshape": reshaped,
    "Relu": lambda _node, inputs: F.relu(inputs[0]),
    "Add": lambda _node, inputs: inputs[0] + inputs[1],
    "QuantizeLinear": quantized,
    "DequantizeLinear": dequantized,
}


def exported_network(path: Path):
    """x (N, 3, H, W), normalised -> list of outputs."""
    graph = onnx.load(str(path)).graph
    tensors = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    unknown = {node.op_type for node in graph.node} - set(OPERATORS)
    if unknown:
        raise ValueError(f"{path} has the operators {sorted(unknown)}; expected only {sorted(OPERATORS)}")

    [picture] = graph.input
    takes_bytes = picture.type.tensor_type.elem_type == TensorProto.UINT8

    @torch.no_grad()
    def forward(x):
        values = {**tensors, picture.name: as_bytes(x) if takes_bytes else x.contiguous(memory_format=torch.channels_last)}
        for node in graph.node:
            values[node.output[0]] = OPERATORS[node.op_type](node, [values[name] for name in node.input])
        return [values[o.name] for o in graph.output]

    return forward
