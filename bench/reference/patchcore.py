"""PatchCore as published (Roth et al. 2022), on PyTorch and faiss: what Kensa's speed is compared with.

ResNet50v2, layers 2 and 3, each averaged over 3x3 neighbours, layer 3 upsampled to the grid of layer 2, 1536 numbers a
patch; a greedy k-center coreset of a tenth of all patches, chosen in 128 dimensions of a random projection from
ten starting points (the approximate greedy choice of the authors' code); exact nearest neighbours; the map upsampled to
the input and smoothed with sigma 4; the image's score re-weighted by the neighbourhood of its nearest member.

    python3 patchcore.py --weights resnet50v2_layers123.onnx --data FOLDER [--train-limit N] [--threads 1]

FOLDER holds train/good, test/good and test/<kind>. Prints one line of JSON.
"""

import argparse
import json
import os
import time
from pathlib import Path


def tell_blas_of_processor():
    """OpenBLAS takes a processor that is newer than itself for one without wide vectors, at a third to a fifth of the rate."""
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return
    for flag, core in (("avx512f", "SkylakeX"), ("avx2", "Haswell")):
        if flag in flags:
            os.environ.setdefault("OPENBLAS_CORETYPE", core)
            return


# It reads its environment when it is loaded.
tell_blas_of_processor()

import cv2
import faiss
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
STD = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
PROJECTED = 128
STARTS = 10
NEIGHBOURS = 9


class Network:
    """Runs the few operators of the ResNet's ONNX file in PyTorch; each batch normalisation is folded to one scale and shift."""

    def __init__(self, path):
        graph = onnx.load(path).graph
        self.nodes = list(graph.node)
        self.weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
        self.input = next(i.name for i in graph.input if i.name not in self.weights)
        self.attributes = [
            {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute} for node in self.nodes
        ]
        last_use = {name: index for index, node in enumerate(self.nodes) for name in node.input}
        self.spent = [
            [n for n in node.input if last_use[n] == index and n not in self.weights]
            for index, node in enumerate(self.nodes)
        ]
        self.norms = {}
        for index, node in enumerate(self.nodes):
            if node.op_type == "BatchNormalization":
                gamma, beta, mean, variance = (self.weights[name] for name in node.input[1:5])
                scale = gamma / torch.sqrt(variance + self.attributes[index].get("epsilon", 1e-5))
                self.norms[index] = (scale.view(1, -1, 1, 1), (beta - mean * scale).view(1, -1, 1, 1))

    def __call__(self, images):
        values = {self.input: images}
        kept = {}
        for index, node in enumerate(self.nodes):
            attributes = self.attributes[index]
            x = values[node.input[0]]
            if node.op_type == "Conv":
                bias = self.weights[node.input[2]] if len(node.input) > 2 else None
                pads, strides = attributes.get("pads", [0, 0]), attributes.get("strides", [1, 1])
                y = F.conv2d(x, self.weights[node.input[1]], bias, tuple(strides), tuple(pads[:2]))
            elif node.op_type == "BatchNormalization":
                scale, shift = self.norms[index]
                y = torch.addcmul(shift, x, scale)
            elif node.op_type == "Relu":
                y = torch.relu(x)
            elif node.op_type == "Add":
                y = x + values[node.input[1]]
            elif node.op_type == "MaxPool":
                pads = attributes.get("pads", [0, 0])
                y = F.max_pool2d(x, attributes["kernel_shape"], attributes["strides"], tuple(pads[:2]))
            else:
                raise ValueError(f"operator {node.op_type} is not known")
            values[node.output[0]] = y
            if node.output[0] in ("layer2", "layer3"):
                kept[node.output[0]] = y
            for name in self.spent[index]:
                values.pop(name, None)
        return kept["layer2"], kept["layer3"]


def read_image(path, size):
    picture = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
    picture = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    tensor = torch.from_numpy(picture).permute(2, 0, 1).unsqueeze(0).float() / 255
    return (tensor - MEAN) / STD


def patches_of(network, image):
    """[rows * columns, 1536], and the grid."""
    fine, coarse = (F.avg_pool2d(level, 3, 1, 1) for level in network(image))
    grid = fine.shape[-2:]
    both = torch.cat([fine, F.interpolate(coarse, size=grid, mode="bilinear", align_corners=False)], 1)
    return both.squeeze(0).flatten(1).t().contiguous(), grid


