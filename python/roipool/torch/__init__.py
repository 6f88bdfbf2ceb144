"""RoI max pooling for PyTorch: `roi_pool` and `RoIPool` in place of torchvision.ops'.

They have torchvision's signatures and its results (for boxes in float32; see `roi_pool`), every derivative: backward, backward of
the backward, forward mode, those of torch.func; and they compile, export and vmap. On a CPU gradients have the same bits in every
run and for every number of threads.
"""

from roipool.torch._pool import RoIPool, roi_pool

__all__ = ["RoIPool", "roi_pool"]
