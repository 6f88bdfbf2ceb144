"""RoI max pooling and its gradient for NumPy arrays and whatever else speaks DLPack.

    y, argmax = roipool.roi_pool(x, rois, (7, 7), spatial_scale=1 / 16)
    grad_input = roipool.roi_pool_grad(grad_output, argmax, rois, x.shape)

On a CPU results have the same bits for every number of threads, every instruction set and every run, and no value in any array
makes a call read or write outside the arrays. `roipool.torch` has the same for PyTorch, with its gradients.
"""

from roipool._arrays import roi_pool, roi_pool_grad
from roipool._core import VERSION as __version__
from roipool._core import Workspace

__all__ = ["Workspace", "__version__", "roi_pool", "roi_pool_grad"]
