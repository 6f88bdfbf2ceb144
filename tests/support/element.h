// Single elements of every type as numbers and as bits. Written apart from the library's own conversions, which these check.
#ifndef ROIPOOL_TESTS_SUPPORT_ELEMENT_H_
#define ROIPOOL_TESTS_SUPPORT_ELEMENT_H_

#include <cstdint>

#include "roipool/tensor.h"

namespace roipool::test {

int64_t SizeOf(DataType type);
bool IsFloatType(DataType type);

uint64_t LoadBits(const void* address, DataType type);
void StoreBits(void* address, DataType type, uint64_t bits);

/// Exact for every type but i64, whose values beyond 2^53 are rounded.
double NumberOf(uint64_t bits, DataType type);

/// Rounds once, half to even; a NaN becomes the type's quiet NaN with a clear sign. `number` must fit in an integer type.
uint64_t BitsOf(double number, DataType type);

/// What fills memory that nobody should read: a NaN with a payload of its own, or a whole number far outside every plane.
uint64_t PoisonOf(DataType type);

/// The largest finite number and the smallest above 0.
double LargestOf(DataType type);
double SmallestOf(DataType type);

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_ELEMENT_H_
