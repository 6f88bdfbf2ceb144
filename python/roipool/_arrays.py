"""The operators on arrays in host memory."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy
from numpy.typing import NDArray

from roipool import _core

Device = Literal["cpu", "opencl"]
Geometry = Literal["torchvision", "aclnn"]
RoiLayout = Literal["x1y1x2y2", "x1x2y1y2"]
Accumulation = Literal["float", "fixed_point"]


def roi_pool(
    x: Any,
    rois: Any,
    output_size: int | Sequence[int],
    spatial_scale: float | Sequence[float] = 1.0,
    geometry: Geometry = "torchvision",
    *,
    roi_layout: RoiLayout = "x1y1x2y2",
    out: tuple[Any, Any] | None = None,
    workspace: _core.Workspace | None = None,
    threads: int = 0,
    schedule: str = "",
    device: Device = "cpu",
) -> tuple[Any, Any]:
    """For every roi, channel and bin: the largest value of x in the bin's window, and where it lies.

    The first largest value in row-major order wins; NaN never wins. A bin with no winner (an empty window, or NaN alone) gives
    0 and -1. Inputs are read where they are, whatever their strides, and may be any arrays in host memory that speak DLPack or
    the buffer protocol: NumPy, PyTorch, JAX, ... Other Python threads go on meanwhile.

    Args:
        x: (N, C, H, W) float32, float16, bfloat16 or float64.
        rois: (R, 5), any of these types: image index, then a box x1, y1, x2, y2 in the units that spatial_scale explains.
        output_size: bins of a roi, (PH, PW) or one number for both.
        spatial_scale: pixels of x per unit of a box, one number or (vertical, horizontal).
        geometry: how a box becomes bins. "torchvision": corners are scaled and rounded, and both belong to the box, as in
            torchvision.ops.roi_pool with float32 boxes. "aclnn": corners are not rounded; see the C++ header options.h. Either
            way in float32, whatever the types, so that every machine chooses the same pixels.
        roi_layout: "x1x2y1y2" if the columns of a box stand in that order.
        out: (y, argmax) to write to, (R, C, PH, PW) of the type of x and int32; any strides, apart from the inputs.
        workspace: scratch memory to keep from call to call; without one the call takes some and gives it back.
        threads: at most so many, up to 256; 0: as many as there are CPUs for this process.
        schedule: the name of a schedule, for comparisons; "": the best one.
        device: "opencl" computes on a GPU that OpenCL finds, with copies there and back.

    Returns:
        (y, argmax): y (R, C, PH, PW) of the type of x; argmax (R, C, PH, PW) int32, h * W + w of the pixel or -1. They are NumPy
        arrays, or what out is. For bfloat16, which NumPy lacks, those of the package ml_dtypes.

    Raises:
        IndexError: an image index outside [0, N), or a box that is not finite; the first one is named, and out is untouched.
        ValueError: shapes, types, strides or options that break a rule, or arrays that overlap out.
        TypeError: something that is no array, or has elements of another type.
        MemoryError, NotImplementedError (no such device or kernel here).
    """
    pooled_h, pooled_w = _pair("output_size", output_size, operator.index)
    scale_h, scale_w = _pair("spatial_scale", spatial_scale, float)
    options = _core.Options(threads=threads, schedule=schedule, geometry=geometry, roi_layout=roi_layout, device=_host(device))
    x_tensor = _tensor(x, "x")
    rois_tensor = _tensor(rois, "rois")
    if out is None:
        shape = (_extent(rois_tensor, 0), _extent(x_tensor, 1), pooled_h, pooled_w)
        y, argmax = _empty("output_size", shape, x_tensor.type), _empty("output_size", shape, "int32")
    else:
        y, argmax = out
    y_tensor, argmax_tensor = _tensor(y, "y", is_written=True), _tensor(argmax, "argmax", is_written=True)
    if out is not None:
        _check_bins(y_tensor, (pooled_h, pooled_w))
    _core.Call.roi_pool(x_tensor, rois_tensor, y_tensor, argmax_tensor, scale_h, scale_w, options).run(workspace)
    return y, argmax


def roi_pool_grad(
    grad_output: Any,
    argmax: Any,
    rois: Any,
    input_shape: Sequence[int],
    *,
    out: Any | None = None,
    accumulation: Accumulation = "float",
    workspace: _core.Workspace | None = None,
    threads: int = 0,
    schedule: str = "",
    device: Device = "cpu",
) -> Any:
    """The gradient of roi_pool with respect to x.

    grad_input[n, c, p] = sum over rois r with rois[r, 0] = n, over bins j with argmax[r, c, j] = p, of grad_output[r, c, j].

    Each plane is summed in ascending roi, then bin order, in float32 (float64 for float64), and rounded once: the bits are the
    same for every number of threads and every run. An entry with argmax -1 is skipped. Inputs are as for roi_pool.

    Args:
        grad_output: (R, C, PH, PW) float32, float16, bfloat16 or float64.
        argmax: (R, C, PH, PW) int32, int64 or the type of grad_output; h * W + w, or -1 for an empty bin.
        rois: (R, 5), any float type; only the image index in column 0 is read.
        input_shape: (N, C, H, W), the shape of x.
        out: grad_input to write to; overwritten, never added to.
        accumulation: "fixed_point" adds in 64-bit integers, which has the same bits on GPUs too.
        workspace, threads, schedule, device: as for roi_pool.

    Returns:
        grad_input (N, C, H, W), the type of grad_output; a NumPy array, or out.

    Raises:
        IndexError: an image index outside [0, N) (out is untouched then), or an argmax outside [-1, H * W) (out is unspecified
            then); the first one is named.
        ValueError, TypeError, MemoryError, NotImplementedError: as roi_pool.
    """
    shape = tuple(operator.index(extent) for extent in input_shape)
    options = _core.Options(threads=threads, schedule=schedule, accumulation=accumulation, device=_host(device))
    grad_output_tensor = _tensor(grad_output, "grad_output")
    argmax_tensor = _tensor(argmax, "argmax")
    rois_tensor = _tensor(rois, "rois")
    grad_input = _empty("input_shape", shape, grad_output_tensor.type) if out is None else out
    grad_input_tensor = _tensor(grad_input, "grad_input", is_written=True)
    if grad_input_tensor.shape != shape:
        raise ValueError(f"roi_pool_grad: grad_input: has shape {grad_input_tensor.shape}, but input_shape is {shape}")
    _core.Call.roi_pool_grad(grad_output_tensor, argmax_tensor, rois_tensor, grad_input_tensor, options).run(workspace)
    return grad_input


def _pair(name: str, value: Any, number: Callable[[Any], Any]) -> tuple[Any, Any]:
    values = tuple(value) if numpy.iterable(value) else (value, value)
    if len(values) != 2:
        raise ValueError(f"{name}: has {len(values)} numbers, not one or two")
    first, second = (number(each) for each in values)
    return first, second


def _host(device: str) -> str:
    if device == "cuda":
        raise ValueError("device: is 'cuda', whose memory no array here can have; roipool.torch pools CUDA tensors")
    return device


def _tensor(array: Any, name: str, *, is_written: bool = False) -> _core.Tensor:
    # NumPy exports no type that another package adds to it.
    if isinstance(array, numpy.ndarray) and array.dtype.name == "bfloat16":
        if is_written and not array.flags.writeable:
            raise TypeError(f"{name}: is read-only, but the result goes there")
        if any(stride % array.itemsize for stride in array.strides):
            raise ValueError(f"{name}: its strides are no multiples of an element's size")
        strides = [stride // array.itemsize for stride in array.strides]
        return _core.Tensor.at(array.ctypes.data, "bfloat16", array.shape, strides, name)
    return _core.Tensor.of_array(array, name, is_written)


def _extent(tensor: _core.Tensor, axis: int) -> int:
    """0 where there is no such axis: the library refuses the tensor then, with its reasons."""
    return tensor.shape[axis] if axis < len(tensor.shape) else 0


def _empty(name: str, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    if any(extent < 0 for extent in shape):
        raise ValueError(f"{name}: the result would have shape {shape}")
    if dtype != "bfloat16":
        return numpy.empty(shape, dtype)
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no bfloat16: install the package ml_dtypes, or say where to write with out=") from None
    return numpy.empty(shape, ml_dtypes.bfloat16)


def _check_bins(y: _core.Tensor, output_size: tuple[int, int]) -> None:
    if y.shape[2:] != output_size:
        raise ValueError(f"roi_pool: y: has shape {y.shape}, but output_size is {output_size}")
