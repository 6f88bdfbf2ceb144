#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.h"
#include "npy.h"
#include "pooling.h"
#include "progress.h"
#include "run_options.h"

namespace roipool::cli {
namespace {

struct GradRequest {
  std::string grad_output;
  std::string argmax;
  std::string rois;
  std::string input_shape;
  std::string output;
  bool bf16 = false;
  RunOptions run;
};

constexpr const char* kFooter =
    "Types: grad_output float32, float16, float64 or, with --bf16, bfloat16 as uint16; argmax int32, int64\n"
    "or the type of grad_output; rois any of these float types. grad_input gets the type of grad_output\n"
    "and is overwritten, never added to.\n"
    "\n"
    "Example: the gradient of 7 x 7 bins for two images of 256 channels, 50 x 68 pixels each\n"
    "  roipool grad --grad-output g.npy --argmax a.npy --rois r.npy --input-shape 2,256,50,68 -o gi.npy";

void RunGrad(const GradRequest& request) {
  const std::vector<int64_t> input_shape = ParseExtents("--input-shape", request.input_shape, 4, 0);
  const Uint16 uint16 = request.bf16 ? Uint16::kIsBFloat16 : Uint16::kRejected;
  OutputFile output(request.output);
  Gradient gradient;
  {
    Progress progress("roipool grad");
    progress.SetStep("reading the inputs");
    const Array grad_output = LoadNpy(request.grad_output, uint16);
    const Array argmax = LoadNpy(request.argmax, uint16);
    const Array rois = LoadNpy(request.rois, uint16);
    progress.SetStep("computing the gradient");
    gradient = PoolGradient(grad_output, argmax, rois, input_shape, ToOptions(request.run));
    progress.SetStep("writing " + request.output);
    SaveNpy(gradient.grad_input, output);
    output.Commit();
  }
  fmt::print("grad_input {} -> {}\n", Describe(gradient.grad_input), request.output);
  fmt::print("{}\n{}\n", DescribeKernel(gradient.report), DescribeTimes(gradient.report));
}

}  // namespace

void AddGradCommand(CLI::App* app) {
  auto request = std::make_shared<GradRequest>();
  CLI::App* command = app->add_subcommand("grad", "The gradient of RoI max pooling, from .npy to .npy");
  command->add_option("--grad-output", request->grad_output, "The gradient of the pooled values, (R, C, PH, PW)")
      ->required()
      ->type_name("FILE.npy");
  command
      ->add_option("--argmax", request->argmax,
                   "For each bin the pixel that it chose, h*W + w, or -1 if it is empty; (R, C, PH, PW)")
      ->required()
      ->type_name("FILE.npy");
  command->add_option("--rois", request->rois, "(R, 5); column 0 is the image index, the others are not read")
      ->required()
      ->type_name("FILE.npy");
  command->add_option("--input-shape", request->input_shape, "The shape of the input that was pooled")
      ->required()
      ->type_name("N,C,H,W");
  command->add_option("-o,--output", request->output, "Where to write grad_input, (N, C, H, W)")
      ->required()
      ->type_name("FILE.npy");
  command->add_flag("--bf16", request->bf16, "Read uint16 as the bits of bfloat16, and write bfloat16 so");
  AddThreadsOption(command, &request->run);
  AddKernelOptions(command, &request->run);
  AddDeviceOption(command, kDeviceOfArrays, {"cpu", "opencl"}, &request->run);
  AddAccumulationOption(command, &request->run);
  command->footer(kFooter);
  command->callback([request] { RunGrad(*request); });
}

}  // namespace roipool::cli
