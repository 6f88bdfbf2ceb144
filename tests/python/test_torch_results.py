"""roipool.torch beside torchvision: the same results, and what happens where torchvision has none."""

import os
import threading

import numpy
import pytest
import roipool.torch
import torch
import torchvision
from conftest import random_rois
from hypothesis import given
from hypothesis import strategies as st

FLOATS = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
SIXTEEN_BITS = (torch.float16, torch.bfloat16)


def problem(seed=20, dtype=torch.float32, images=2, channels=5, height=14, width=17, rois=12, scale=1.0, overhang=0.2):
    random = numpy.random.default_rng(seed)
    input = torch.from_numpy(random.standard_normal((images, channels, height, width))).to(dtype)
    return input.requires_grad_(), torch.from_numpy(random_rois(random, rois, images, height, width, scale, overhang))


def forward_and_gradient(roi_pool, input, boxes, *arguments, gradient=None):
    output = roi_pool(input, boxes, *arguments)
    gradient = torch.linspace(-1, 1, output.numel()).reshape(output.shape) if gradient is None else gradient
    (grad_input,) = torch.autograd.grad(output, input, gradient.to(output.dtype))
    return output.detach(), grad_input


def torchvisions(input, boxes, *arguments, gradient=None):
    """torchvision's; for 16-bit types on copies in float32, since it rounds edges and sums to the type of the input."""
    if input.dtype not in SIXTEEN_BITS:
        boxes = [each.to(input.dtype) for each in boxes] if isinstance(boxes, (list, tuple)) else boxes.to(input.dtype)
        return forward_and_gradient(torchvision.ops.roi_pool, input, boxes, *arguments, gradient=gradient)
    wide = input.detach().float().requires_grad_()
    output, grad_input = forward_and_gradient(torchvision.ops.roi_pool, wide, boxes, *arguments, gradient=gradient)
    return output.to(input.dtype), grad_input


