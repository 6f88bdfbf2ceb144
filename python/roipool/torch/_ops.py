"""The operators roipool::roi_pool, roipool::roi_pool_grad and roipool::pick, as torch.library knows them.

Each has kernels (CPU, CUDA), a fake kernel for torch.compile and torch.export, and a vmap rule; its derivatives are in _autograd.
The gradient and pick are linear and each other's adjoint:

    pick(v, argmax, rois)[r, c, j] = v[rois[r, 0], c, argmax[r, c, j]], 0 where argmax is -1
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from roipool.torch import _batching, _kernels

library = torch.library.Library("roipool", "DEF")
library.define("roi_pool(Tensor input, Tensor rois, SymInt pooled_h, SymInt pooled_w, float spatial_scale) -> (Tensor, Tensor)")
library.define(
    "roi_pool_grad(Tensor grad_output, Tensor argmax, Tensor rois, SymInt n, SymInt c, SymInt h, SymInt w) -> Tensor"
)
library.define("pick(Tensor values, Tensor argmax, Tensor rois) -> Tensor")

roi_pool = torch.ops.roipool.roi_pool.default
roi_pool_grad = torch.ops.roipool.roi_pool_grad.default
pick = torch.ops.roipool.pick.default


def _pick_kernel(values: torch.Tensor, argmax: torch.Tensor, rois: torch.Tensor) -> torch.Tensor:
    _kernels.check_devices(values, argmax=argmax, rois=rois)
    if values.numel() == 0:
        return values.new_zeros(argmax.shape)
    image = rois[:, 0].long()[:, None, None]
    channel = torch.arange(argmax.shape[1], device=argmax.device)[None, :, None]
    pixel = argmax.flatten(2).long()
    picked = values.flatten(2)[image, channel, pixel.clamp(min=0)]
    return picked.masked_fill(pixel < 0, 0).reshape(argmax.shape)


for _key in ("CPU", "CUDA"):
    library.impl("roi_pool", _kernels.roi_pool, _key)
    library.impl("roi_pool_grad", _kernels.roi_pool_grad, _key)
    library.impl("pick", _pick_kernel, _key)


@torch.library.register_fake("roipool::roi_pool", lib=library)
def _(input: Any, rois: Any, pooled_h: int, pooled_w: int, spatial_scale: float) -> Any:
    _kernels.check_devices(input, rois=rois)
    shape = _kernels.pooled_shape(input, rois, pooled_h, pooled_w)
    return input.new_empty(shape), input.new_empty(shape, dtype=torch.int32)


@torch.library.register_fake("roipool::roi_pool_grad", lib=library)
def _(grad_output: Any, argmax: Any, rois: Any, n: int, c: int, h: int, w: int) -> Any:
    _kernels.check_devices(grad_output, argmax=argmax, rois=rois)
    return grad_output.new_empty((n, c, h, w))


@torch.library.register_fake("roipool::pick", lib=library)
def _(values: Any, argmax: Any, rois: Any) -> Any:
    _kernels.check_devices(values, argmax=argmax, rois=rois)
    return values.new_empty(argmax.shape)


for _op, _rule in ((roi_pool, _batching.roi_pool), (roi_pool_grad, _batching.roi_pool_grad), (pick, _batching.pick)):
    torch.library.register_vmap(_op, partial(_rule, _op), lib=library)
