// Who lies where in the caller's workspace: booked in phase 1, carved out in phase 2, by one object.
#ifndef ROIPOOL_SRC_WORKSPACE_H_
#define ROIPOOL_SRC_WORKSPACE_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "checked_math.h"
#include "roipool/executor.h"

namespace roipool::internal {

enum class Piece : size_t {
  kImages,   ///< The image of each roi, checked.
  kOrder,    ///< The rois sorted by image.
  kBegin,    ///< Where each image's rois begin in kOrder.
  kSums,     ///< Where a gradient is summed in another type than its own, on a CPU for each thread.
  kBoxes,    ///< The forward's boxes as float32 x1, y1, x2, y2.
  kColumns,  ///< Edges of the forward's bins: see pool_launch.h.
  kRows,
  kTiles,  ///< What the forward copies of a map, and where each image begins in that: see window_tiles.h.
  kTilesBegin,
  kVectors,  ///< Channels side by side, for each thread or for all.
  kX,        ///< Dense copies of tensors that a kernel cannot walk.
  kGradOutput,
  kArgmax,
  kGradInput,
  kY,
  kRois,
  kFloatSums,        ///< A GPU's: fixed point's second sums.
  kInspectionParts,  ///< A GPU's: see gpu_grad_launch.h.
  kCount,
};

class Workspace {
 public:
  Workspace() noexcept = default;
  /// Every piece begins at a multiple of `alignment` bytes.
  explicit Workspace(int64_t alignment) noexcept : alignment_(alignment) {}

  /// Adds `count` elements of `size` bytes. False if the total no longer fits in 63 bits.
  [[nodiscard]] bool Book(Piece piece, int64_t count, int64_t size) noexcept {
    int64_t bytes = 0;
    if (!CheckedMultiply(count, size, &bytes) || !CheckedAdd(bytes, alignment_ - 1, &bytes)) return false;
    offsets_[static_cast<size_t>(piece)] = total_;
    booked_[static_cast<size_t>(piece)] = true;
    return CheckedAdd(total_, bytes / alignment_ * alignment_, &total_);
  }

  bool IsBooked(Piece piece) const noexcept { return booked_[static_cast<size_t>(piece)]; }

  /// Bytes in all.
  uint64_t size() const noexcept { return static_cast<uint64_t>(total_); }

  /// Where the piece begins, in bytes from the workspace's beginning. It must be booked.
  int64_t OffsetOf(Piece piece) const noexcept {
    assert(IsBooked(piece));
    return offsets_[static_cast<size_t>(piece)];
  }

  /// The piece's place in the workspace that begins at `base`; null if it was not booked.
  template <typename T>
  T* Carve(Piece piece, void* base) const noexcept {
    if (!IsBooked(piece)) return nullptr;
    return reinterpret_cast<T*>(static_cast<std::byte*>(base) + OffsetOf(piece));
  }

 private:
  std::array<int64_t, static_cast<size_t>(Piece::kCount)> offsets_ = {};
  std::array<bool, static_cast<size_t>(Piece::kCount)> booked_ = {};
  int64_t total_ = 0;
  int64_t alignment_ = static_cast<int64_t>(kWorkspaceAlignment);
};

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_WORKSPACE_H_