def assert_same(actual, wanted, dtype):
    assert torch.equal(actual[0], wanted[0])
    # Sums of at most K * PH * PW terms of at most 1 in another order, and the rounding of the result in 16 bits.
    rounding = {torch.float16: 2**-11, torch.bfloat16: 2**-8}.get(dtype, 0)
    epsilon = torch.finfo(torch.float64 if dtype == torch.float64 else torch.float32).eps
    terms = actual[0].shape[0] * actual[0].shape[2] * actual[0].shape[3]
    largest = wanted[1].abs().max().item() if wanted[1].numel() else 0
    torch.testing.assert_close(
        actual[1].double(), wanted[1].double(), rtol=0, atol=terms * terms * epsilon + rounding * largest
    )


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@given(
    seed=st.integers(0, 2**32 - 1),
    images=st.integers(1, 3),
    channels=st.integers(1, 20),
    height=st.integers(1, 20),
    width=st.integers(1, 20),
    rois=st.integers(0, 10),
    size=st.one_of(st.integers(1, 8), st.tuples(st.integers(1, 8), st.integers(1, 8))),
    scale=st.sampled_from([1.0, 0.25, 0.0625]),
    overhang=st.sampled_from([0.0, 0.5]),
)
def test_random_problems(dtype, seed, images, channels, height, width, rois, size, scale, overhang):
    input, boxes = problem(seed, dtype, images, channels, height, width, rois, scale, overhang)
    if dtype == torch.float64:
        # Where float32 and float64 agree on every edge: bins of a whole number of pixels.
        rows, columns = (size, size) if isinstance(size, int) else size
        random = numpy.random.default_rng(seed)
        first = random.integers(-3, 10, (rois, 2))
        last = first + random.integers(1, 4, (rois, 2)) * [columns, rows] - 1
        boxes[:, 1:] = torch.from_numpy(numpy.concatenate([first, last], axis=1) / scale)
    actual = forward_and_gradient(roipool.torch.roi_pool, input, boxes, size, scale)
    assert actual[0].dtype == actual[1].dtype == dtype
    assert_same(actual, torchvisions(input, boxes, size, scale), dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_float64_boxes_take_the_edges_of_float32(dtype):
    input, boxes = problem(dtype=dtype, rois=200, height=40, width=40)
    expected = torchvision.ops.roi_pool(input.detach().float(), boxes, 7)
    wide = roipool.torch.roi_pool(input.detach().float(), boxes.double(), 7)
    assert torch.equal(wide, expected)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_lists_of_boxes(dtype):
    input, boxes = problem(dtype=dtype, images=3, overhang=0)
    lists = [boxes[boxes[:, 0] == image, 1:].to(dtype) for image in range(3)]
    lists[1] = lists[1][:0]
    for sequence in (lists, tuple(lists)):
        actual = forward_and_gradient(roipool.torch.roi_pool, input, sequence, (3, 2), 0.5)
        wide = [each.float() for each in sequence] if dtype in SIXTEEN_BITS else sequence
        if dtype != torch.float64:
            assert_same(actual, torchvisions(input, wide, (3, 2), 0.5), dtype)
        assert actual[0].shape == (sum(len(each) for each in lists), 5, 3, 2)


def test_no_boxes():
    input, boxes = problem()
    for none in (boxes[:0], [boxes[:0, 1:]] * 2, []):
        output, grad_input = forward_and_gradient(roipool.torch.roi_pool, input, none, (3, 2))
        assert output.shape == (0, 5, 3, 2)
        assert torch.equal(grad_input, torch.zeros_like(input))


def test_an_image_index_in_16_bits_counts_beyond_2048():
    input = torch.arange(2100.0).reshape(-1, 1, 1, 1).expand(-1, 1, 2, 2)
    boxes = [torch.zeros((1, 4), dtype=torch.float16)] * 2100
    assert torch.equal(roipool.torch.roi_pool(input, boxes, 1).flatten(), torch.arange(2100.0))


def test_strides():
    input, boxes = problem(channels=16)
    wanted = forward_and_gradient(roipool.torch.roi_pool, input, boxes, 3)
    padded = torch.zeros(2, 16, 20, 40)
    padded[:, :, 3:17, 3:37:2] = input.detach()
    strided = (
        input.detach().to(memory_format=torch.channels_last),
        input.detach().transpose(2, 3).contiguous().transpose(2, 3),
        padded[:, :, 3:17, 3:37:2],
    )
    for other in strided:
        actual = forward_and_gradient(roipool.torch.roi_pool, other.requires_grad_(), boxes.t().contiguous().t(), 3)
        assert torch.equal(actual[0], wanted[0])
        assert torch.equal(actual[1], wanted[1])


def test_expanded_and_permuted_gradients():
    input, boxes = problem()
    output = roipool.torch.roi_pool(input, boxes, 3)
    output.sum().backward()  # Its gradient is one number, expanded.
    wanted = torchvisions(input, boxes, 3, gradient=torch.ones_like(output))[1]
    torch.testing.assert_close(input.grad, wanted)
    gradient = torch.randn(3, 3, 5, 12).permute(3, 2, 0, 1)
    for each in (gradient, gradient.contiguous()):
        _, grad_input = forward_and_gradient(roipool.torch.roi_pool, input, boxes, 3, gradient=each)
        assert torch.equal(
            grad_input, forward_and_gradient(roipool.torch.roi_pool, input, boxes, 3, gradient=gradient.contiguous())[1]
        )


def test_a_negative_view_is_negative():
    input, boxes = problem()
    negative = torch._neg_view(input.detach())
    assert torch.equal(roipool.torch.roi_pool(negative, boxes, 3), roipool.torch.roi_pool(-input.detach(), boxes, 3))


# What torchvision's documentation and its own tests say of boxes at the edge.
@pytest.mark.parametrize(
    "box",
    [
        [0, 0, 0, 0],  # one pixel
        [-5, -5, 3, 3],  # outside on one side
        [100, 100, 120, 120],  # outside altogether: zeros
        [-30, -30, -20, -20],
        [5, 5, 3, 3],  # ends before it begins: taken for one pixel
        [0, 0, 1e6, 1e6],
        [0.5, 0.5, 2.5, 2.5],  # halves are rounded away from 0
        [-0.5, -1.5, 2.5, 3.5],
    ],
    ids=str,
)
def test_boxes_at_and_beyond_the_edge(box):
    input, _ = problem(images=1)
    boxes = torch.tensor([[0.0, *box]])
    actual = forward_and_gradient(roipool.torch.roi_pool, input, boxes, (3, 2))
    assert_same(actual, torchvisions(input, boxes, (3, 2)), torch.float32)
    if box[0] == 100 or box[2] == -20:
        assert not actual[0].any() and not actual[1].any()


def test_nan_in_the_input_never_wins():
    input = torch.tensor([[[[float("nan"), 1.0], [2.0, float("nan")]]]])
    assert roipool.torch.roi_pool(input, [torch.tensor([[0.0, 0.0, 1.0, 1.0]])], 1).item() == 2


@pytest.mark.parametrize("index", [2, -1, 0.5, float("nan")])
def test_a_bad_image_index_is_an_index_error(index):
    input, boxes = problem()
    boxes[7, 0] = index
    with pytest.raises(IndexError, match=r"rois\[7, 0\]"):
        roipool.torch.roi_pool(input, boxes, 3)


def test_more_lists_than_images_are_an_index_error():
    input, boxes = problem()
    with pytest.raises(IndexError, match="2"):
        roipool.torch.roi_pool(input, [boxes[:1, 1:]] * 3, 3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda input, boxes: (input, boxes[:, 1:], 3), ValueError, r"boxes: a tensor of them has shape \(K, 5\)"),
        (lambda input, boxes: (input, boxes[0], 3), ValueError, r"\(K, 5\)"),
        (lambda input, boxes: (input, [boxes, boxes], 3), ValueError, r"boxes\[0\]: has shape \(12, 5\), not \(L, 4\)"),
        (lambda input, boxes: (input, boxes.tolist(), 3), TypeError, "boxes: neither a tensor"),
        (lambda input, boxes: (input, None, 3), TypeError, "boxes: neither a tensor"),
        (lambda input, boxes: (input[0], boxes, 3), ValueError, r"input: has shape \(5, 14, 17\)"),
        (lambda input, boxes: (input, boxes.long(), 3), ValueError, "rois"),
        (lambda input, boxes: (input.to(torch.uint8), boxes, 3), TypeError, "input: its elements are uint8, none of float32"),
        (lambda input, boxes: (input.long(), boxes, 3), ValueError, "x"),
        (lambda input, boxes: (input, boxes, 0), ValueError, r"output_size: is \(0, 0\)"),
        (lambda input, boxes: (input, boxes, (1, 2, 3)), ValueError, "output_size: has 3 numbers"),
        (lambda input, boxes: (input, boxes, 3, -1.0), ValueError, "spatial_scale"),
        (lambda input, boxes: (input, boxes.to("meta"), 3), ValueError, "rois: is on meta"),
    ],
)
def test_errors_say_what_is_wrong(call, error, text):
    with pytest.raises(error, match=text):
        roipool.torch.roi_pool(*call(*problem()))


