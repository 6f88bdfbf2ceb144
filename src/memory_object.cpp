#include "memory_object.h"

#include "make_status.h"
#include "opencl_driver.h"

namespace roipool::internal {
namespace {

// OpenCL's numbers, as its specification gives them.
constexpr unsigned kMemSize = 0x1102, kMemAssociatedObject = 0x1107, kMemOffset = 0x1108;

}  // namespace

Status Describe(const char* function, const void* handle, MemoryObject* object) noexcept {
  *object = {};
  if (handle == nullptr) return {};
  const OpenClDriver* driver = nullptr;
  ROIPOOL_RETURN_IF_ERROR(OpenOpenClDriver(function, &driver));
  void* parent = nullptr;
  size_t size = 0, offset = 0;
  ROIPOOL_OPENCL_CALL(function, driver, clGetMemObjectInfo, (handle, kMemSize, sizeof(size), &size, nullptr));
  ROIPOOL_OPENCL_CALL(function, driver, clGetMemObjectInfo,
                      (handle, kMemAssociatedObject, sizeof(parent), static_cast<void*>(&parent), nullptr));
  if (parent != nullptr) {
    ROIPOOL_OPENCL_CALL(function, driver, clGetMemObjectInfo, (handle, kMemOffset, sizeof(offset), &offset, nullptr));
  }
  *object = {parent == nullptr ? handle : parent, offset, size};
  return {};
}

}  // namespace roipool::internal
