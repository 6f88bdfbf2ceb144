"""The package on NumPy arrays."""

import sys
import threading

import ml_dtypes
import numpy
import plain
import pytest
import roipool
from conftest import random_rois
from hypothesis import given
from hypothesis import strategies as st

FLOATS = ("float32", "float16", "bfloat16", "float64")


def type_of(name):
    return numpy.dtype(getattr(ml_dtypes, name, None) or name)


def problem(random, type_name="float32", images=2, channels=3, height=11, width=13, rois=9):
    x = random.standard_normal((images, channels, height, width)).astype(type_of(type_name))
    return x, random_rois(random, rois, images, height, width, overhang=0.2)


@given(
    seed=st.integers(0, 2**32 - 1),
    images=st.integers(1, 3),
    channels=st.integers(0, 20),
    height=st.integers(0, 12),
    width=st.integers(0, 12),
    rois=st.integers(0, 8),
    pooled_h=st.integers(1, 8),
    pooled_w=st.integers(1, 8),
    scale=st.sampled_from([1.0, 0.5, 0.0625]),
    type_name=st.sampled_from(["float32", "float64"]),
)
def test_every_shape_is_what_plain_loops_make(
    seed, images, channels, height, width, rois, pooled_h, pooled_w, scale, type_name
):
    random = numpy.random.default_rng(seed)
    x = random.standard_normal((images, channels, height, width)).astype(type_name)
    boxes = random_rois(random, rois, images, height, width, scale, overhang=0.3)
    y, argmax = roipool.roi_pool(x, boxes, (pooled_h, pooled_w), scale)
    wanted_y, wanted_argmax = plain.roi_pool(x, boxes, pooled_h, pooled_w, scale)
    numpy.testing.assert_array_equal(argmax, wanted_argmax, strict=True)
    numpy.testing.assert_array_equal(y, wanted_y, strict=True)
    if height * width == 0:
        return
    grad_output = random.standard_normal(y.shape).astype(type_name)
    grad_input = roipool.roi_pool_grad(grad_output, argmax, boxes, x.shape)
    numpy.testing.assert_array_equal(grad_input, plain.roi_pool_grad(grad_output, argmax, boxes, x.shape), strict=True)


@pytest.mark.parametrize("type_name", FLOATS)
def test_results_have_the_type_of_x(random, type_name):
    x, rois = problem(random, type_name)
    y, argmax = roipool.roi_pool(x, rois, 3)
    assert (y.dtype, argmax.dtype) == (x.dtype, numpy.int32)
    wide = numpy.float64 if type_name == "float64" else numpy.float32
    numpy.testing.assert_array_equal(y, plain.roi_pool(x.astype(wide), rois, 3, 3)[0].astype(x.dtype))
    grad_input = roipool.roi_pool_grad(y, argmax, rois, x.shape)
    assert grad_input.dtype == x.dtype
    sums = plain.roi_pool_grad(y.astype(wide), argmax, rois, x.shape)
    numpy.testing.assert_array_equal(grad_input, sums.astype(x.dtype))


@pytest.mark.parametrize("type_name", FLOATS)
def test_rois_may_have_any_float_type(random, type_name):
    x, rois = problem(random)
    rois = numpy.round(rois)  # Small whole numbers are the same in every type.
    expected = roipool.roi_pool(x, rois, 4)
    for actual, wanted in zip(roipool.roi_pool(x, rois.astype(type_of(type_name)), 4), expected, strict=True):
        numpy.testing.assert_array_equal(actual, wanted)


def test_strides_are_read_where_they_are(random):
    x, rois = problem(random)
    wanted = roipool.roi_pool(x, rois, 3)
    channels_last = numpy.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    backwards = numpy.ascontiguousarray(x[:, ::-1])[:, ::-1]
    for strided in (channels_last, backwards):
        for actual, expected in zip(roipool.roi_pool(strided, numpy.asfortranarray(rois), 3), wanted, strict=True):
            numpy.testing.assert_array_equal(actual, expected)
    expanded = numpy.broadcast_to(numpy.float32(1), wanted[1].shape)
    numpy.testing.assert_array_equal(
        roipool.roi_pool_grad(expanded, wanted[1], rois, x.shape),
        roipool.roi_pool_grad(expanded.copy(), wanted[1], rois, x.shape),
    )


def test_read_only_arrays_are_read(random):
    x, rois = problem(random)
    wanted, _ = roipool.roi_pool(x, rois, numpy.array([3, 3]))
    for array in (x, rois):
        array.flags.writeable = False
    numpy.testing.assert_array_equal(roipool.roi_pool(x, rois, 3)[0], wanted)


def test_arrays_of_others_are_read_where_they_are(random):
    class Exporter:
        """Speaks DLPack and no more, as the arrays of other libraries do."""

        def __init__(self, array):
            self.array = array
            self.asked = 0

        def __dlpack__(self, **arguments):
            self.asked += 1
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    x, rois = problem(random)
    exporters = [Exporter(x), Exporter(rois)]
    y, _ = roipool.roi_pool(*exporters, 3)
    numpy.testing.assert_array_equal(y, roipool.roi_pool(x, rois, 3)[0])
    assert all(exporter.asked > 0 for exporter in exporters)
    numpy.testing.assert_array_equal(roipool.roi_pool(memoryview(x), memoryview(rois), 3)[0], y)


