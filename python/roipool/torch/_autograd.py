"""The derivatives of the operators, at the dispatch keys of autograd.

What torch.library.register_autograd makes knows no forward mode, whose tangents it drops without a word, and is refused by
torch.func. An autograd.Function has both, but torch.compile refuses one with forward mode. So the operators' own kernels for
autograd are Functions of one level: torch.compile sees the operators alone, and torch.func calls the kernels level by level as
it calls those of any operator in PyTorch itself.
"""

from __future__ import annotations

from typing import Any

import torch
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch.autograd.forward_ad import _set_fwd_grad_enabled
from torch.autograd.function import _SingleLevelFunction

from roipool.torch import _ops


class _Function(_SingleLevelFunction):
    """forward() takes the modes of its caller first, which a Function's forward else runs without: inner levels need them."""

    @classmethod
    def call(cls, *args: Any) -> Any:
        modes = torch.is_grad_enabled(), torch._C._is_fwd_grad_enabled()
        with enable_single_level_autograd_function():
            return cls.apply(modes, *args)  # type: ignore[attr-defined]  # its metaclass makes it


def _below_autograd(op: Any, modes: tuple[bool, bool], *args: Any) -> Any:
    with torch.set_grad_enabled(modes[0]), _set_fwd_grad_enabled(modes[1]), torch._C._AutoDispatchBelowAutograd():
        return op(*args)


class _RoiPool(_Function):
    @staticmethod
    def forward(ctx: Any, modes: Any, input: Any, rois: Any, *arguments: Any) -> Any:
        output, argmax = _below_autograd(_ops.roi_pool, modes, input, rois, *arguments)
        ctx.mark_non_differentiable(argmax)
        # Or zeros as large as argmax would be made for the gradient that it has not.
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(argmax, rois)
        ctx.save_for_forward(argmax, rois)
        ctx.shape = tuple(input.shape)
        return output, argmax

    @staticmethod
    def backward(ctx: Any, grad_output: Any, _: Any) -> Any:
        grad_input = None if grad_output is None else _ops.roi_pool_grad(grad_output, *ctx.saved_tensors, *ctx.shape)
        return None, grad_input, None, None, None, None

    @staticmethod
    def jvp(ctx: Any, _: Any, tangent: Any, *others: Any) -> Any:
        return None if tangent is None else _ops.pick(tangent, *ctx.saved_tensors), None


class _RoiPoolGrad(_Function):
    @staticmethod
    def forward(ctx: Any, modes: Any, grad_output: Any, argmax: Any, rois: Any, *shape: int) -> Any:
        ctx.save_for_backward(argmax, rois)
        ctx.save_for_forward(argmax, rois)
        ctx.shape = shape
        return _below_autograd(_ops.roi_pool_grad, modes, grad_output, argmax, rois, *shape)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return None, _ops.pick(grad, *ctx.saved_tensors), None, None, None, None, None, None

    @staticmethod
    def jvp(ctx: Any, _: Any, tangent: Any, *others: Any) -> Any:
        return _ops.roi_pool_grad(tangent, *ctx.saved_tensors, *ctx.shape)


class _Pick(_Function):
    @staticmethod
    def forward(ctx: Any, modes: Any, values: Any, argmax: Any, rois: Any) -> Any:
        ctx.save_for_backward(argmax, rois)
        ctx.save_for_forward(argmax, rois)
        ctx.shape = tuple(values.shape)
        return _below_autograd(_ops.pick, modes, values, argmax, rois)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return None, _ops.roi_pool_grad(grad, *ctx.saved_tensors, *ctx.shape), None, None

    @staticmethod
    def jvp(ctx: Any, _: Any, tangent: Any, *others: Any) -> Any:
        return _ops.pick(tangent, *ctx.saved_tensors)


for _name, _function in (("roi_pool", _RoiPool), ("roi_pool_grad", _RoiPoolGrad), ("pick", _Pick)):
    _ops.library.impl(_name, _function.call, "Autograd")
