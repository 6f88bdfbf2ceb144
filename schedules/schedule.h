// What a schedule file starts from: the stages of the algorithms, and knobs. README.md shows a whole one.
#ifndef ROIPOOL_SCHEDULES_SCHEDULE_H_
#define ROIPOOL_SCHEDULES_SCHEDULE_H_

#include "Halide.h"
#include "stages.h"

/// A file declares its knobs once, before its namespace:
///   #define ROIPOOL_KNOBS(KNOB) KNOB(name, default, smallest, largest, "what it is")
/// which become the fields of its struct Knobs, parameters of its generator, and, since CMake reads the same lines, what
/// `roipool targets --knobs` lists and `roipool tune` varies. All are whole numbers.
#define ROIPOOL_KNOB_FIELD(name, initial, smallest, largest, meaning) int name = initial;
#define ROIPOOL_KNOB_PARAM(name, initial, smallest, largest, meaning) \
  GeneratorParam<int> name{#name, initial, smallest, largest};
#define ROIPOOL_KNOB_VALUE(name, initial, smallest, largest, meaning) knobs.name = name;

#endif  // ROIPOOL_SCHEDULES_SCHEDULE_H_