def test_out_is_written_and_returned(random):
    x, rois = problem(random)
    y, argmax = roipool.roi_pool(x, rois, 3)
    out = numpy.full(y.shape, 7, numpy.float32), numpy.full(y.shape, 7, numpy.int32)
    returned = roipool.roi_pool(x, rois, 3, out=out)
    assert returned[0] is out[0] and returned[1] is out[1]
    numpy.testing.assert_array_equal(out[0], y)
    numpy.testing.assert_array_equal(out[1], argmax)
    grad_input = numpy.full(x.shape, 7, numpy.float32)
    assert roipool.roi_pool_grad(y, argmax, rois, x.shape, out=grad_input) is grad_input
    numpy.testing.assert_array_equal(grad_input, roipool.roi_pool_grad(y, argmax, rois, x.shape))


def test_out_must_fit(random):
    x, rois = problem(random)
    y, argmax = roipool.roi_pool(x, rois, 3)
    with pytest.raises(ValueError, match=r"y: has shape \(9, 3, 3, 3\), but output_size is \(4, 4\)"):
        roipool.roi_pool(x, rois, 4, out=(y, argmax))
    with pytest.raises(ValueError, match="argmax"):
        roipool.roi_pool(x, rois, 3, out=(y, argmax.astype(numpy.int64)))
    with pytest.raises(ValueError, match="grad_input: has shape"):
        roipool.roi_pool_grad(y, argmax, rois, x.shape, out=numpy.empty((2, 3, 11, 12), numpy.float32))
    with pytest.raises(ValueError, match="overlap"):
        roipool.roi_pool(x, rois, 3, out=(x.reshape(-1)[: y.size].reshape(y.shape), argmax))
    for array in (y, y.astype(ml_dtypes.bfloat16)):
        array.flags.writeable = False
        with pytest.raises(TypeError, match="y: is read-only"):
            roipool.roi_pool(x, rois, 3, out=(array, argmax))


def test_a_workspace_grows_and_is_kept(random):
    x, rois = problem(random, channels=64)
    workspace = roipool.Workspace()
    assert workspace.size == 0
    wanted, argmax = roipool.roi_pool(x, rois, 3)
    numpy.testing.assert_array_equal(roipool.roi_pool(x, rois, 3, workspace=workspace)[0], wanted)
    size = workspace.size
    assert size > 0
    roipool.roi_pool(x, rois[:1], 3, workspace=workspace)
    assert workspace.size == size
    roipool.roi_pool_grad(wanted, argmax, rois, x.shape, workspace=workspace)
    workspace.release()
    assert workspace.size == 0


def test_geometry_and_layout(random):
    x, rois = problem(random)
    swapped = rois[:, [0, 1, 3, 2, 4]]
    for actual, wanted in zip(
        roipool.roi_pool(x, swapped, 3, roi_layout="x1x2y1y2"), roipool.roi_pool(x, rois, 3), strict=True
    ):
        numpy.testing.assert_array_equal(actual, wanted)
    # The aclnn operator takes x2 for the last pixel, and a box that ends before it begins has none.
    no_box = numpy.array([[0, 5, 5, 3, 3]], numpy.float32)
    assert (roipool.roi_pool(x, no_box, 2, geometry="aclnn")[1] == -1).all()
    assert (roipool.roi_pool(x, no_box, 2, geometry="torchvision")[1] >= 0).all()


def test_fixed_point_adds_the_same_numbers(random):
    x, rois = problem(random, "float16")
    y, argmax = roipool.roi_pool(x, rois, 3)
    exact = plain.roi_pool_grad(y.astype(numpy.float64), argmax, rois, x.shape).astype(numpy.float16)
    numpy.testing.assert_array_equal(roipool.roi_pool_grad(y, argmax, rois, x.shape, accumulation="fixed_point"), exact)


def test_schedules_agree_in_every_bit(random):
    x, rois = problem(random, channels=33, rois=40)
    y, argmax = roipool.roi_pool(x, rois, 7)
    for actual, wanted in zip(roipool.roi_pool(x, rois, 7, schedule="reference", threads=1), (y, argmax), strict=True):
        numpy.testing.assert_array_equal(actual, wanted)
    gradients = [
        roipool.roi_pool_grad(y, argmax, rois, x.shape, **options)
        for options in ({}, {"threads": 3}, {"schedule": "reference"})
    ]
    assert len({gradient.tobytes() for gradient in gradients}) == 1


