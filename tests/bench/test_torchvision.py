"""The program `roipool pool` against torchvision's operator, a million bins of real-valued boxes: y and argmax are the same.

usage: test_torchvision.py PROGRAM; ends with 77 where PyTorch or torchvision cannot be imported.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HEIGHT, WIDTH, ROIS = 50, 68, 7000


def monotonic_map():
    """The largest number of a window is its last pixel in channel 0, its first in channel 1: argmax shows every edge."""
    ascending = np.arange(HEIGHT * WIDTH, dtype=np.float32).reshape(HEIGHT, WIDTH)
    return np.stack([ascending, -ascending])[None]


def intervals(size, scale, random):
    """One axis of all boxes, many of which reach out of the map; where half of the corners are rounded, up or down hangs on one
    bit.
    """
    length = np.exp(random.random(ROIS) * np.log(1.5 * size))
    begin = random.uniform(-length / 2, size - length / 2)
    corners = np.stack([begin, begin + length])
    halves = ((np.floor(corners) + 0.5) / scale).astype(np.float32)
    halves = np.nextafter(halves, random.choice([-np.inf, np.inf, 0], halves.shape).astype(np.float32))
    return np.where(random.random(corners.shape) < 0.5, halves, (corners / scale).astype(np.float32))


def make_rois(scale, random):
    (x1, x2), (y1, y2) = intervals(WIDTH, scale, random), intervals(HEIGHT, scale, random)
    return np.stack([np.zeros_like(x1), x1, y1, x2, y2], axis=1)


class TorchvisionTest(unittest.TestCase):
    def pool(self, x, rois, pooled, scale):
        with tempfile.TemporaryDirectory() as folder:
            files = {name: str(pathlib.Path(folder, f"{name}.npy")) for name in ("x", "rois", "y", "argmax")}
            np.save(files["x"], x)
            np.save(files["rois"], rois)
            options = [f"--{name}={path}" for name, path in files.items()]
            options += [f"--pooled={pooled[0]},{pooled[1]}", f"--spatial-scale={scale}"]
            subprocess.run([program, "pool", *options], check=True, stdout=subprocess.DEVNULL)
            return np.load(files["y"]), np.load(files["argmax"])

    def test_argmax_of_real_boxes(self):
        random, x = np.random.default_rng(1), monotonic_map()
        for scale, pooled in [(1 / 16, (7, 7)), (0.37, (7, 7)), (1.0, (5, 9))]:
            with self.subTest(scale=scale, pooled=pooled):
                rois = make_rois(scale, random)
                y, argmax = self.pool(x, rois, pooled, scale)
                expected = torch.ops.torchvision.roi_pool(torch.from_numpy(x), torch.from_numpy(rois), scale, *pooled)
                expected_y, expected_argmax = (tensor.numpy() for tensor in expected)
                self.assertEqual(np.count_nonzero(argmax != expected_argmax), 0, "elements of argmax that differ")
                self.assertEqual(np.count_nonzero(y != expected_y), 0, "elements of y that differ")


if __name__ == "__main__":
    program = sys.argv.pop()
    try:
        import torch
        import torchvision  # noqa: F401  Registers the operator.
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    unittest.main()
