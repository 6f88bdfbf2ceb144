// What this CPU can run, and what the environment lets it.
#ifndef ROIPOOL_RUNTIME_CPU_FEATURES_H_
#define ROIPOOL_RUNTIME_CPU_FEATURES_H_

#include <cstdint>

#include "roipool/kernels.h"

namespace roipool::internal {

/// `cap` lowered by ROIPOOL_MAX_ISA. kInvalidArgument, naming `function`, if the variable names no ISA.
Status LowerIsaByEnvironment(const char* function, Isa* cap) noexcept;

/// How many CPUs this process may run on, at least 1.
int32_t UsableCpuCount() noexcept;

}  // namespace roipool::internal

#endif  // ROIPOOL_RUNTIME_CPU_FEATURES_H_