@pytest.mark.parametrize("index", [2, -1, 0.5, numpy.nan, numpy.inf, 1e30])
def test_a_bad_image_index_is_an_index_error_with_its_place(random, index):
    x, rois = problem(random)
    y, argmax = roipool.roi_pool(x, rois, 3)
    bad = rois.copy()
    bad[4, 0] = index
    out = numpy.full(y.shape, 7, numpy.float32), numpy.full(y.shape, 7, numpy.int32)
    with pytest.raises(IndexError, match=r"rois\[4, 0\]"):
        roipool.roi_pool(x, bad, 3, out=out)
    assert (out[0] == 7).all() and (out[1] == 7).all()
    grad_input = numpy.full(x.shape, 7, numpy.float32)
    with pytest.raises(IndexError, match=r"rois\[4, 0\]"):
        roipool.roi_pool_grad(y, argmax, bad, x.shape, out=grad_input)
    assert (grad_input == 7).all()


@pytest.mark.parametrize("pixel", [143, 10**9, -2, -(2**31)])
def test_a_bad_argmax_is_an_index_error_with_its_place(random, pixel):
    x, rois = problem(random)
    y, argmax = roipool.roi_pool(x, rois, 3)
    argmax[5, 1, 2, 0] = pixel
    with pytest.raises(IndexError, match=rf"argmax\[5, 1, 2, 0\] is {pixel}"):
        roipool.roi_pool_grad(y, argmax, rois, x.shape)


def test_a_box_that_is_not_finite_is_an_index_error(random):
    x, rois = problem(random)
    rois[3, 2] = numpy.nan
    with pytest.raises(IndexError, match=r"rois\[3"):
        roipool.roi_pool(x, rois, 3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x, rois: roipool.roi_pool(x[0], rois, 3), ValueError, "x"),
        (lambda x, rois: roipool.roi_pool(x[0, 0, 0], rois, 3), ValueError, "x"),
        (lambda x, rois: roipool.roi_pool(x, rois[:, :4], 3), ValueError, "rois"),
        (lambda x, rois: roipool.roi_pool(x, rois[0], 3), ValueError, "rois"),
        (lambda x, rois: roipool.roi_pool(x.astype(numpy.int32), rois, 3), ValueError, "x"),
        (lambda x, rois: roipool.roi_pool(x.astype(numpy.uint8), rois, 3), TypeError, "x: its elements"),
        (lambda x, rois: roipool.roi_pool(x.astype(numpy.complex64), rois, 3), TypeError, "x: its elements"),
        (lambda x, rois: roipool.roi_pool(x.astype(">f4"), rois, 3), BufferError, "byte order"),
        (lambda x, rois: roipool.roi_pool(x.tolist(), rois, 3), TypeError, "x: is a list, not an array"),
        (lambda x, rois: roipool.roi_pool(x, rois, 0), ValueError, "0"),
        (lambda x, rois: roipool.roi_pool(x, rois, -1), ValueError, "output_size"),
        (lambda x, rois: roipool.roi_pool(x, rois, (1, 2, 3)), ValueError, "output_size: has 3 numbers"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3.5), TypeError, "integer"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, 0.0), ValueError, "spatial_scale"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, geometry="round"), ValueError, "geometry: is 'round', not one of"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, roi_layout="xywh"), ValueError, "roi_layout: is 'xywh'"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, device="cuda"), ValueError, "roipool.torch"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, threads=257), ValueError, "threads"),
        (lambda x, rois: roipool.roi_pool(x, rois, 3, schedule="fastest"), ValueError, "fastest"),
        (lambda x, rois: roipool.roi_pool(numpy.zeros((1,) * 9, "f"), rois, 3), ValueError, "x: has 9 dimensions"),
        (lambda x, rois: roipool.roi_pool_grad(x, x, rois, x.shape), ValueError, "argmax|grad_output|rois"),
    ],
)
def test_errors_say_what_is_wrong(random, call, error, text):
    with pytest.raises(error, match=text):
        call(*problem(random))


def test_threads_of_python_work_at_once_and_alike(random):
    x, rois = problem(random, images=2, channels=32, height=40, width=40, rois=64)
    wanted, argmax = roipool.roi_pool(x, rois, 7)
    gradient = roipool.roi_pool_grad(wanted, argmax, rois, x.shape)
    shared = roipool.Workspace()
    different = []

    def work(workspace):
        for _ in range(20):
            y, _ = roipool.roi_pool(x, rois, 7, workspace=workspace)
            again = roipool.roi_pool_grad(wanted, argmax, rois, x.shape, workspace=workspace)
            if y.tobytes() != wanted.tobytes() or again.tobytes() != gradient.tobytes():
                different.append(workspace)

    threads = [threading.Thread(target=work, args=(shared if number % 2 else None,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not different


def test_the_interpreter_goes_on_while_a_call_computes():
    # So long that no thread is ever made to let another one run: a tick during the call means that the call let it.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    random = numpy.random.default_rng(1)
    x = random.standard_normal((1, 64, 200, 200)).astype(numpy.float32)
    rois = numpy.tile(numpy.array([[0, 0, 0, 199, 199]], numpy.float32), (400, 1))
    ticks, done = [0], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks[0] += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        before = ticks[0]
        roipool.roi_pool(x, rois, 7, threads=1)
        during = ticks[0] - before
    finally:
        done.set()
        ticker.join()
        sys.setswitchinterval(interval)
    assert during > 0
