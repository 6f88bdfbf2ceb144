"""vmap, torch.compile, torch.export, and what torch.library checks of operators."""

import numpy
import pytest
import roipool.torch
import torch
from conftest import random_rois
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad

BATCH = 4


def rois_tensor(seed, rois=6, images=2, height=9, width=10):
    return torch.from_numpy(random_rois(numpy.random.default_rng(seed), rois, images, height, width, overhang=0.2))


def pool(input, boxes):
    return roipool.torch.roi_pool(input, boxes, (3, 2), 0.5)


def gradient(input, boxes):
    return torch.func.grad(lambda each: pool(each, boxes).square().sum())(input)


def tangent(input, boxes):
    return torch.func.jvp(lambda each: pool(each, boxes), (input,), (input * 2 + 1,))[1]


def hessian_times_one(input, boxes):
    return torch.func.jvp(lambda each: gradient(each, boxes), (input,), (torch.ones_like(input),))[1]


@pytest.mark.parametrize("function", [pool, gradient, tangent, hessian_times_one])
@pytest.mark.parametrize("in_dims", [(0, None), (2, None), (None, 0), (0, 0), (3, 1)], ids=str)
@pytest.mark.parametrize("box_type", [torch.float32, torch.float16], ids=str)
def test_vmap_is_a_loop(function, in_dims, box_type):
    inputs = [torch.randn(2, 3, 9, 10) for _ in range(BATCH)]
    boxes = [torch.round(rois_tensor(seed)).to(box_type) for seed in range(BATCH)]
    arguments = [each[0] if dim is None else torch.stack(each, dim) for each, dim in zip((inputs, boxes), in_dims, strict=True)]
    loop = [
        function(inputs[0] if in_dims[0] is None else inputs[i], boxes[0] if in_dims[1] is None else boxes[i])
        for i in range(BATCH)
    ]
    torch.testing.assert_close(torch.vmap(function, in_dims)(*arguments), torch.stack(loop), rtol=0, atol=0)


def test_vmap_in_vmap():
    input = torch.randn(2, 3, 2, 3, 9, 10)
    boxes = torch.stack([rois_tensor(seed) for seed in range(3)])
    nested = torch.vmap(torch.vmap(pool), in_dims=(0, None))(input, boxes)
    for i in range(2):
        for j in range(3):
            assert torch.equal(nested[i, j], pool(input[i, j], boxes[j]))


@pytest.mark.parametrize("index", [2, -1, 0.5, float("nan")])
def test_vmap_lets_no_bad_index_reach_another_batch(index):
    boxes = torch.stack([rois_tensor(seed) for seed in range(BATCH)])
    boxes[1, 2, 0] = index
    for input, in_dims in ((torch.randn(BATCH, 2, 3, 9, 10), (0, 0)), (torch.randn(2, 3, 9, 10), (None, 0))):
        with pytest.raises(IndexError, match=r"rois\[8, 0\]"):
            torch.vmap(pool, in_dims)(input, boxes)


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(dynamic):
    def step(input, boxes):
        return (pool(input.relu(), boxes) * 2).square().sum()

    compiled = torch.compile(step, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for rois in (6, 9, 9):
        input = torch.randn(2, 3, 9, 10, requires_grad=True)
        boxes = rois_tensor(rois, rois)
        wanted = torch.autograd.grad(step(input, boxes), input)[0]
        assert torch.equal(torch.autograd.grad(compiled(input, boxes), input)[0], wanted)


def test_compile_with_lists_of_boxes_and_the_module():
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.ReLU())
    head = roipool.torch.RoIPool(2)

    def step(input, first, second):
        return head(module(input), [first, second])

    input = torch.randn(2, 3, 9, 10)
    boxes = rois_tensor(1)[:, 1:]
    assert torch.equal(
        torch.compile(step, fullgraph=True, backend="aot_eager")(input, boxes[:4], boxes[4:]), step(input, boxes[:4], boxes[4:])
    )


