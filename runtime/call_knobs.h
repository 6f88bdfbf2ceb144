// What may be tuned without compiling a kernel anew: numbers that a call hands to its kernel or cuts its work by. Declared here
// once: name, default, smallest, largest, meaning. The knobs of a schedule are declared in its file, in the same form.
#ifndef ROIPOOL_RUNTIME_CALL_KNOBS_H_
#define ROIPOOL_RUNTIME_CALL_KNOBS_H_

#include <cstdint>

// clang-format off: CMake reads these lines.
#define ROIPOOL_GRAD_CALL_KNOBS(KNOB)                                                                        \
  KNOB(channel_block, 0, 0, 4096, "channels of one task; 0: as many as suit the shape and the threads")      \
  KNOB(group_channels, 4, 1, 4, "channels that a kernel advances together")                                  \
  KNOB(prefetch_distance, 3, 0, 64, "how many rois ahead rows are fetched")
#define ROIPOOL_POOL_CALL_KNOBS(KNOB)                                                                        \
  KNOB(channel_block, 0, 0, 64, "channels of one task, by sixteens; 0: as many as suit the shape and the threads")
// clang-format on

namespace roipool::internal {

/// Of both operators: the forward has none that the gradient has not.
struct CallKnobs {
#define ROIPOOL_CALL_KNOB_FIELD(name, initial, smallest, largest, meaning) int32_t name = initial;
  ROIPOOL_GRAD_CALL_KNOBS(ROIPOOL_CALL_KNOB_FIELD)
#undef ROIPOOL_CALL_KNOB_FIELD
};

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CALL_KNOBS_H_
