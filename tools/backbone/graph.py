"""The student as a plain list of operations with batch norms folded, and that list as an ONNX file."""

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from student import Block, Student
from torch import nn

OPSET = 13
INPUT = "image"
OUTPUTS = ("level8", "level16")


@dataclass
class Convolution:
    """`relu` after it; `added` names the value that is added before the ReLU."""

    name: str
    source: str
    weight: np.ndarray  # [outputs, inputs, size, size]
    bias: np.ndarray
    stride: int
    relu: bool
    added: str | None = None


def folded(convolution: nn.Conv2d, norm: nn.BatchNorm2d):
    scale = (norm.weight / (norm.running_var + norm.eps).sqrt()).detach().double()
    weight = convolution.weight.detach().double() * scale[:, None, None, None]
    bias = norm.bias.detach().double() - norm.running_mean.double() * scale
    return weight.float().numpy(), bias.float().numpy()


def operations(student: Student, scales) -> list[Convolution]:
    """`scales`: what each head's answers are multiplied by."""
    done: list[Convolution] = []

    def plain(name, pair, source):
        done.append(Convolution(name, source, *folded(*pair), pair[0].stride[0], True))
        return name

    def block(name, module: Block, source):
        path = module.path
        inner = plain(f"{name}.middle", (path[3], path[4]), plain(f"{name}.narrow", (path[0], path[1]), source))
        done.append(Convolution(f"{name}.wide", inner, *folded(path[6], path[7]), 1, True, source))
        return f"{name}.wide"

    value = plain("stem.1", student.stem[3:5], plain("stem.0", student.stem[0:2], INPUT))
    fine = value
    for stride, down, stage in ((4, None, student.stage4), (8, student.down8, student.stage8), (16, student.down16, student.stage16)):
        if down is not None:
            value = plain(f"down{stride}", down[0:2], value)
        for i, module in enumerate(stage):
            value = block(f"stage{stride}.{i}", module, value)
        fine = value if stride == 8 else fine
    for name, head, source, scale in zip(OUTPUTS, (student.head8, student.head16), (fine, value), scales, strict=True):
        weight, bias = head.weight.detach().numpy() * np.float32(scale), head.bias.detach().numpy() * np.float32(scale)
        done.append(Convolution(name, source, weight, bias, 1, False))
    return done


def float_model(steps: list[Convolution], description: str) -> onnx.ModelProto:
    nodes, tensors = [], []
    for step in steps:
        tensors += [
            numpy_helper.from_array(step.weight, f"{step.name}.weight"),
            numpy_helper.from_array(step.bias, f"{step.name}.bias"),
        ]
        size = step.weight.shape[2]
        result = step.name if not step.relu else f"{step.name}.sum" if step.added else f"{step.name}.linear"
        inputs = [step.source, f"{step.name}.weight", f"{step.name}.bias"]
        raw = f"{step.name}.path" if step.added else result
        settings = {"kernel_shape": [size] * 2, "strides": [step.stride] * 2, "pads": [size // 2] * 4}
        nodes.append(helper.make_node("Conv", inputs, [raw], **settings))
        if step.added:
            nodes.append(helper.make_node("Add", [step.added, raw], [result]))
        if step.relu:
            nodes.append(helper.make_node("Relu", [result], [step.name]))
    image = helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["N", 3, "H", "W"])
    return finished(nodes, tensors, steps, description, image)


def finished(nodes, tensors, steps, description: str, image: onnx.ValueInfoProto) -> onnx.ModelProto:
    heads = {step.name: step for step in steps if step.name in OUTPUTS}
    outputs = [
        helper.make_tensor_value_info(o, TensorProto.FLOAT, ["N", heads[o].weight.shape[0], f"H/{o[5:]}", f"W/{o[5:]}"])
        for o in OUTPUTS
    ]
    graph = helper.make_graph(nodes, "kensa", [image], outputs, tensors, doc_string=description)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="kensa")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model
