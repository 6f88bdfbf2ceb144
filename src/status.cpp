#include "roipool/status.h"

namespace roipool {

const char* StatusCodeName(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::kOk:
      return "Ok";
    case StatusCode::kNullArgument:
      return "NullArgument";
    case StatusCode::kInvalidArgument:
      return "InvalidArgument";
    case StatusCode::kUnsupported:
      return "Unsupported";
    case StatusCode::kOutOfRange:
      return "OutOfRange";
    case StatusCode::kSizeOverflow:
      return "SizeOverflow";
    case StatusCode::kOverlap:
      return "Overlap";
    case StatusCode::kInvalidState:
      return "InvalidState";
    case StatusCode::kInvalidWorkspace:
      return "InvalidWorkspace";
    case StatusCode::kOutOfMemory:
      return "OutOfMemory";
    case StatusCode::kDeviceError:
      return "DeviceError";
    case StatusCode::kInternal:
      return "Internal";
  }
  return "Unknown";
}

}  // namespace roipool
