"""How long forward and backward of RoI pooling take in a training step on a CPU, through each library's own Python call.

The inputs are those of scripts/bench, which writes them; run it first. One line per shape and library: the shortest time, the
median, and how many times as long as roipool. A library that is not installed is left out.
"""

import argparse
import pathlib
import statistics
import sys
import time

import numpy
from peers import Inputs


def torch_step(roi_pool, inputs, threads):
    import torch

    torch.set_num_threads(threads)
    x = torch.from_numpy(inputs.x).requires_grad_()
    rois, grad_output = torch.from_numpy(inputs.rois), torch.from_numpy(inputs.grad_output)

    def step():
        x.grad = None
        output = roi_pool(x, rois, inputs.pooled)
        output.backward(grad_output)
        return output.detach(), x.grad

    return step


def roipools(inputs, threads):
    import roipool.torch

    return torch_step(roipool.torch.roi_pool, inputs, threads)


def torchvisions(inputs, threads):
    import torchvision

    return torch_step(torchvision.ops.roi_pool, inputs, threads)


def paddles(inputs, threads):
    import paddle

    paddle.set_device("cpu")  # Its kernels have one thread, whatever is asked for.
    x = paddle.to_tensor(inputs.x, stop_gradient=False)
    # Its boxes are ordered by image; so are the benchmark's.
    counts = numpy.bincount(inputs.rois[:, 0].astype(numpy.int64), minlength=inputs.images).astype(numpy.int32)
    boxes, boxes_num = paddle.to_tensor(numpy.ascontiguousarray(inputs.rois[:, 1:])), paddle.to_tensor(counts)
    grad_output = paddle.to_tensor(inputs.grad_output)

    def step():
        x.clear_gradient()
        output = paddle.vision.ops.roi_pool(x, boxes, boxes_num, tuple(inputs.pooled))
        output.backward(grad_output)
        return output, x.grad

    return step


LIBRARIES = {"roipool": roipools, "torchvision": torchvisions, "paddle": paddles}


def steps_of(inputs, threads):
    steps = {}
    for name, make in LIBRARIES.items():
        try:
            steps[name] = make(inputs, threads)
        except ImportError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
    return steps


def check(name, results, inputs):
    output, grad_input = (result.numpy() for result in results)
    # Every pixel's sum has fewer terms than rois * bins, of at most the largest gradient; a library adds in whatever order.
    terms = inputs.rois.shape[0] * numpy.prod(inputs.pooled)
    tolerance = terms * numpy.finfo(numpy.float32).eps * numpy.abs(inputs.expected).max()
    if not numpy.array_equal(output, inputs.y) or numpy.abs(grad_input - inputs.expected).max() > tolerance:
        sys.exit(f"{name}: its results are others than the plain loop's")


def milliseconds(step):
    begin = time.perf_counter()
    step()
    return (time.perf_counter() - begin) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=pathlib.Path, default="build/release/tests/bench/inputs", help="%(default)s")
    parser.add_argument("--shapes", default="A,B", help="%(default)s")
    parser.add_argument("--threads", type=int, default=2, help="%(default)s")
    parser.add_argument("--rounds", type=int, default=12, help="of every library in turn (%(default)s)")
    arguments = parser.parse_args()
    print("| shape | library | best, ms | median, ms | / roipool |\n|---|---|---|---|---|")
    for shape in arguments.shapes.split(","):
        inputs = Inputs(arguments.inputs, shape, "roi_pool_grad", with_index=False)
        inputs.y = numpy.load(arguments.inputs / f"{shape}_y.npy")
        steps = steps_of(inputs, arguments.threads)
        for name, step in steps.items():
            check(name, step(), inputs)
        samples = {name: [] for name in steps}
        for _ in range(arguments.rounds):
            for name, step in steps.items():
                samples[name].append(milliseconds(step))
        for name, times in samples.items():
            ratio = min(times) / min(samples["roipool"]) if "roipool" in samples else float("nan")
            print(f"| {shape} | {name} | {min(times):.1f} | {statistics.median(times):.1f} | {ratio:.1f} |")


if __name__ == "__main__":
    main()
