"""Boxes in both forms that torchvision.ops.roi_pool takes, as one tensor of rois."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def countable(tensor: torch.Tensor) -> torch.Tensor:
    """`tensor` in a type that image indices fit: in 16 bits neighbours soon become the same number."""
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def rois_of(boxes: torch.Tensor | Sequence[torch.Tensor], like: torch.Tensor) -> torch.Tensor:
    """(K, 5): image index, x1, y1, x2, y2. `like`: where, and of what type, an empty list becomes a tensor.

    Raises ValueError for shapes that are neither (K, 5) nor a sequence of (L, 4).
    """
    if isinstance(boxes, torch.Tensor):
        if boxes.dim() != 2 or boxes.shape[1] != 5:
            raise ValueError(f"boxes: a tensor of them has shape (K, 5): image index, x1, y1, x2, y2; got {tuple(boxes.shape)}")
        return boxes
    if not isinstance(boxes, (list, tuple)) or not all(isinstance(each, torch.Tensor) for each in boxes):
        raise TypeError("boxes: neither a tensor (K, 5) nor a list or tuple of tensors (L, 4)")
    if not boxes:
        return like.new_empty((0, 5))
    for image, each in enumerate(boxes):
        if each.dim() != 2 or each.shape[1] != 4:
            raise ValueError(f"boxes[{image}]: has shape {tuple(each.shape)}, not (L, 4): x1, y1, x2, y2")
    corners = [countable(each) for each in boxes]
    indices = torch.cat([torch.full_like(each[:, :1], image) for image, each in enumerate(corners)])
    return torch.cat([indices, torch.cat(corners)], dim=1)
