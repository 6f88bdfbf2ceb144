"""Training data: mosaics of photographs with a box around each, made by a seed."""

from dataclasses import dataclass

import numpy
import torch
from skimage import data, transform

NAMES = ("astronaut", "cat", "coffee", "rocket", "retina", "hubble_deep_field", "immunohistochemistry", "logo")
TILE = 64
TILES = 3  # A mosaic has TILES x TILES photographs.
SIDE = TILE * TILES


@dataclass
class Batch:
    images: torch.Tensor  # (N, 3, SIDE, SIDE), from -1 to 1
    boxes: list[torch.Tensor]  # for each image (L, 4): x1, y1, x2, y2 of boxes that are a little off
    labels: torch.Tensor  # (N * L,) which photograph
    offsets: torch.Tensor  # (N * L, 4) from each box to the true one, in sides of a tile


class Photographs:
    def __init__(self, seed: int) -> None:
        self._random = numpy.random.default_rng(seed)
        self._photographs = [self._load(name) for name in NAMES]

    def batch(self, images: int) -> Batch:
        mosaics, boxes, labels, offsets = zip(*(self._mosaic() for _ in range(images)), strict=True)
        return Batch(torch.stack(mosaics), list(boxes), torch.cat(labels), torch.cat(offsets))

    @staticmethod
    def _load(name: str) -> numpy.ndarray:
        image = getattr(data, name)()[..., :3]
        side = min(image.shape[:2])
        return transform.resize(image[:side, :side], (3 * TILE, 3 * TILE), anti_aliasing=True).astype(numpy.float32)

    def _mosaic(self) -> tuple[torch.Tensor, ...]:
        image = numpy.zeros((SIDE, SIDE, 3), numpy.float32)
        labels = self._random.integers(0, len(NAMES), TILES * TILES)
        corners = []
        for place, label in enumerate(labels):
            size = int(self._random.integers(TILE // 2, TILE + 1))
            y, x = (int(start * TILE + self._random.integers(0, TILE - size + 1)) for start in divmod(place, TILES))
            top, left = self._random.integers(0, TILE, 2)
            crop = self._photographs[label][top : top + 2 * TILE, left : left + 2 * TILE]
            image[y : y + size, x : x + size] = transform.resize(crop, (size, size))
            corners.append((x, y, x + size - 1, y + size - 1))
        true = numpy.array(corners, numpy.float32)
        boxes = true + self._random.uniform(-0.15, 0.15, true.shape).astype(numpy.float32) * TILE
        return (
            torch.from_numpy(image * 2 - 1).permute(2, 0, 1),
            torch.from_numpy(boxes),
            torch.from_numpy(labels),
            torch.from_numpy((true - boxes) / TILE),
        )
