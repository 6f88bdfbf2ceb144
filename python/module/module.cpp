// The Python module roipool._core: the native API, no more. What people call is Python, in ../roipool.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <roipool/kernels.h>
#include <roipool/options.h>

#include "call.h"
#include "huge_pages.h"
#include "tensor.h"
#include "workspace.h"

namespace {

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace): "name"_a
using roipool::python::Call;
using roipool::python::CallOptions;
using roipool::python::Tensor;
using roipool::python::Workspace;

void BindTensor(nb::module_& module) {
  nb::class_<Tensor>(module, "Tensor", "Where a tensor lies and what it looks like; nothing is copied.")
      .def_static("of_array", &Tensor::OfArray, "array"_a, "name"_a, "is_written"_a = false,
                  "An array in host memory that speaks DLPack or the buffer protocol; it stays alive as long as this object.\n"
                  "`name` is what messages call it.")
      .def_static("at", &Tensor::At, "address"_a, "type"_a, "shape"_a, "strides"_a, "name"_a,
                  "Memory at an address, host's or a device's, which the caller keeps alive. Strides are in elements.\n"
                  "`name` is what messages call it.")
      .def_prop_ro("type", &Tensor::type, "The name of its elements' type, e.g. 'float32'.")
      .def_prop_ro("shape", &Tensor::shape, nb::sig("def shape(self) -> tuple[int, ...]"), "Extents.");
}

void BindWorkspace(nb::module_& module) {
  nb::class_<Workspace>(
      module, "Workspace",
      "Scratch memory in the host that grows to what its largest call needed and is kept for the next one.\n\n"
      "Several threads may share one; their calls then take turns. A call without a workspace takes memory of\n"
      "its own from the system and gives it back.")
      .def(nb::init<>())
      .def_prop_ro("size", &Workspace::size, nb::call_guard<nb::gil_scoped_release>(), "Bytes held now.")
      .def("release", &Workspace::Release, nb::call_guard<nb::gil_scoped_release>(),
           "Gives the memory back; the next call takes it anew.");
}

void BindOptions(nb::module_& module) {
  nb::class_<CallOptions>(
      module, "Options",
      "How an operator runs; each name and number as in the C++ header options.h, whose defaults these are.\n\n"
      "ValueError: a name that is none of its kind's.")
      .def(nb::init<int32_t, std::string, const std::string&, const std::string&, const std::string&, const std::string&,
                    const std::string&, uintptr_t>(),
           nb::kw_only(), "threads"_a = 0, "schedule"_a = "", "max_isa"_a = "avx512", "accumulation"_a = "float",
           "geometry"_a = "torchvision", "roi_layout"_a = "x1y1x2y2", "device"_a = "cpu", "stream"_a = 0);
}

void BindCall(nb::module_& module) {
  nb::class_<Call>(module, "Call", "A checked call with its kernel chosen, to be run once.")
      .def_static("roi_pool", &Call::RoiPool, "x"_a, "rois"_a, "y"_a, "argmax"_a, "spatial_scale_h"_a, "spatial_scale_w"_a,
                  "options"_a, "Phase 1 of the forward.")
      .def_static("roi_pool_grad", &Call::RoiPoolGrad, "grad_output"_a, "argmax"_a, "rois"_a, "grad_input"_a, "options"_a,
                  "Phase 1 of the gradient.")
      .def("run", &Call::Run, "workspace"_a.none() = nb::none(), "Phase 2. Other Python threads go on meanwhile.")
      .def("run_at", &Call::RunAt, "address"_a, "size"_a,
           "Phase 2 in a workspace at an address, which is a device's for a call on CUDA.")
      .def("synchronize", &Call::Synchronize, "Waits for work on a device and raises what was found wrong there.")
      .def_prop_ro("workspace_size", &Call::workspace_size, "Bytes that phase 2 needs.")
      .def_prop_ro("kernel", &Call::kernel, "The kernel that phase 2 calls.")
      .def_prop_ro("threads", &Call::threads, "How many threads phase 2 may use.");
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native API of roipool. Its names may change; those of the package roipool do not.";
  module.attr("VERSION") = roipool::Version();
  module.attr("MAX_THREADS") = roipool::kMaxThreads;
  module.def("advise_huge_pages", &roipool::python::AdviseHugePages, "address"_a, "size"_a,
             "Asks for huge pages in memory that is still to be written; without effect below 4 MiB.");
  BindTensor(module);
  BindWorkspace(module);
  BindOptions(module);
  BindCall(module);
}
