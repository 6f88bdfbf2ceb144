"""The library's kernels on tensors that hold data; no derivatives here."""

from __future__ import annotations

import os
from collections.abc import Callable

import torch

from roipool import _core


def check_devices(first: torch.Tensor, **others: torch.Tensor) -> None:
    for name, tensor in others.items():
        if tensor.device != first.device:
            raise ValueError(f"{name}: is on {tensor.device}, but what it belongs to is on {first.device}")


def pooled_shape(input: torch.Tensor, rois: torch.Tensor, pooled_h: int, pooled_w: int) -> tuple[int, int, int, int]:
    if input.dim() != 4:
        raise ValueError(f"input: has shape {tuple(input.shape)}, not (N, C, H, W)")
    if rois.dim() != 2:
        raise ValueError(f"rois: has shape {tuple(rois.shape)}, not (K, 5)")
    if pooled_h < 1 or pooled_w < 1:
        raise ValueError(f"output_size: is {(pooled_h, pooled_w)}, but there is at least one bin each way")
    return rois.shape[0], input.shape[1], pooled_h, pooled_w


def roi_pool(
    input: torch.Tensor, rois: torch.Tensor, pooled_h: int, pooled_w: int, spatial_scale: float
) -> tuple[torch.Tensor, torch.Tensor]:
    check_devices(input, rois=rois)
    shape = pooled_shape(input, rois, pooled_h, pooled_w)
    output = _new_result(input, shape, input.dtype)
    argmax = _new_result(input, shape, torch.int32)
    views = (_view("input", input), _view("rois", rois), _view("output", output), _view("argmax", argmax))
    _run(lambda options: _core.Call.roi_pool(*views, spatial_scale, spatial_scale, options), input.device)
    return output, argmax


def roi_pool_grad(
    grad_output: torch.Tensor, argmax: torch.Tensor, rois: torch.Tensor, n: int, c: int, h: int, w: int
) -> torch.Tensor:
    check_devices(grad_output, argmax=argmax, rois=rois)
    grad_input = _new_result(grad_output, (n, c, h, w), grad_output.dtype)
    gradients = _view("grad_output", grad_output), _view("argmax", argmax)
    views = (*gradients, _view("rois", rois), _view("grad_input", grad_input))
    _run(lambda options: _core.Call.roi_pool_grad(*views, options), grad_output.device)
    return grad_input


def _new_result(like: torch.Tensor, shape: tuple[int, int, int, int], dtype: torch.dtype) -> torch.Tensor:
    result = like.new_empty(shape, dtype=dtype)
    if result.device.type == "cpu":
        # The page faults of new memory are half of a large call's time otherwise.
        _core.advise_huge_pages(result.data_ptr(), result.nbytes)
    return result


def _run(plan: Callable[[_core.Options], _core.Call], device: torch.device) -> None:
    if device.type == "cpu":
        plan(_core.Options(threads=min(torch.get_num_threads(), _core.MAX_THREADS))).run()
        return
    # A GPU adds floats in any order; integers are what always gives the same bits.
    accumulation = "fixed_point" if torch.are_deterministic_algorithms_enabled() else "float"
    with torch.cuda.device(device):
        stream = torch.cuda.current_stream().cuda_stream
        call = plan(_core.Options(device="cuda", stream=stream, accumulation=accumulation))
        workspace = torch.empty(call.workspace_size, dtype=torch.uint8, device=device)
        call.run_at(workspace.data_ptr(), call.workspace_size)
        if os.environ.get("CUDA_LAUNCH_BLOCKING") == "1":
            call.synchronize()


def _view(name: str, tensor: torch.Tensor) -> _core.Tensor:
    return _core.Tensor.at(tensor.data_ptr(), str(tensor.dtype).removeprefix("torch."), tensor.shape, tensor.stride(), name)
