// The stand-in's own functions, found at run time: no program links it.
#ifndef ROIPOOL_TESTS_GPU_DRIVER_STAND_IN_H_
#define ROIPOOL_TESTS_GPU_DRIVER_STAND_IN_H_

#include <string>
#include <vector>

namespace roipool::test {

/// Empty if the driver is the stand-in, else a reason.
std::string WhyNoStandIn();

/// Forgets calls, failures and errors.
void ResetDriver();
/// The `nth` call of a function from now on, 1 being the next, returns `status`; 0: every call.
void FailCall(const std::string& function, int nth, int status);
/// The calls since the reset, one a line: the function, then what it was about.
std::vector<std::string> CallsOfDriver();

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_GPU_DRIVER_STAND_IN_H_
