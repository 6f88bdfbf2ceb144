"""What the tests of the Python package share."""

import os

import numpy
import pytest
from hypothesis import settings

# A property that fails once fails in the next run too; how long an example takes says nothing on a shared machine.
settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("reproducible")

# What a user may have set would change which kernels are tested.
for variable in ("ROIPOOL_MAX_ISA", "ROIPOOL_SCHEDULE", "ROIPOOL_TUNING"):
    os.environ.pop(variable, None)


def random_rois(random, rois, images, height, width, scale=1.0, overhang=0.0):
    """(rois, 5) float32: boxes with x1 <= x2, y1 <= y2 that reach at most `overhang` of the image's size outside it."""
    corners = (random.random((2, rois, 2)) * (1 + 2 * overhang) - overhang) * (numpy.array([width, height]) - 1) / scale
    first, last = corners.min(axis=0), corners.max(axis=0)
    index = random.integers(0, images, (rois, 1)) if images else numpy.zeros((rois, 1))
    return numpy.concatenate([index, first, last], axis=1).astype(numpy.float32)


@pytest.fixture
def random():
    return numpy.random.default_rng(20)
