"""Times one peer's operators on inputs from .npy files: a process that lives as long as a measurement.

Arguments: the folder of the files, the peer, the operator and, if only one of the peer's ways is wanted, its name. Reads commands
from standard input, one per line: "check SHAPE" or "time SHAPE THREADS SECONDS"; answers each with one line of
JSON on standard output, what was found for each way; "f16/NAME" is a way that computes in another type than float32. A peer that cannot be imported is left out, with the reason in the first line.
"""

import json
import os
import pathlib
import sys
import time

import numpy as np


class Inputs:
    """The tensors of one shape, and what other peers need made of them beforehand."""

    def __init__(self, folder, shape, op, with_index):
        load = lambda tensor: np.load(pathlib.Path(folder) / f"{shape}_{tensor}.npy")  # noqa: E731
        self.x, self.rois, self.argmax = load("x"), load("rois"), load("argmax")
        self.grad_output = load("grad_output")
        self.expected = load("grad_input" if op == "roi_pool_grad" else "y")
        self.images, self.channels, self.height, self.width = self.x.shape
        self.pooled = self.argmax.shape[2:]
        self.index = self._flat_index() if with_index else None

    def _flat_index(self):
        """Where each entry goes in grad_input as one flat array; no shape of the benchmark has an empty bin."""
        planes = self.rois[:, :1].astype(np.int64) * self.channels + np.arange(self.channels)
        return (planes[:, :, None, None] * (self.height * self.width) + self.argmax).reshape(-1)


class Peer:
    """What peers have in common: a CPU's clock."""

    # The share of results that may be others because the peer finds other edges for a few bins.
    share_of_other_bins = 0

    def milliseconds(self, call):
        begin = time.perf_counter()
        call()
        return (time.perf_counter() - begin) * 1e3


class Numpy(Peer):
    """numpy.add.at on a ready index."""

    def __init__(self):
        self.versions = {"numpy": np.__version__}

    def prepare(self, inputs):
        gradients = inputs.grad_output.reshape(-1)

        def add_at():
            output = np.zeros(inputs.x.size, np.float32)
            np.add.at(output, inputs.index, gradients)
            return output.reshape(inputs.x.shape)

        return {("roi_pool_grad", "numpy_add_at"): add_at}

    def set_threads(self, threads):
        return threads == 1  # It has one thread.


class Torchvision(Peer):
    """torchvision's operators, called below autograd, and PyTorch's own scatter operators on a ready index."""

    def __init__(self):
        import torch
        import torchvision

        self.torch = torch
        self.versions = {"torch": torch.__version__, "torchvision": torchvision.__version__}

    def prepare(self, inputs):
        torch = self.torch
        operators = torch.ops.torchvision
        x, rois, argmax, grad_output = (
            torch.from_numpy(array) for array in (inputs.x, inputs.rois, inputs.argmax, inputs.grad_output)
        )
        pooled_h, pooled_w = inputs.pooled
        sizes = inputs.x.shape
        calls = {
            ("roi_pool_grad", "torchvision"): lambda: operators._roi_pool_backward(
                grad_output, rois, argmax, 1.0, pooled_h, pooled_w, *sizes
            ).numpy(),
            ("roi_pool", "torchvision"): lambda: operators.roi_pool(x, rois, 1.0, pooled_h, pooled_w),
        }
        if inputs.index is not None:
            index, gradients, size = torch.from_numpy(inputs.index), grad_output.reshape(-1), inputs.x.size
            calls["roi_pool_grad", "torch_index_add"] = lambda: (
                torch.zeros(size).index_add_(0, index, gradients).numpy().reshape(sizes)
            )
            calls["roi_pool_grad", "torch_scatter_add"] = lambda: (
                torch.zeros(size).scatter_add_(0, index, gradients).numpy().reshape(sizes)
            )
        return calls

    def set_threads(self, threads):
        self.torch.set_num_threads(threads)
        return True


