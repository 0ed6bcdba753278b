"""The first convolution, which sees a picture's own bytes, with weights in 8 bits."""

from itertools import product

import numpy as np
import torch.nn.functional as F
from graph import Convolution
from targets import ALPHA, DEVIATION, MEAN, as_bytes

MIDDLE = 116  # the level that stands for zero, and for what lies outside the picture
LARGEST = 127


class Neighbourhoods:
    """Mean and covariance of what a 3x3 convolution sees, levels about MIDDLE, in the order of its weights."""

    def __init__(self):
        self.count, self.sums, self.products = 0, np.zeros(27), np.zeros((27, 27))

    def add(self, x):
        levels = as_bytes(x)[..., :3].permute(0, 3, 1, 2).double() - MIDDLE
        seen = F.unfold(levels, 3, stride=2).transpose(0, 1).reshape(27, -1).numpy()
        self.count += seen.shape[1]
        self.sums += seen.sum(1)
        self.products += seen @ seen.T

    def mean(self):
        return self.sums / self.count

    def covariance(self):
        return self.products / self.count - np.outer(self.mean(), self.mean())


def settled(exact, covariance):
    """(outputs, n) weights in units -> whole numbers of the least squared error on what is seen, apart from a constant:
    each weight is rounded, then single ones go a step up or down for as long as that helps."""
    codes = np.clip(np.round(exact), -LARGEST, LARGEST)
    for weights, rounded in zip(exact, codes, strict=True):
        while True:
            slope = covariance @ (weights - rounded)
            step = np.sign(slope)
            gain = np.where(np.abs(rounded + step) > LARGEST, -np.inf, 2 * np.abs(slope) - np.diag(covariance))
            best = gain.argmax()
            if gain[best] <= 0:
                break
            rounded[best] += step[best]
    return codes


def on_bytes(step: Convolution, seen: Neighbourhoods):
    """(int8 weights (outputs, 4, 3, 3), scale and bias of each output) for red, green, blue, ALPHA.

    The network's zero is the mean, another level in each colour: the fourth channel, which is MIDDLE only outside of the
    picture, makes up for the difference there."""
    outputs = len(step.weight)
    colours = step.weight / (255 * np.array(DEVIATION))[None, :, None, None]
    offset = (colours * (MIDDLE - 255 * np.array(MEAN))[None, :, None, None]).sum(1, keepdims=True)
    exact = np.concatenate([colours, offset / (ALPHA - MIDDLE)], 1)
    scale = (np.abs(exact).reshape(outputs, -1).max(1) / LARGEST).astype(np.float32)
    units = scale[:, None, None, None].astype(np.float64)
    rounded = settled((colours / units).reshape(outputs, 27), seen.covariance()).reshape(colours.shape)
    codes = np.concatenate([rounded, np.round(exact[:, 3:] / units)], 1)
    lost = exact - codes * units
    constant = lost[:, :3].reshape(outputs, 27) @ seen.mean() + lost[:, 3].sum((1, 2)) * (ALPHA - MIDDLE)
    return codes.astype(np.int8), scale, step.bias + constant


def in_pairs(codes):
    """(outputs, 4, 3, 3) at every second column -> (2 * outputs, 8, 3, 3), which sees two columns as one and gives two neighbours
    of a row at once; to be padded by one at the top, left and bottom."""
    pairs = np.zeros((2, len(codes), 2, 4, 3, 3), codes.dtype)
    for neighbour, column in product(range(2), range(3)):
        cell, half = divmod(2 * neighbour + column - 1, 2)
        pairs[neighbour, :, half, :, :, cell + 1] = codes[:, :, :, column]
    return pairs.reshape(-1, 8, 3, 3)
