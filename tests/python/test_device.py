"""The path of CUDA tensors, on a driver that runs kernels on the CPU and checks every access.

PyTorch finds no device there, so tensors are stand-ins with memory from the driver, and torch.cuda's stream is the driver's.
"""

import contextlib
import ctypes
import types

import numpy
import plain
import pytest
import torch
from conftest import random_rois
from roipool import _core
from roipool.torch import _kernels


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        assert error == 0, f"{name}: {error}"

    def stream(self):
        stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(stream), 1)  # CU_STREAM_NON_BLOCKING
        return stream


class DeviceTensor:
    """As much of a torch.Tensor as a kernel's wrapper asks for; contiguous."""

    device = torch.device("cuda", 0)

    def __init__(self, driver, shape, dtype):
        self.driver, self.shape, self.dtype = driver, tuple(shape), dtype
        self.size = torch.empty(self.shape, dtype=dtype).nbytes
        self.address = ctypes.c_uint64()
        if self.size:
            driver.call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(self.size))
        driver.memory.append(self.address)

    @classmethod
    def of(cls, driver, array):
        tensor = cls(driver, array.shape, torch.from_numpy(array).dtype)
        array = numpy.ascontiguousarray(array)
        if tensor.size:
            driver.call("cuMemcpyHtoD_v2", tensor.address, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(tensor.size))
        return tensor

    def numpy(self):
        array = torch.empty(self.shape, dtype=self.dtype).numpy()
        if self.size:
            self.driver.call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.size))
        return array

    def new_empty(self, shape, dtype=None):
        return DeviceTensor(self.driver, shape, dtype or self.dtype)

    def dim(self):
        return len(self.shape)

    def stride(self):
        return torch.empty(self.shape, device="meta").stride()

    def data_ptr(self):
        return self.address.value


@pytest.fixture(scope="module")
def loaded_driver():
    return Driver()


@pytest.fixture
def driver(loaded_driver, monkeypatch):
    driver = loaded_driver
    driver.memory = []
    stream = driver.stream()
    driver.current = stream
    monkeypatch.setattr(torch.cuda, "device", lambda device: contextlib.nullcontext())
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: types.SimpleNamespace(cuda_stream=stream.value))
    workspace_of = lambda size, dtype, device: DeviceTensor(driver, (size,), dtype)  # noqa: E731
    monkeypatch.setattr(_kernels, "torch", _Torch(workspace_of))
    monkeypatch.delenv("CUDA_LAUNCH_BLOCKING", raising=False)
    yield driver
    for address in driver.memory:
        if address.value:
            driver.call("cuMemFree_v2", address)
    driver.call("cuStreamDestroy_v2", stream)


class _Torch:
    """torch, but for memory on a device."""

    def __init__(self, empty):
        self.empty = empty

    def __getattr__(self, name):
        return getattr(torch, name)


def problem(dtype=numpy.float32, rois=9):
    random = numpy.random.default_rng(3)
    x = random.integers(-50, 50, (2, 3, 12, 15)).astype(dtype)
    boxes = random_rois(random, rois, 2, 12, 15, overhang=0.2)
    gradient = random.integers(-8, 8, (rois, 3, 4, 5)).astype(dtype)
    return x, boxes, gradient


def is_waiting(driver):
    return driver.library.cuStreamQuery(driver.current) == 600  # CUDA_ERROR_NOT_READY


@pytest.mark.parametrize("is_deterministic", [False, True])
@pytest.mark.parametrize("dtype", [numpy.float32, numpy.float64])
def test_pools_and_differentiates_on_the_callers_stream(driver, monkeypatch, dtype, is_deterministic):
    monkeypatch.setattr(torch, "are_deterministic_algorithms_enabled", lambda: is_deterministic)
    x, boxes, gradient = problem(dtype)
    input, rois = DeviceTensor.of(driver, x), DeviceTensor.of(driver, boxes)
    output, argmax = _kernels.roi_pool(input, rois, 4, 5, 1.0)
    assert is_waiting(driver)
    driver.call("cuStreamSynchronize", driver.current)
    wanted = plain.roi_pool(x, boxes, 4, 5)
    assert numpy.array_equal(output.numpy(), wanted[0])
    assert numpy.array_equal(argmax.numpy(), wanted[1])

    grad_input = _kernels.roi_pool_grad(DeviceTensor.of(driver, gradient), argmax, rois, *x.shape)
    assert is_waiting(driver)
    driver.call("cuStreamSynchronize", driver.current)
    assert numpy.array_equal(grad_input.numpy(), plain.roi_pool_grad(gradient, wanted[1], boxes, x.shape))


@pytest.mark.parametrize("rois", [0, 1])
def test_few_rois(driver, rois):
    x, boxes, _ = problem(rois=rois)
    output, _ = _kernels.roi_pool(DeviceTensor.of(driver, x), DeviceTensor.of(driver, boxes), 4, 5, 1.0)
    driver.call("cuStreamSynchronize", driver.current)
    assert numpy.array_equal(output.numpy(), plain.roi_pool(x, boxes, 4, 5)[0])


def test_an_index_outside_the_images_is_found_by_whoever_waits(driver, monkeypatch):
    x, boxes, _ = problem()
    boxes[4, 0] = 7
    input, rois = DeviceTensor.of(driver, x), DeviceTensor.of(driver, boxes)
    _kernels.roi_pool(input, rois, 4, 5, 1.0)  # Nobody waits.
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    with pytest.raises(IndexError, match=r"rois\[4, 0\].*7"):
        _kernels.roi_pool(input, rois, 4, 5, 1.0)
    boxes[4, 0] = 1
    _kernels.roi_pool(input, DeviceTensor.of(driver, boxes), 4, 5, 1.0)


def test_a_call_of_its_own_waits_and_tells_what_it_found(driver):
    x, boxes, gradient = problem()
    argmax = plain.roi_pool(x, boxes, 4, 5)[1]
    argmax[2, 1, 3, 0] = 12 * 15
    tensors = [DeviceTensor.of(driver, array) for array in (gradient, argmax, boxes, x)]
    names = ("grad_output", "argmax", "rois", "grad_input")
    views = [_kernels._view(name, tensor) for name, tensor in zip(names, tensors, strict=True)]
    call = _core.Call.roi_pool_grad(*views, _core.Options(device="cuda", stream=driver.current.value))
    assert call.kernel.endswith("_cuda")
    workspace = DeviceTensor(driver, (call.workspace_size,), torch.uint8)
    call.run_at(workspace.data_ptr(), call.workspace_size)
    with pytest.raises(IndexError, match=r"argmax\[2, 1, 3, 0\].*180"):
        call.synchronize()


def test_a_workspace_that_is_too_small_is_refused(driver):
    x, boxes, _ = problem()
    input, rois = DeviceTensor.of(driver, x), DeviceTensor.of(driver, boxes)
    output = input.new_empty((9, 3, 4, 5))
    argmax = input.new_empty(output.shape, torch.int32)
    views = [
        _kernels._view(name, tensor)
        for name, tensor in (("input", input), ("rois", rois), ("output", output), ("argmax", argmax))
    ]
    call = _core.Call.roi_pool(*views, 1.0, 1.0, _core.Options(device="cuda", stream=driver.current.value))
    workspace = DeviceTensor(driver, (call.workspace_size,), torch.uint8)
    with pytest.raises(ValueError, match="workspace"):
        call.run_at(workspace.data_ptr(), call.workspace_size - 1)
