// One call of an operator, with its inputs, its output and the output that is right.
#ifndef ROIPOOL_CLI_TUNE_WORKER_CALL_H_
#define ROIPOOL_CLI_TUNE_WORKER_CALL_H_

#include <memory>
#include <string>

#include "call_knobs.h"
#include "kernel_registry.h"
#include "roipool/executor.h"
#include "shape_class.h"
#include "shapes.h"

namespace roipool::cli {

class WorkerCall {
 public:
  virtual ~WorkerCall() = default;

  /// Phase 1 for a kernel of anyone's and its knobs. Throws std::runtime_error.
  virtual void Plan(const internal::Kernel& kernel, const internal::CallKnobs& knobs, int32_t threads) = 0;
  /// Phase 2; an empty text or its error.
  virtual std::string Run() = 0;
  /// Fills the outputs with what no kernel may leave there.
  virtual void Poison() = 0;
  /// Remembers the outputs as right.
  virtual void KeepExpected() = 0;
  /// Empty if the outputs are right, else the first difference.
  virtual std::string Difference() const = 0;
  /// A call that must be refused, as an index is out of range: empty if it is.
  virtual std::string RefusalProblem(const internal::Kernel& kernel, const internal::CallKnobs& knobs) = 0;
  virtual internal::CallSizes sizes() const = 0;
};

std::unique_ptr<WorkerCall> MakeWorkerCall(Operator op, const Shape& shape, DataType type);

}  // namespace roipool::cli

#endif  // ROIPOOL_CLI_TUNE_WORKER_CALL_H_