class TorchvisionCuda(Torchvision):
    """The backward operator on the first GPU, in the types that it has."""

    def __init__(self):
        super().__init__()
        if not self.torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no CUDA device")

    def prepare(self, inputs):
        torch = self.torch
        pooled_h, pooled_w = inputs.pooled
        argmax = torch.from_numpy(inputs.argmax).cuda()

        def call_in(dtype):
            rois, grad_output = (torch.from_numpy(array).cuda().to(dtype) for array in (inputs.rois, inputs.grad_output))
            return lambda: torch.ops.torchvision._roi_pool_backward(
                grad_output, rois, argmax, 1.0, pooled_h, pooled_w, *inputs.x.shape
            )

        return {
            ("roi_pool_grad", "torchvision"): call_in(torch.float32),
            ("roi_pool_grad", "f16/torchvision"): call_in(torch.float16),
            ("roi_pool_grad", "f64/torchvision"): call_in(torch.float64),
        }

    def milliseconds(self, call):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)


class Paddle(Peer):
    """Paddle's operators, called below autograd. Its kernels have one thread."""

    def __init__(self):
        import paddle

        paddle.set_device("cpu")
        self.paddle = paddle
        self.versions = {"paddle": paddle.__version__}

    def prepare(self, inputs):
        to_tensor, operators = self.paddle.to_tensor, self.paddle._C_ops
        images = inputs.rois[:, 0].astype(np.int64)
        boxes_num = to_tensor(np.bincount(images, minlength=inputs.images).astype(np.int32))
        x, boxes = to_tensor(inputs.x), to_tensor(np.ascontiguousarray(inputs.rois[:, 1:]))
        argmax, grad_output = to_tensor(inputs.argmax.astype(np.int64)), to_tensor(inputs.grad_output)
        pooled_h, pooled_w = inputs.pooled
        return {
            ("roi_pool_grad", "paddle"): lambda: operators.roi_pool_grad(
                x, boxes, boxes_num, argmax, grad_output, pooled_h, pooled_w, 1.0
            ),
            ("roi_pool", "paddle"): lambda: operators.roi_pool(x, boxes, boxes_num, pooled_h, pooled_w, 1.0),
        }

    def set_threads(self, threads):
        return threads == 1


class OnnxRuntime(Peer):
    """onnxruntime's MaxRoiPool, a model of one node. It has no gradient and no argmax, and its kernel has one thread."""

    def __init__(self):
        import onnx
        import onnxruntime

        self.onnx, self.onnxruntime = onnx, onnxruntime
        self.versions = {"onnxruntime": onnxruntime.__version__}

    def prepare(self, inputs):
        helper, element = self.onnx.helper, self.onnx.TensorProto.FLOAT
        node = helper.make_node("MaxRoiPool", ["x", "rois"], ["y"], pooled_shape=list(inputs.pooled), spatial_scale=1.0)
        describe = lambda name, array: helper.make_tensor_value_info(name, element, array.shape)  # noqa: E731
        graph = helper.make_graph(
            [node], "roi_pool", [describe("x", inputs.x), describe("rois", inputs.rois)], [describe("y", inputs.expected)]
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8)
        options = self.onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = self.onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        feeds = {"x": inputs.x, "rois": inputs.rois}
        return {("roi_pool", "onnxruntime"): lambda: session.run(None, feeds)[0]}

    def set_threads(self, threads):
        return threads == 1


class OpenVino(Peer):
    """OpenVINO's ROIPooling in float32, compiled once for each number of threads. It has no gradient and no argmax."""

    # It rounds edges otherwise. Most results of other bins: 1253 of shape E's 6.4 million, 0.0195 %.
    share_of_other_bins = 2e-4

    def __init__(self):
        import openvino

        self.openvino = openvino
        self.versions = {"openvino": openvino.__version__}
        self.threads = 1

    def prepare(self, inputs):
        operators = self.openvino.opset13
        x = operators.parameter(inputs.x.shape, np.float32)
        rois = operators.parameter(inputs.rois.shape, np.float32)
        pooled = operators.roi_pooling(x, rois, list(inputs.pooled), 1.0, "max")
        model, core, feeds = self.openvino.Model([pooled], [x, rois]), self.openvino.Core(), [inputs.x, inputs.rois]
        requests = {}

        def call():
            if self.threads not in requests:  # The call that warms up, or checks.
                settings = {"INFERENCE_NUM_THREADS": self.threads, "INFERENCE_PRECISION_HINT": "f32"}
                request = core.compile_model(model, "CPU", settings).create_infer_request()
                for index, array in enumerate(feeds):
                    request.set_input_tensor(index, self.openvino.Tensor(array, shared_memory=True))
                requests[self.threads] = request
            request = requests[self.threads]
            request.infer()
            return request.get_output_tensor(0).data

        return {("roi_pool", "openvino"): call}

    def set_threads(self, threads):
        self.threads = threads
        return True


