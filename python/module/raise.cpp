#include "raise.h"

#include <nanobind/nanobind.h>

namespace roipool::python {
namespace {

PyObject* ExceptionFor(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::kOutOfRange:
      return PyExc_IndexError;
    case StatusCode::kOutOfMemory:
      return PyExc_MemoryError;
    case StatusCode::kUnsupported:
      return PyExc_NotImplementedError;
    case StatusCode::kInvalidState:
    case StatusCode::kInternal:
    case StatusCode::kDeviceError:
      return PyExc_RuntimeError;
    default:
      return PyExc_ValueError;
  }
}

}  // namespace

void RaiseUnlessOk(const Status& status) {
  if (status.ok()) return;
  PyErr_SetString(ExceptionFor(status.code()), status.message());
  throw nanobind::python_error();
}

}  // namespace roipool::python
