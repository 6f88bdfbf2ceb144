#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "npy.h"
#include "pooling.h"
#include "progress.h"
#include "run_options.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

struct PoolRequest {
  std::string x;
  std::string rois;
  std::string pooled;
  float spatial_scale = 1;
  std::optional<float> spatial_scale_h;
  std::optional<float> spatial_scale_w;
  std::string geometry = "torchvision";
  std::string roi_layout = "x1y1x2y2";
  std::string y;
  std::string argmax;
  bool bf16 = false;
  RunOptions run;
};

constexpr const char* kFooter =
    "Types: x float32, float16, float64 or, with --bf16, bfloat16 as uint16; rois any of these. y gets the\n"
    "type of x, argmax is int32. A bin with no pixel that is a number gives 0 and -1. The first largest\n"
    "pixel wins; NaN never does.\n"
    "\n"
    "Example: a feature map at a sixteenth of the image's size, boxes in pixels of the image\n"
    "  roipool pool --x x.npy --rois r.npy --pooled 7,7 --spatial-scale 0.0625 -y y.npy --argmax a.npy";

void RunPool(const PoolRequest& request) {
  const std::vector<int64_t> pooled_size = ParseExtents("--pooled", request.pooled, 2, 1);
  if (std::filesystem::path(request.y).lexically_normal() == std::filesystem::path(request.argmax).lexically_normal()) {
    throw UserError(fmt::format("-y and --argmax both name '{}', must be two files", request.y));
  }
  const PoolParameters parameters{pooled_size[0], pooled_size[1], request.spatial_scale_h.value_or(request.spatial_scale),
                                  request.spatial_scale_w.value_or(request.spatial_scale)};
  Options options = ToOptions(request.run);
  options.geometry = request.geometry == "aclnn" ? Geometry::kAclnn : Geometry::kTorchvision;
  options.roi_layout = request.roi_layout == "x1x2y1y2" ? RoiLayout::kX1X2Y1Y2 : RoiLayout::kX1Y1X2Y2;
  const Uint16 uint16 = request.bf16 ? Uint16::kIsBFloat16 : Uint16::kRejected;
  OutputFile y_file(request.y);
  OutputFile argmax_file(request.argmax);
  Pooled pooled;
  {
    Progress progress("roipool pool");
    progress.SetStep("reading the inputs");
    const Array x = LoadNpy(request.x, uint16);
    const Array rois = LoadNpy(request.rois, uint16);
    progress.SetStep("pooling");
    pooled = Pool(x, rois, parameters, options);
    progress.SetStep("writing the results");
    SaveNpy(pooled.y, y_file);
    SaveNpy(pooled.argmax, argmax_file);
    y_file.Commit();
    argmax_file.Commit();
  }
  fmt::print("y {} -> {}\nargmax {} -> {}\n", Describe(pooled.y), request.y, Describe(pooled.argmax), request.argmax);
  fmt::print("{}\n{}\n", DescribeKernel(pooled.report), DescribeTimes(pooled.report));
}

void AddGeometryOptions(CLI::App* command, PoolRequest* request) {
  command->add_option("--spatial-scale", request->spatial_scale, "Multiplies the boxes' corners")
      ->type_name("SCALE")
      ->capture_default_str();
  command->add_option("--spatial-scale-h", request->spatial_scale_h, "Multiplies y1 and y2 instead")->type_name("SCALE");
  command->add_option("--spatial-scale-w", request->spatial_scale_w, "Multiplies x1 and x2 instead")->type_name("SCALE");
  command
      ->add_option(
          "--geometry", request->geometry,
          "How a box becomes bins: torchvision rounds its corners to pixels, as torchvision.ops.roi_pool does; aclnn does not")
      ->check(CLI::IsMember({"torchvision", "aclnn"}))
      ->type_name("")
      ->capture_default_str();
  command->add_option("--roi-layout", request->roi_layout, "The order of columns 1 to 4 of rois")
      ->check(CLI::IsMember({"x1y1x2y2", "x1x2y1y2"}))
      ->type_name("")
      ->capture_default_str();
}

}  // namespace

void AddPoolCommand(CLI::App* app) {
  auto request = std::make_shared<PoolRequest>();
  CLI::App* command = app->add_subcommand("pool", "RoI max pooling, from .npy to .npy");
  command->add_option("--x", request->x, "The feature maps, (N, C, H, W)")->required()->type_name("FILE.npy");
  command->add_option("--rois", request->rois, "(R, 5): image index, then a box")->required()->type_name("FILE.npy");
  command->add_option("--pooled", request->pooled, "How many bins a box has, down and across")->required()->type_name("PH,PW");
  command->add_option("-y,--y", request->y, "Where to write the largest values, (R, C, PH, PW)")
      ->required()
      ->type_name("FILE.npy");
  command->add_option("--argmax", request->argmax, "Where to write where they lie: h*W + w, or -1; (R, C, PH, PW) int32")
      ->required()
      ->type_name("FILE.npy");
  AddGeometryOptions(command, request.get());
  command->add_flag("--bf16", request->bf16, "Read uint16 as the bits of bfloat16, and write bfloat16 so");
  AddThreadsOption(command, &request->run);
  AddKernelOptions(command, &request->run);
  AddDeviceOption(command, kDeviceOfArrays, {"cpu", "opencl"}, &request->run);
  command->footer(kFooter);
  command->callback([request] { RunPool(*request); });
}

}  // namespace roipool::cli
