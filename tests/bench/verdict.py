"""Whether what a peer computed may pass for what roipool computes."""

# Sums of float32 in another order may differ by a rounding of each addend. torchvision adds float16 in float16.
LARGEST_DIFFERENCE = {"f32": 1e-5, "f16": 0.05, "f64": 1e-5}


def why_wrong(dtype, difference, other_argmax):
    """None if it may, else the reason. `difference` is a share of the largest number; `other_argmax` a number of elements, of
    which none may differ, or None.
    """
    if not difference <= LARGEST_DIFFERENCE[dtype]:  # NaN is wrong too.
        return f"off by {difference:g} of the largest number"
    if other_argmax:
        return f"elements of argmax that differ: {other_argmax}"
    return None
