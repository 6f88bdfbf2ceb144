"""The operators as the README words them, in plain loops: slow, and right by being short."""

import numpy


def roi_pool(x, rois, pooled_h, pooled_w, spatial_scale=1.0):
    """With geometry "torchvision"; every operation on a box in float32."""
    f32 = numpy.float32
    _, channels, height, width = x.shape
    y = numpy.zeros((len(rois), channels, pooled_h, pooled_w), x.dtype)
    argmax = numpy.full(y.shape, -1, numpy.int32)
    for r, (index, *box) in enumerate(rois.astype(f32)):
        x1, y1, x2, y2 = (_round_half_away(f32(corner) * f32(spatial_scale)) for corner in box)
        bin_h = max(y2 - y1 + f32(1), f32(1)) / f32(pooled_h)
        bin_w = max(x2 - x1 + f32(1), f32(1)) / f32(pooled_w)
        for ph in range(pooled_h):
            rows = _clipped(f32(ph) * bin_h, f32(ph + 1) * bin_h, y1, height)
            for pw in range(pooled_w):
                columns = _clipped(f32(pw) * bin_w, f32(pw + 1) * bin_w, x1, width)
                for c in range(channels):
                    best = None
                    for h in rows:
                        for w in columns:
                            value = x[int(index), c, h, w]
                            if value == value and (best is None or value > best):
                                best = value
                                argmax[r, c, ph, pw] = h * width + w
                    if best is not None:
                        y[r, c, ph, pw] = best
    return y, argmax


def roi_pool_grad(grad_output, argmax, rois, input_shape):
    """For float32 and float64, which are summed in their own type."""
    images, channels, height, width = input_shape
    planes = numpy.zeros((images, channels, height * width), grad_output.dtype)
    for r in range(len(rois)):
        for c in range(channels):
            for pixel, gradient in zip(argmax[r, c].ravel(), grad_output[r, c].ravel(), strict=True):
                if pixel >= 0:
                    planes[int(rois[r, 0]), c, int(pixel)] += gradient
    return planes.reshape(input_shape)


def _round_half_away(value):
    return numpy.copysign(numpy.floor(abs(value) + numpy.float32(0.5)), value).astype(numpy.float32)


def _clipped(first, last, offset, extent):
    begin = min(max(int(numpy.floor(first) + offset), 0), extent)
    end = min(max(int(numpy.ceil(last) + offset), 0), extent)
    return range(begin, end)
