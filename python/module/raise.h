// A Status as the exception that Python programs expect.
#ifndef ROIPOOL_PYTHON_RAISE_H_
#define ROIPOOL_PYTHON_RAISE_H_

#include <roipool/status.h>

namespace roipool::python {

/// Throws unless `status` is ok, with its text: IndexError for kOutOfRange (a value inside a tensor), MemoryError for
/// kOutOfMemory, NotImplementedError for kUnsupported, RuntimeError for kInvalidState, kInternal and kDeviceError, ValueError
/// for the rest. Called under the GIL.
void RaiseUnlessOk(const Status& status);

}  // namespace roipool::python

#endif  // ROIPOOL_PYTHON_RAISE_H_
