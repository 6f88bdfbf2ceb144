// What measured times say about candidates that took turns: ratios, so that a disturbance meets both sides.
#ifndef ROIPOOL_SRC_CLI_TUNE_TIMES_H_
#define ROIPOOL_SRC_CLI_TUNE_TIMES_H_

#include <vector>

#include "shapes.h"
#include "worker_client.h"

namespace roipool::cli {

double Median(std::vector<double> values);

/// How long candidate `which` takes beside the first one: the median over rounds of their ratio, the geometric mean of that
/// over the shapes.
double RatioToFirst(const Seconds& seconds, size_t which);

/// Whether it is enough faster, and in enough of the rounds, for noise not to be the reason.
bool IsFaster(const Seconds& seconds, size_t which);

/// The median time for each bin; the geometric mean over the shapes.
double NanosecondsPerBin(const Seconds& seconds, size_t which, const std::vector<Shape>& shapes);

}  // namespace roipool::cli

#endif  // ROIPOOL_SRC_CLI_TUNE_TIMES_H_