def coreset(patches, count, generator):
    projection = torch.randn(patches.shape[1], PROJECTED, generator=generator) / PROJECTED**0.5
    points = patches @ projection
    squares = (points * points).sum(1)
    distance_from = lambda index: squares - 2 * (points @ points[index]) + squares[index]
    starts = torch.randperm(len(points), generator=generator)[:STARTS]
    nearest = torch.stack([distance_from(i).clamp_min(0).sqrt() for i in starts]).mean(0)
    members = []
    for _ in range(count):
        index = int(nearest.argmax())
        members.append(index)
        torch.minimum(nearest, distance_from(index).clamp_min(0).sqrt(), out=nearest)
    return patches[members]


def score_image(network, index, bank, path, size):
    """The image's score, from the file to the smoothed map."""
    patches, grid = patches_of(network, read_image(path, size))
    squares, nearest = index.search(patches.numpy(), 1)
    distances = np.sqrt(np.maximum(squares[:, 0], 0))
    worst = int(distances.argmax())
    member = bank[nearest[worst, 0]].reshape(1, -1)
    _, around = index.search(member, NEIGHBOURS)
    apart = np.linalg.norm(bank[around[0]] - patches[worst].numpy(), axis=1)
    weight = 1 - 1 / np.exp(apart - distances[worst]).sum()
    plane = torch.from_numpy(distances).reshape(1, 1, *grid)
    plane = F.interpolate(plane, size=(size, size), mode="bilinear", align_corners=False).numpy()[0, 0]
    cv2.GaussianBlur(plane, (33, 33), 4)
    return float(distances[worst] * weight)


def auroc(good, defect):
    pairs = [(g < d) + 0.5 * (g == d) for g in good for d in defect]
    return sum(pairs) / len(pairs) if pairs else None


def multiply_gflops():
    """Rate of a plain matrix product: tells a BLAS that holds the reference back."""
    a = torch.randn(1024, 1024)
    fastest = 1e9
    for _ in range(5):
        started = time.perf_counter()
        a @ a
        fastest = min(fastest, time.perf_counter() - started)
    return 2 * 1024**3 / fastest / 1e9


def images_under(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png", ".bmp"})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--weights", required=True)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--size", type=int, default=256)
    options.add_argument("--share", type=float, default=0.1)
    options.add_argument("--train-limit", type=int, default=0)
    options.add_argument("--threads", type=int, default=1)
    arguments = options.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.set_grad_enabled(False)
    faiss.omp_set_num_threads(arguments.threads)
    cv2.setNumThreads(arguments.threads)
    network = Network(arguments.weights)
    training = images_under(arguments.data / "train" / "good")
    training = training[: arguments.train_limit or None]

    started, cpu_started = time.perf_counter(), time.process_time()
    patches = torch.cat([patches_of(network, read_image(path, arguments.size))[0] for path in training])
    features = time.perf_counter() - started
    bank = coreset(patches, max(1, int(len(patches) * arguments.share)), torch.Generator().manual_seed(0)).numpy()
    index = faiss.IndexFlatL2(bank.shape[1])
    index.add(bank)
    train_seconds = time.perf_counter() - started
    del patches

    scores = {True: [], False: []}
    train_cpu_seconds = time.process_time() - cpu_started
    milliseconds = []
    cpu_started = time.process_time()
    for path in images_under(arguments.data / "test"):
        before = time.perf_counter()
        score = score_image(network, index, bank, path, arguments.size)
        milliseconds.append(1000 * (time.perf_counter() - before))
        scores[path.parent.name == "good"].append(score)
    cpu_milliseconds = 1000 * (time.process_time() - cpu_started) / len(milliseconds)
    print(
        json.dumps(
            {
                "trainImages": len(training),
                "bank": [int(n) for n in bank.shape],
                "featureSeconds": features,
                "trainSeconds": train_seconds,
                "milliseconds": milliseconds,
                "trainCpuSeconds": train_cpu_seconds,
                "cpuMilliseconds": cpu_milliseconds,
                "multiplyGflops": multiply_gflops(),
                "auroc": auroc(scores[True], scores[False]),
                "versions": {"torch": torch.__version__, "faiss": faiss.__version__, "cv2": cv2.__version__},
            }
        )
    )


main()
