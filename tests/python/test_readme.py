"""The README's Python, run as it stands."""

import pathlib
import re

import numpy
import torch

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def test_the_readmes_examples_run():
    arrays, tensors = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    names = {}
    exec(arrays, names)
    assert names["y"].shape == names["argmax"].shape == (2, 256, 7, 7)
    # Every bin's gradient is 1, and arrives.
    assert numpy.isclose(names["grad_input"].sum(), numpy.count_nonzero(names["argmax"] >= 0))

    names = {"input": torch.from_numpy(names["x"]), "boxes": torch.from_numpy(names["rois"])}
    exec(tensors, names)
    assert names["output"].shape == (2, 256, 7, 7)
    assert issubclass(names["RoIPool"], torch.nn.Module)