def test_the_module():
    module = roipool.torch.RoIPool((3, 2), spatial_scale=0.5)
    input, boxes = problem()
    assert torch.equal(module(input, boxes), roipool.torch.roi_pool(input, boxes, (3, 2), 0.5))
    assert repr(module) == "RoIPool(output_size=(3, 2), spatial_scale=0.5)"
    assert not list(module.parameters())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_autocast(dtype):
    input, boxes = problem(channels=8)
    convolution = torch.nn.Conv2d(8, 8, 3, padding=1)
    with torch.autocast("cpu", dtype):
        features = convolution(input)
        assert features.dtype == dtype
        output = roipool.torch.roi_pool(features, boxes, 3)
    assert output.dtype == dtype
    assert torch.equal(output, torchvision.ops.roi_pool(features.float(), boxes, 3).to(dtype))
    output.float().square().sum().backward()
    assert convolution.weight.grad.isfinite().all()


def test_threads_of_torch_change_no_bit():
    input, boxes = problem(channels=64, height=40, width=40, rois=100)
    before = torch.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            results.append(forward_and_gradient(roipool.torch.roi_pool, input, boxes, 7))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert torch.equal(results[0][0], other[0]) and torch.equal(results[0][1], other[1])


def test_threads_of_python_work_at_once_and_alike():
    input, boxes = problem(channels=32, rois=64)
    wanted = forward_and_gradient(roipool.torch.roi_pool, input, boxes, 7)
    failed = []

    def work():
        mine = input.detach().clone().requires_grad_()
        for _ in range(20):
            actual = forward_and_gradient(roipool.torch.roi_pool, mine, boxes, 7)
            if not (torch.equal(actual[0], wanted[0]) and torch.equal(actual[1], wanted[1])):
                failed.append(actual)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def flags_of_mapping(address):
    """What Linux keeps about the mapping that holds the address: VmFlags of proc(5)."""
    is_it = False
    with open("/proc/self/smaps") as mappings:
        for line in mappings:
            first, *rest = line.split()
            if "-" in first and not first.endswith(":"):
                begin, end = (int(part, 16) for part in first.split("-"))
                is_it = begin <= address < end
            elif is_it and first == "VmFlags:":
                return rest
    return []


@pytest.mark.skipif(not os.path.exists("/sys/kernel/mm/transparent_hugepage"), reason="this kernel has no huge pages")
def test_large_results_get_huge_pages():
    input, boxes = problem(channels=256, rois=200)
    output = roipool.torch.roi_pool(input, boxes, (7, 7))
    assert output.nbytes > 8 << 20
    assert "hg" in flags_of_mapping(output.data_ptr() + output.nbytes // 2)
