"""python -m roipool.demo as a user types it."""

import subprocess
import sys

import matplotlib.image
import numpy


def demo(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "roipool.demo", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_draws_a_picture_with_three_colored_boxes(tmp_path):
    run = demo(tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("roipool_demo.png: 3 boxes")
    picture = matplotlib.image.imread(tmp_path / "roipool_demo.png")
    assert picture.shape[0] > 500 and picture.shape[1] > 500
    for color in ("tab:orange", "tab:cyan", "tab:pink"):
        distance = numpy.abs(picture[..., :3] - matplotlib.colors.to_rgb(color)).max(axis=2)
        assert numpy.count_nonzero(distance < 0.02) > 500, color


def test_takes_a_photograph_of_ones_own(tmp_path):
    matplotlib.image.imsave(tmp_path / "own.png", numpy.random.default_rng(1).random((60, 80, 3)))
    run = demo(tmp_path, "--image", "own.png", "--output", "drawn.png")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "drawn.png").is_file()


def test_says_which_file_is_at_fault(tmp_path):
    (tmp_path / "text.png").write_text("no picture")
    for arguments, message in (
        (("--image", "missing.png"), "--image missing.png: "),
        (("--image", "text.png"), "--image text.png: "),
        (("--output", "no/such/folder.png"), "--output no/such/folder.png: "),
    ):
        run = demo(tmp_path, *arguments)
        assert run.returncode == 1
        assert run.stderr.startswith("roipool.demo: " + message), run.stderr
        assert "Traceback" not in run.stderr
