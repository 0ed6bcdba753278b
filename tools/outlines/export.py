"""python3 export.py run.pt outlines.onnx [--release outlines.pt]

Writes the network with its batch norms folded and probabilities as the answer, and a checkpoint in half precision.
"""

import argparse

import torch
from network import OutlineNetwork
from torch import nn


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("onnx")
    parser.add_argument("--release")
    given = parser.parse_args()
    network = OutlineNetwork()
    weights = torch.load(given.run)
    network.load_state_dict({name: value.float() if value.is_floating_point() else value for name, value in weights.items()})
    answering = nn.Sequential(network, nn.Sigmoid()).eval()
    torch.onnx.export(answering, torch.zeros(1, 6, 64, 64), given.onnx, input_names=["input"], output_names=["probabilities"], opset_version=13)
    if given.release:
        torch.save({name: value.half() if value.is_floating_point() else value for name, value in weights.items()}, given.release)


if __name__ == "__main__":
    main()
