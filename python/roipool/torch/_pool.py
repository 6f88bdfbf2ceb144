"""What people call in place of torchvision.ops.roi_pool and torchvision.ops.RoIPool."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from roipool.torch import _autograd as _autograd  # Gives the operators their derivatives.
from roipool.torch import _boxes, _ops


def roi_pool(
    input: torch.Tensor,
    boxes: torch.Tensor | Sequence[torch.Tensor],
    output_size: int | Sequence[int],
    spatial_scale: float = 1.0,
) -> torch.Tensor:
    """RoI max pooling, as torchvision.ops.roi_pool, from which it differs in this alone:

    - Bins' edges are computed in float32 for boxes of any type, where torchvision computes them in the boxes' own; equal for
      float32, and for float16 and bfloat16 equal to torchvision's with boxes in float32.
    - input and boxes may be of different types.
    - An image index outside the batch, or a box that is not finite, is an IndexError that names it, never a read outside memory.
      On CUDA, where work goes on after the call returns, such a call's result is unspecified, and the error is raised if the
      environment has CUDA_LAUNCH_BLOCKING=1.
    - A window of -inf alone passes its gradient to its first pixel, where torchvision drops it.

    Every derivative with respect to input exists, those with respect to boxes are zero. On a CPU it uses torch.get_num_threads()
    threads and the same bits come out for each number; on CUDA it works on the current stream, with reproducible gradients under
    torch.use_deterministic_algorithms(True).

    Args:
        input: (N, C, H, W), float32, float16, bfloat16 or float64; any strides. CPU, or CUDA where the library has such kernels.
        boxes: (K, 5) with image index, x1, y1, x2, y2; or for every image a tensor (L, 4) of x1, y1, x2, y2. In the units that
            spatial_scale explains, x1 <= x2 and y1 <= y2; both corners belong to a box, which has at least one pixel.
        output_size: bins of a box, (height, width) or one number for both.
        spatial_scale: pixels of input per unit of a box.

    Returns:
        (K, C, height, width), the type of input. A bin outside the image is 0.

    Raises:
        IndexError, ValueError, TypeError; NotImplementedError on a device without kernels.
    """
    size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
    if len(size) != 2:
        raise ValueError(f"output_size: has {len(size)} numbers, not one or two")
    pooled_h, pooled_w = size
    output, _ = _ops.roi_pool(input, _boxes.rois_of(boxes, input), pooled_h, pooled_w, float(spatial_scale))
    return output


class RoIPool(torch.nn.Module):
    """`roi_pool` as a module, like torchvision.ops.RoIPool.

    Args:
        output_size: bins of a box, (height, width) or one number for both.
        spatial_scale: pixels of the input per unit of a box.
    """

    def __init__(self, output_size: int | Sequence[int], spatial_scale: float = 1.0) -> None:
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale

    def forward(self, input: torch.Tensor, rois: torch.Tensor | Sequence[torch.Tensor]) -> torch.Tensor:
        return roi_pool(input, rois, self.output_size, self.spatial_scale)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, spatial_scale={self.spatial_scale}"
