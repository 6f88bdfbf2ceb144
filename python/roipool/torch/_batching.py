"""Batches of calls as one call: the vmap rules of the operators.

Each rule takes the operator itself first. Batches that share their rois become channels; others become images and rois, whose
indices are shifted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from roipool.torch import _boxes

_Dim = int | None
_Pair = tuple[torch.Tensor, torch.Tensor]


def roi_pool(op: Callable[..., _Pair], info: Any, in_dims: tuple[_Dim, ...], *args: Any) -> tuple[_Pair, tuple[int, int]]:
    input, rois, *rest = args
    size = info.batch_size
    if in_dims[1] is None:
        outputs = op(_in_channels(input, in_dims[0], size), rois, *rest)
        return (_split(outputs[0], 1, size), _split(outputs[1], 1, size)), (1, 1)
    images = input.shape[1 if in_dims[0] == 0 else 0]
    shift = 0 if in_dims[0] is None else images
    x = input if in_dims[0] is None else _in_front(input, in_dims[0], size)
    outputs = op(x, _shifted(rois, in_dims[1], images, shift), *rest)
    return (_split(outputs[0], 0, size), _split(outputs[1], 0, size)), (0, 0)


def roi_pool_grad(
    op: Callable[..., torch.Tensor], info: Any, in_dims: tuple[_Dim, ...], *args: Any
) -> tuple[torch.Tensor, int]:
    grad_output, argmax, rois, n, c, h, w = args
    size = info.batch_size
    if in_dims[2] is None:
        grad_input = op(
            _in_channels(grad_output, in_dims[0], size), _in_channels(argmax, in_dims[1], size), rois, n, size * c, h, w
        )
        return _split(grad_input, 1, size), 1
    grad_input = op(
        _in_front(grad_output, in_dims[0], size),
        _in_front(argmax, in_dims[1], size),
        _shifted(rois, in_dims[2], n, n),
        size * n,
        c,
        h,
        w,
    )
    return _split(grad_input, 0, size), 0


def pick(op: Callable[..., torch.Tensor], info: Any, in_dims: tuple[_Dim, ...], *args: Any) -> tuple[torch.Tensor, int]:
    values, argmax, rois = args
    size = info.batch_size
    if in_dims[2] is None:
        picked = op(_in_channels(values, in_dims[0], size), _in_channels(argmax, in_dims[1], size), rois)
        return _split(picked, 1, size), 1
    images = values.shape[1 if in_dims[0] == 0 else 0]
    picked = op(
        _in_front(values, in_dims[0], size), _in_front(argmax, in_dims[1], size), _shifted(rois, in_dims[2], images, images)
    )
    return _split(picked, 0, size), 0


def _batch_first(tensor: torch.Tensor, dim: _Dim, size: int) -> torch.Tensor:
    return tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)


def _in_front(tensor: torch.Tensor, dim: _Dim, size: int) -> torch.Tensor:
    """(B, A, ...) as (B * A, ...)."""
    batched = _batch_first(tensor, dim, size)
    return batched.reshape(size * batched.shape[1], *batched.shape[2:])


def _in_channels(tensor: torch.Tensor, dim: _Dim, size: int) -> torch.Tensor:
    """(B, A, C, ...) as (A, B * C, ...)."""
    batched = _batch_first(tensor, dim, size).movedim(0, 1)
    return batched.reshape(batched.shape[0], size * batched.shape[2], *batched.shape[3:])


def _split(tensor: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    return tensor.reshape(*tensor.shape[:dim], size, tensor.shape[dim] // size, *tensor.shape[dim + 1 :])


def _shifted(rois: torch.Tensor, dim: int, images: int, shift: int) -> torch.Tensor:
    """(B, R, 5) as (B * R, 5), the image indices of batch b moved up by b * shift."""
    batched = _boxes.countable(rois.movedim(dim, 0))
    index, boxes = batched[..., :1], batched[..., 1:]
    batch = torch.arange(batched.shape[0], dtype=batched.dtype, device=batched.device).reshape(-1, 1, 1)
    # An index outside its own batch must not become a neighbour's image.
    index = torch.where((index >= 0) & (index < images), index + batch * shift, -1)
    return torch.cat([index, boxes], dim=-1).reshape(-1, rois.shape[-1])
