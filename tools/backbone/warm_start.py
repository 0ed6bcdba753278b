"""Start from an earlier export instead of from nothing. Its batch norms are folded into the convolutions, so they are
unfolded again: each new batch norm gets the mean and deviation that its convolution has on generated pictures, and a
scale and shift that undo them. A student with fewer blocks leaves the last ones out, one with more starts them as
identities. The heads are fitted anew by least squares, for the new basis."""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from student import Block


def exported_convolutions(path: Path):
    """(weight, bias) of every convolution but the two heads, in the order of computation."""
    graph = onnx.load(str(path)).graph
    tensors = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    heads = {o.name for o in graph.output}
    return [
        (tensors[n.input[1]], tensors[n.input[2]])
        for n in graph.node
        if n.op_type == "Conv" and n.output[0] not in heads
    ]


def matched(folded, exported_blocks, blocks):
    """One entry for each convolution of a student with `blocks` blocks a stage: the export's, or None where it has none."""
    source, out = list(folded), []

    def take(count):
        taken, source[:count] = source[:count], []
        return taken

    out += take(2)
    for i, (had, wanted) in enumerate(zip(exported_blocks, blocks, strict=True)):
        stage = take(3 * had)
        out += (stage + [None] * (3 * wanted))[: 3 * wanted]
        out += take(1) if i < len(blocks) - 1 else []
    return out


@torch.no_grad()
def unfold(student, folded, pictures):
    """Fills `student` so that in training mode, on `pictures` (normalised), it computes what the export did."""
    hooks = []
    for module in student.modules():
        if isinstance(module, Block):
            module.path[-1].weight.zero_()
    for (convolution, norm), known in zip(student.convolutions(), folded, strict=True):
        if known is None:
            continue
        weight, bias = known
        convolution.weight.copy_(weight)

        def adopt(_module, inputs, norm=norm, bias=bias):
            x = inputs[0]
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.copy_(bias + mean)

        hooks.append(norm.register_forward_pre_hook(adopt))
    student.train()
    student.trunk(pictures)
    for hook in hooks:
        hook.remove()


@torch.no_grad()
def fit_heads(student, batches, ridge=1e-3):
    """Least squares from the trunk's features to the targets. `batches` yields (pictures, targets of both levels)."""
    sums = [0.0, 0.0]
    for x, targets in batches:
        for i, (features, target) in enumerate(zip(student.trunk(x), targets, strict=True)):
            f = features.float().permute(0, 2, 3, 1).flatten(0, 2)
            f = torch.cat([f, torch.ones(len(f), 1)], 1)
            t = target.permute(0, 2, 3, 1).flatten(0, 2)
            sums[i] = sums[i] + f.t() @ torch.cat([f, t], 1)
    for head, total in zip((student.head8, student.head16), sums, strict=True):
        size = head.weight.shape[1] + 1
        gram = total[:, :size].double()
        gram += ridge * gram.diagonal().mean() * torch.eye(size).double()
        solution = torch.linalg.solve(gram, total[:, size:].double()).float()
        head.weight.copy_(solution[:-1].t()[:, :, None, None])
        head.bias.copy_(solution[-1])
