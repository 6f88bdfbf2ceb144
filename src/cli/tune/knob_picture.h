// What a search found, knob by knob.
#ifndef ROIPOOL_CLI_TUNE_KNOB_PICTURE_H_
#define ROIPOOL_CLI_TUNE_KNOB_PICTURE_H_

#include "candidate.h"
#include "drawing.h"

namespace roipool::cli {

struct TuneResult;

/// A panel for each knob of the best candidate's schedule: the time of every candidate over its value, a line through the best
/// of each value, the winner and the start marked.
Page DrawKnobs(const TuneResult& result, const CandidateSpace& space);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_KNOB_PICTURE_H_
