// CUDA beyond the kernels: the caller's stream and context, and every error of the driver.
#include <gtest/gtest.h>
