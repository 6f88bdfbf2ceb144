"""A wheel built against an installed library, in a Python that has NumPy and nothing else."""

import importlib.metadata
import os
import pathlib
import subprocess
import sys
import zipfile

import numpy
import pytest

SOURCE_FOLDER = pathlib.Path(__file__).resolve().parents[2]
ALONE = """
import importlib.util
import sys

import numpy
import roipool

assert importlib.util.find_spec("torch") is None
x = numpy.arange(24, dtype=numpy.float32).reshape(1, 1, 4, 6)
rois = numpy.array([[0, 1, 1, 4, 2]], numpy.float32)
y, argmax = roipool.roi_pool(x, rois, (1, 2))
assert y.tolist() == [[[[14, 16]]]], y
assert argmax.tolist() == [[[[14, 16]]]], argmax
grad_input = roipool.roi_pool_grad(numpy.ones_like(y), argmax, rois, x.shape)
assert numpy.flatnonzero(grad_input).tolist() == [14, 16]
try:
    import roipool.torch
except ModuleNotFoundError as error:
    assert error.name == "torch", error
else:
    raise AssertionError("roipool.torch was imported without torch")
print(roipool.__version__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    cmake = pathlib.Path(os.environ["ROIPOOL_CMAKE"])
    environment = {**os.environ, "PATH": f"{cmake.parent}:{os.environ['PATH']}"}
    del environment["PYTHONPATH"]
    prefix = folder / "prefix"
    subprocess.run(
        [cmake, "--install", os.environ["ROIPOOL_BUILD_FOLDER"], "--prefix", prefix], check=True, stdout=subprocess.DEVNULL
    )
    defines = {"ROIPOOL_USE_INSTALLED": "ON", "CMAKE_PREFIX_PATH": prefix}
    options = [f"--config-settings=cmake.define.{name}={value}" for name, value in defines.items()]
    options.append(f"--config-settings=build-dir={folder}/build")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *options, "--wheel-dir", folder, SOURCE_FOLDER], check=True, env=environment)
    (built,) = folder.glob("*.whl")
    return built


def test_holds_the_package_its_types_and_one_module(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "roipool/__init__.py" in names and "roipool/torch/__init__.py" in names
    assert "roipool/py.typed" in names and "roipool/_core.pyi" in names
    (module,) = [name for name in names if name.endswith(".so")]
    assert module.startswith("roipool/_core.")
    # Nothing of the library for C++ users.
    assert {name.split("/")[0] for name in names} == {"roipool", f"roipool-{wheel.name.split('-')[1]}.dist-info"}


def test_works_with_numpy_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    installed = pathlib.Path(numpy.__file__).parents[1]
    for folder in ("numpy", "numpy.libs"):
        (tmp_path / folder).symlink_to(installed / folder)
    # -S: without what is installed.
    run = subprocess.run(
        [sys.executable, "-S", "-c", ALONE],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (distribution,) = importlib.metadata.distributions(path=[str(tmp_path)], name="roipool")
    assert run.stdout.strip() == distribution.version
