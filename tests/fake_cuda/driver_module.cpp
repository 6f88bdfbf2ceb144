#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "api.h"
#include "driver_state.h"
#include "parser.h"
#include "report.h"
#include "streams.h"

using namespace roipool::fake_cuda;

namespace {

constexpr int kOptionErrorLog = 5;
constexpr int kOptionErrorLogSize = 6;

void ReleaseVariables(const Module& module) {
  for (const auto& [name, region] : module.globals) GlobalMemory().Release(region);
}

Status Check(const Module& module, std::string* log) {
  const Settings& settings = CurrentSettings();
  if (module.target > settings.cc_major * 10 + settings.cc_minor) {
    *log = Format("the module is for sm_%d, the device has compute capability %d.%d (FAKE_CUDA_CC)", module.target,
                  settings.cc_major, settings.cc_minor);
    return kNoBinaryForGpu;
  }
  bool unsupported = false;
  for (const auto& [name, function] : module.funcs) {
    for (const Instruction& in : function->code) {
      if (in.op != kOpBad) continue;
      unsupported = true;
      *log = Format("PTX line %d: unsupported ", in.line) + in.why + " in " + name;
      if (settings.verbose || settings.strict) Say(*log);
    }
  }
  if (unsupported && settings.strict) {
    *log = "unsupported instructions (FAKE_CUDA_STRICT): " + *log;
    return kNotSupported;
  }
  return kSuccess;
}

Status Parse(const std::string& source, Module* module, std::string* log) {
  module->lines = Split(source, '\n');
  try {
    Parser(*module, source).Run();
  } catch (const ParseError& error) {
    *log = Format("PTX line %d: ", error.line) + error.what + ": '" + module->Text(error.line) + "'";
    return kInvalidPtx;
  }
  return Check(*module, log);
}

Status Load(void** handle, const void* image, std::string* log) {
  if (handle == nullptr || image == nullptr) return kInvalidValue;
  const char* const source = static_cast<const char*>(image);
  if (std::memcmp(source, "\177ELF", 4) == 0 || std::memcmp(source, "\x50\xed\x55\xba", 4) == 0) {
    Complain("cuModuleLoadData: the image is a binary; only PTX text can be run");
    return kNoBinaryForGpu;
  }
  auto module = std::make_unique<Module>();
  const Status status = Parse(source, module.get(), log);
  if (status != kSuccess) {
    Complain("cuModuleLoadData: " + *log);
    ReleaseVariables(*module);
    return status;
  }
  if (CurrentSettings().verbose) Say(Format("module for sm_%d with %zu functions", module->target, module->funcs.size()));
  for (const auto& [name, function] : module->funcs)
    if (function->entry) State().kernels.insert(function.get());
  *handle = module.get();
  State().modules[*handle] = std::move(module);
  return kSuccess;
}

// Null: no such module.
const Module* Find(void* handle) {
  const auto found = State().modules.find(handle);
  if (found != State().modules.end()) return found->second.get();
  Complain("the module was not loaded, or is unloaded already");
  return nullptr;
}

}  // namespace

CUDA_API(cuModuleLoadDataEx, (void** module, const void* image, unsigned count, int* options, void** values)) {
  ENTER(kWorkingContext);
  std::string log;
  const Status status = Load(module, image, &log);
  char* buffer = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == kOptionErrorLog) buffer = static_cast<char*>(values[i]);
    if (options[i] == kOptionErrorLogSize) size = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (buffer != nullptr && size > 0) std::snprintf(buffer, size, "%s", status == kSuccess ? "" : log.c_str());
  return status;
}

CUDA_API(cuModuleLoadData, (void** module, const void* image)) {
  ENTER(kWorkingContext);
  std::string log;
  return Load(module, image, &log);
}

CUDA_API(cuModuleUnload, (void* handle)) {
  ENTER(kWorkingContext);
  const Module* module = Find(handle);
  if (module == nullptr) return kInvalidHandle;
  const Status status = AllStreams().WaitForAll();
  if (status != kSuccess) return status;
  ReleaseVariables(*module);
  for (const auto& [name, function] : module->funcs) State().kernels.erase(function.get());
  State().modules.erase(handle);
  return kSuccess;
}

CUDA_API(cuModuleGetFunction, (void** function, void* handle, const char* name)) {
  ENTER(kWorkingContext, "%s", name != nullptr ? name : "");
  if (name == nullptr) return kInvalidValue;
  const Module* module = Find(handle);
  if (module == nullptr) return kInvalidHandle;
  const auto found = module->funcs.find(name);
  if (found == module->funcs.end() || !found->second->entry) return kNotFound;
  *function = found->second.get();
  return kSuccess;
}

CUDA_API(cuModuleGetGlobal_v2, (uint64_t* address, size_t* bytes, void* handle, const char* name)) {
  ENTER(kWorkingContext, "%s", name != nullptr ? name : "");
  if (name == nullptr) return kInvalidValue;
  const Module* module = Find(handle);
  if (module == nullptr) return kInvalidHandle;
  const auto found = module->globals.find(name);
  if (found == module->globals.end()) return kNotFound;
  if (address != nullptr) *address = found->second->base;
  if (bytes != nullptr) *bytes = found->second->size;
  return kSuccess;
}

CUDA_API(cuFuncSetAttribute, (void*, int, int)) {
  ENTER(kWorkingContext);
  return kSuccess;
}

CUDA_API(cuFuncSetCacheConfig, (void*, int)) {
  ENTER(kWorkingContext);
  return kSuccess;
}
