// Operator new and delete of a test program, counted, and failing on request.
#ifndef ROIPOOL_TESTS_GPU_COUNTED_NEW_H_
#define ROIPOOL_TESTS_GPU_COUNTED_NEW_H_

#include <cstdint>

namespace roipool::test {

/// How many allocations of the process are not freed yet.
int64_t LiveAllocations();

/// The `nth` allocation of this thread from now on, 1 being the next, throws std::bad_alloc; 0: none. The driver's do not
/// count: as a library of C, it throws nothing.
void FailAllocation(int nth);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_GPU_COUNTED_NEW_H_
