// OpenCL beyond the kernels: memory objects of the caller, in a context and a queue of the caller.
#include <gtest/gtest.h>