PEERS = {
    "numpy": Numpy,
    "torchvision": Torchvision,
    "torchvision_cuda": TorchvisionCuda,
    "paddle": Paddle,
    "onnxruntime": OnnxRuntime,
    "openvino": OpenVino,
}


def as_array(result):
    result = result.cpu() if hasattr(result, "cpu") else result
    return np.asarray(result.numpy() if hasattr(result, "numpy") else result)


def largest_difference(result, expected, share_left_out=0):
    """The largest difference, without so large a share of the largest, over the largest expected number. NaN if there is one."""
    differences = np.abs(result - expected).reshape(-1)
    place = differences.size - 1 - int(share_left_out * differences.size)
    largest = differences.max() if np.isnan(differences).any() else np.partition(differences, place)[place]
    return float(largest) / float(np.abs(expected).max())


def compare(result, inputs, share_of_other_bins=0):
    """How far a result is from the expected one, as a share of the largest number; 0 if the bits are equal. Of a pair of results
    the second is an argmax: how many of its elements are others. None if the peer has no argmax.
    """
    result, argmax = result if isinstance(result, tuple) else (result, None)
    return {
        "difference": largest_difference(as_array(result), inputs.expected, share_of_other_bins),
        "other_argmax": None if argmax is None else int(np.count_nonzero(as_array(argmax) != inputs.argmax)),
    }


class Session:
    def __init__(self, folder, peer, op, only):
        self.folder, self.peer, self.op, self.only = folder, peer, op, only
        self.shape, self.calls, self.inputs = None, {}, None

    def use(self, shape):
        """Loads a shape's inputs, unless they are there. Those of the shape before it go."""
        if self.shape == shape:
            return
        self.calls = {}
        self.inputs = Inputs(self.folder, shape, self.op, with_index=self.op == "roi_pool_grad" and not self.only)
        calls = self.peer.prepare(self.inputs).items()
        self.calls = {impl: call for (op, impl), call in calls if op == self.op and self.only in (None, impl)}
        self.shape = shape

    def check(self, shape):
        """What compare() says of each result."""
        self.use(shape)
        return {impl: compare(call(), self.inputs, self.peer.share_of_other_bins) for impl, call in self.calls.items()}

    def time(self, shape, threads, seconds):
        """Milliseconds of each call, at least three after one that warms up."""
        self.use(shape)
        if not self.peer.set_threads(threads):
            return {}
        samples = {}
        for impl, call in self.calls.items():
            call()
            samples[impl] = []
            end = time.perf_counter() + seconds
            while len(samples[impl]) < 3 or time.perf_counter() < end:
                samples[impl].append(self.peer.milliseconds(call))
        return samples


def main():
    folder, name, op, *only = sys.argv[1:]
    # Answers alone go to standard output; what libraries print there goes elsewhere.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        peer = PEERS[name]()
    except Exception as error:  # Whatever keeps a peer from loading, the others are still to be timed.
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"}), file=answers)
        return
    print(json.dumps({"versions": peer.versions}), file=answers)
    session = Session(folder, peer, op, only[0] if only else None)
    for line in sys.stdin:
        command, shape, *rest = line.split()
        if command == "check":
            answer = session.check(shape)
        else:
            answer = session.time(shape, int(rest[0]), float(rest[1]))
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main()
