"""Every derivative of roipool.torch.roi_pool, against finite differences and against each other."""

import numpy
import pytest
import roipool.torch
import torch
from conftest import random_rois
from torch.autograd import forward_ad
from torch.autograd.gradcheck import GradcheckError


@pytest.fixture
def tensors():
    """No two pixels alike, and none nearer to another than finite differences go."""
    random = numpy.random.default_rng(3)
    input = torch.from_numpy(random.permutation(2 * 3 * 6 * 7).reshape(2, 3, 6, 7) / 100.0).requires_grad_()
    return input, torch.from_numpy(random_rois(random, 5, 2, 6, 7, overhang=0.2)).double()


def pool(boxes):
    return lambda input: roipool.torch.roi_pool(input, boxes, (3, 2))


def test_gradients_of_both_modes_and_batches(tensors):
    input, boxes = tensors
    assert torch.autograd.gradcheck(
        pool(boxes), input, check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True
    )


def test_gradients_of_gradients(tensors):
    input, boxes = tensors
    squared = lambda input: pool(boxes)(input).square()  # noqa: E731
    assert torch.autograd.gradgradcheck(squared, input, check_fwd_over_rev=True, check_rev_over_rev=True)


def test_gradcheck_would_notice(tensors):
    input, boxes = tensors

    class Halved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            return input.clone()

        @staticmethod
        def backward(ctx, gradient):
            return gradient / 2

    with pytest.raises(GradcheckError):
        torch.autograd.gradcheck(lambda input: pool(boxes)(Halved.apply(input)), input)


def test_forward_mode_is_the_gathered_tangent(tensors):
    input, boxes = tensors
    tangent = torch.randn_like(input)
    with forward_ad.dual_level():
        _, output_tangent = forward_ad.unpack_dual(pool(boxes)(forward_ad.make_dual(input, tangent)))
    assert output_tangent is not None
    step = 1e-6
    with torch.no_grad():
        difference = (pool(boxes)(input + step * tangent) - pool(boxes)(input - step * tangent)) / (2 * step)
    torch.testing.assert_close(output_tangent, difference, rtol=0, atol=1e-7)
    assert output_tangent.any()


def test_torch_func(tensors):
    input, boxes = tensors
    input = input.detach()
    loss = lambda input: pool(boxes)(input).pow(3).sum()  # noqa: E731
    leaf = input.clone().requires_grad_()
    loss(leaf).backward()
    assert torch.equal(torch.func.grad(loss)(input), leaf.grad)

    _, tangent = torch.func.jvp(pool(boxes), (input,), (torch.ones_like(input),))
    output, pull_back = torch.func.vjp(pool(boxes), input)
    torch.testing.assert_close((tangent * output).sum(), pull_back(output)[0].sum())

    forward, backward = torch.func.jacfwd(pool(boxes))(input), torch.func.jacrev(pool(boxes))(input)
    torch.testing.assert_close(forward, backward, rtol=0, atol=0)


@pytest.mark.parametrize("outer", [torch.func.jacfwd, torch.func.jacrev])
@pytest.mark.parametrize("inner", [torch.func.jacfwd, torch.func.jacrev])
def test_second_derivatives_of_torch_func(tensors, outer, inner):
    input, boxes = tensors
    hessian = outer(inner(lambda input: pool(boxes)(input).pow(3).sum()))(input.detach())
    # Of a sum of cubes of picked pixels: 6 times the pixel for each bin that picked it, on the diagonal.
    output, argmax = torch.ops.roipool.roi_pool(input.detach(), boxes, 3, 2, 1.0)
    diagonal = torch.ops.roipool.roi_pool_grad(6 * output, argmax, boxes, *input.shape)
    torch.testing.assert_close(hessian.reshape(input.numel(), input.numel()), diagonal.flatten().diag())
    assert diagonal.any()


def test_modes_of_the_caller_hold(tensors):
    input, boxes = tensors
    with torch.no_grad():
        assert not torch.ops.roipool.roi_pool(input, boxes, 2, 2, 1.0)[0].requires_grad
        assert torch.func.grad(lambda each: pool(boxes)(each).sum())(input).any()
    with torch.inference_mode():
        assert pool(boxes)(input).is_inference()
    output, argmax = torch.ops.roipool.roi_pool(input, boxes, 2, 2, 1.0)
    assert output.requires_grad and not argmax.requires_grad


def test_boxes_have_no_gradient(tensors):
    input, boxes = tensors
    boxes.requires_grad_()
    output = roipool.torch.roi_pool(input, boxes, 2)
    input_gradient, boxes_gradient = torch.autograd.grad(output.sum(), (input, boxes), allow_unused=True)
    assert input_gradient.any() and boxes_gradient is None
    with torch.no_grad():
        assert not roipool.torch.roi_pool(input, boxes, 2).requires_grad


def test_a_second_backward_without_the_graph_is_torchs_error(tensors):
    input, boxes = tensors
    output = roipool.torch.roi_pool(input, boxes, 2).sum()
    output.backward()
    with pytest.raises(RuntimeError, match="second time"):
        output.backward()


def test_gradients_have_the_same_bits_in_every_run(tensors):
    input = torch.randn(2, 16, 30, 30, requires_grad=True)
    boxes = torch.from_numpy(random_rois(numpy.random.default_rng(4), 300, 2, 30, 30))
    gradient = torch.randn(300, 16, 7, 7)
    runs = {
        torch.autograd.grad(roipool.torch.roi_pool(input, boxes, 7), input, gradient)[0].numpy().tobytes() for _ in range(5)
    }
    assert len(runs) == 1