def dual_tangent(input, boxes):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(pool(forward_ad.make_dual(input, input * 2 + 1), boxes)).tangent


def batch(input, boxes):
    return torch.vmap(pool, (0, None))(torch.stack([input, -input]), boxes)


@pytest.mark.parametrize("function", [gradient, tangent, hessian_times_one, dual_tangent, batch])
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compile_with_transforms(function, backend):
    input, boxes = torch.randn(2, 3, 9, 10), rois_tensor(1)
    assert torch.equal(torch.compile(function, backend=backend)(input, boxes), function(input, boxes))


def test_compile_to_machine_code():
    input, boxes = torch.randn(2, 3, 9, 10, requires_grad=True), rois_tensor(1)
    loss = lambda input: pool(input * 2, boxes).square().sum()  # noqa: E731
    wanted = torch.autograd.grad(loss(input), input)[0]
    torch.testing.assert_close(torch.autograd.grad(torch.compile(loss, fullgraph=True)(input), input)[0], wanted)


@pytest.mark.parametrize("strict", [False, True])
def test_export(strict):
    class Model(torch.nn.Module):
        def forward(self, input, boxes):
            return pool(input, boxes) + 1

    rois = torch.export.Dim("rois", min=2, max=1000)
    input = torch.randn(2, 3, 9, 10)
    exported = torch.export.export(Model(), (input, rois_tensor(1)), dynamic_shapes=(None, {0: rois}), strict=strict)
    assert any("roipool" in str(node.target) for node in exported.graph.nodes)
    for count in (4, 11):
        boxes = rois_tensor(2, count)
        assert torch.equal(exported.module()(input, boxes), Model()(input, boxes))


def test_fake_tensors_have_the_shape_and_nothing_else():
    with FakeTensorMode() as mode:
        input = mode.from_tensor(torch.randn(2, 3, 9, 10, dtype=torch.float16)).requires_grad_()
        output = roipool.torch.roi_pool(input, mode.from_tensor(rois_tensor(1)), (3, 2))
        (grad_input,) = torch.autograd.grad(output.sum(), input)
    assert (output.shape, output.dtype) == ((6, 3, 3, 2), torch.float16)
    assert (grad_input.shape, grad_input.dtype) == (input.shape, torch.float16)
    meta = roipool.torch.roi_pool(torch.empty(2, 3, 9, 10, device="meta"), torch.empty(6, 5, device="meta"), 2)
    assert (meta.shape, meta.device.type) == ((6, 3, 2, 2), "meta")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64], ids=str)
@pytest.mark.parametrize("requires_grad", [False, True])
def test_opcheck(dtype, requires_grad):
    input = torch.randn(2, 3, 9, 10).to(dtype)
    boxes = rois_tensor(1)
    ops = torch.ops.roipool
    output, argmax = ops.roi_pool(input, boxes, 3, 2, 0.5)
    input.requires_grad_(requires_grad)
    output.requires_grad_(requires_grad)
    torch.library.opcheck(ops.roi_pool.default, (input, boxes, 3, 2, 0.5))
    torch.library.opcheck(ops.roi_pool_grad.default, (output, argmax, boxes, 2, 3, 9, 10))
    torch.library.opcheck(ops.pick.default, (input, argmax, boxes))


def test_pick_and_the_gradient_are_adjoint():
    ops = torch.ops.roipool
    input, boxes = torch.randn(2, 3, 9, 10, dtype=torch.float64), rois_tensor(1)
    output, argmax = ops.roi_pool(input, boxes, 3, 2, 0.5)
    assert (argmax == -1).any()
    assert torch.equal(ops.pick(input, argmax, boxes), output)
    gradient = torch.randn_like(output)
    values = torch.randn_like(input)
    torch.testing.assert_close(
        (ops.roi_pool_grad(gradient, argmax, boxes, *input.shape) * values).sum(),
        (gradient * ops.pick(values, argmax, boxes)).sum(),
    )
    assert ops.pick(input[:0], argmax[:0], boxes[:0]).shape == (0, 3, 3, 2)
