"""The example that trains a detector head, with few steps."""

import pathlib
import subprocess
import sys

import matplotlib.image

TRAIN = pathlib.Path(__file__).resolve().parents[2] / "examples" / "detector_head" / "train.py"


def test_trains_in_two_processes_with_the_same_bits_each_time(tmp_path):
    run = subprocess.run(
        [sys.executable, TRAIN, "--steps", "6", "--output", "losses.png"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "roipool, done again: the same in every bit" in run.stdout
    assert "torchvision: at most " in run.stdout
    assert "roipool, 2 processes" in run.stderr
    assert matplotlib.image.imread(tmp_path / "losses.png").shape[0] > 300
