"""What RoI max pooling picks of a photograph, and where its gradient goes: `python -m roipool.demo` draws it."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Any

import numpy

import roipool

BINS = 7
# x1, y1, x2, y2 as parts of the photograph's width and height: in astronaut.png a face, a space shuttle and a badge.
BOXES = {"face": (0.32, 0.06, 0.60, 0.36), "shuttle": (0.70, 0.01, 0.90, 0.55), "badge": (0.24, 0.68, 0.42, 0.84)}
COLORS = ("tab:orange", "tab:cyan", "tab:pink")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m roipool.demo", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default="roipool_demo.png", help="the picture to write (%(default)s)")
    parser.add_argument("--image", type=pathlib.Path, help="a photograph; by default the astronaut that scikit-image ships")
    arguments = parser.parse_args()
    try:
        photograph = _load(arguments.image)
    except ImportError as error:
        print(f"roipool.demo: {error}; pip install 'roipool[demo]'", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"roipool.demo: --image {arguments.image}: {error}", file=sys.stderr)
        return 1
    try:
        _draw(photograph, arguments.image is not None, arguments.output)
    except (OSError, ValueError) as error:
        print(f"roipool.demo: --output {arguments.output}: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.output}: {len(BOXES)} boxes, what was pooled from each, and where the gradient went")
    return 0


def _load(path: pathlib.Path | None) -> Any:
    """(H, W) float32, brightness from 0 to 1."""
    import matplotlib
    from skimage import color, data, io, util

    matplotlib.use("Agg")
    image = data.astronaut() if path is None else io.imread(path)
    if image.ndim == 3:
        image = color.rgb2gray(image[..., :3])
    return util.img_as_float32(image)


def _draw(photograph: Any, is_another: bool, output: pathlib.Path) -> None:
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle

    height, width = photograph.shape
    x = photograph[None, None]
    boxes = numpy.round(numpy.array(list(BOXES.values())) * [width - 1, height - 1, width - 1, height - 1])
    rois = numpy.insert(boxes, 0, 0, axis=1).astype(numpy.float32)
    y, argmax = roipool.roi_pool(x, rois, BINS)
    # The loss is the sum of squares of what was pooled, halved, so that the gradient of each bin is its value.
    grad_input = roipool.roi_pool_grad(y, argmax, rois, x.shape)[0, 0]

    figure, axes = pyplot.subplots(len(BOXES), 4, figsize=(14, 10), width_ratios=(2, 1, 1, 1), layout="constrained")
    for axis in axes.flat:
        axis.set_axis_off()
    whole = figure.add_subplot(axes[0, 0].get_gridspec()[:, 0])
    whole.set_axis_off()
    whole.imshow(photograph, cmap="gray")
    whole.set_title(f"{len(BOXES)} boxes in a photograph")
    rows = zip(axes[:, 1:], boxes, y[:, 0], argmax[:, 0], BOXES, COLORS, strict=True)
    for row, ((crop_axis, pooled_axis, gradient_axis), (x1, y1, x2, y2), pooled, chosen, name, color) in enumerate(rows):
        whole.add_patch(Rectangle((x1, y1), x2 - x1, y2 - y1, fill=False, edgecolor=color, linewidth=2.5))
        label = str(row + 1) if is_another else name
        whole.text(x1, y1, f" {label} ", backgroundcolor=color, fontsize=9, fontweight="bold", verticalalignment="top")
        crop = numpy.s_[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1]
        extent = (x1 - 0.5, x2 + 0.5, y2 + 0.5, y1 - 0.5)
        crop_axis.imshow(photograph[crop], cmap="gray", extent=extent, aspect="auto", vmin=0, vmax=1)
        for line in range(1, BINS):
            crop_axis.axvline(x1 - 0.5 + line * (x2 - x1 + 1) / BINS, color=color, linewidth=0.6)
            crop_axis.axhline(y1 - 0.5 + line * (y2 - y1 + 1) / BINS, color=color, linewidth=0.6)
        crop_axis.plot(chosen.ravel() % width, chosen.ravel() // width, "o", color="red", markersize=3.5)
        pooled_axis.imshow(pooled, cmap="gray", aspect="auto", vmin=0, vmax=1)
        heat = gradient_axis.imshow(_spread(grad_input[crop]), cmap="inferno", extent=extent, aspect="auto")
        figure.colorbar(heat, ax=gradient_axis, shrink=0.8)
    axes[0, 1].set_title(f"{BINS} x {BINS} bins, and in each\nthe brightest pixel (red)")
    axes[0, 2].set_title("y: what was pooled")
    axes[0, 3].set_title("grad_input: back to those pixels,\nadded up where bins share one")
    figure.suptitle("RoI max pooling and its gradient", fontsize=16, fontweight="bold")
    figure.savefig(output, dpi=100)
    pyplot.close(figure)


def _spread(gradient: Any) -> Any:
    """Single pixels as squares of five, or nobody would see them."""
    padded = numpy.pad(gradient, 2)
    return numpy.lib.stride_tricks.sliding_window_view(padded, (5, 5)).max(axis=(2, 3))


if __name__ == "__main__":
    sys.exit(main())
