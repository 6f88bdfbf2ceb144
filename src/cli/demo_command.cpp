#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.h"
#include "demo.h"
#include "feature_map.h"
#include "output_file.h"
#include "roipool/kernels.h"
#include "run_options.h"
#include "user_error.h"

namespace roipool::cli {
namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  DemoRequest request;
  std::string pooled = "7,7";
  std::string output_dir = "roipool_demo";
  int show_box = 0;
  int show_channel = -1;
  RunOptions run;
};

constexpr const char* kFooter =
    "The feature map is made by plain filters, without a network: 3 colours, and edges in 8 directions at\n"
    "3 scales, one pixel of it for 4 x 4 of the photograph. Its boxes are pooled, the gradient of\n"
    "L = 1/2 sum(y^2) over the edge channels is sent back, and pictures show where it landed: boxes.png,\n"
    "features.png, gradient.png, bins.png.\n"
    "\n"
    "Example: your own photograph and boxes (a line x1,y1,x2,y2 in pixels for each)\n"
    "  roipool demo --image street.jpg --boxes cars.csv --output-dir street";

struct PictureFile {
  const char* name;
  const char* shows;
  Page (*draw)(const DemoData&);
};

constexpr PictureFile kPictures[] = {
    {"boxes.png", "the photograph with its boxes", DrawBoxes},
    {"features.png", "every channel of the feature map", DrawFeatures},
    {"gradient.png", "where in the photograph the gradient landed", DrawGradient},
    {"bins.png", "one box enlarged: its bins and the pixels they chose", DrawBins},
};

void CreateFolder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  if (!fs::is_directory(folder)) throw UserError(fmt::format("cannot write to '{}': it is not a folder", folder));
}

void WritePictures(const DemoData& data, const std::string& folder, Progress* progress) {
  for (const PictureFile& picture : kPictures) {
    progress->SetStep(fmt::format("drawing {}", picture.name));
    OutputFile file((fs::path(folder) / picture.name).string());
    picture.draw(data).Save(file);
    file.Commit();
  }
}

void PrintCall(const char* name, const CallReport& report) {
  fmt::print("{}\n  kernel         {}\n  time           {}\n", name, DescribeKernel(report), DescribeTimes(report));
}

void PrintTensors(const DemoData& data) {
  const auto print = [](const char* name, const Array& array, const std::string& note) {
    fmt::print("  {:<14} {:<22} {}\n", name, Describe(array), note);
  };
  fmt::print("tensors\n");
  print(
      "x", data.features,
      fmt::format("feature map: {} colours, edges in {} directions at {} scales", kColourChannels, kOrientations, kScaleCount));
  print("rois", BoxesToRois(data.boxes), "image index, x1, y1, x2, y2");
  print("y", data.y, "the largest value of each bin");
  print("argmax", data.argmax, "where it lies, h*W + w");
  print("grad_output", data.grad_output, "of L = 1/2 sum(y^2) over the edge channels: y there, 0 for colours");
  print("grad_input", data.grad_input, "the gradient that comes back to x");
}

void PrintChecks(const DemoChecks& checks) {
  fmt::print("checks\n");
  fmt::print("  {}  sum of grad_output over the bins that are not empty {:.6f}, sum of grad_input {:.6f}\n",
             checks.SumsAgree() ? "ok    " : "FAILED", checks.grad_output_sum, checks.grad_input_sum);
  fmt::print("  {}  {} with 1 thread gives the same bits\n", checks.same_bits ? "ok    " : "FAILED", checks.other_kernel);
}

void PrintResult(const DemoResult& result, const DemoOptions& options) {
  const DemoData& data = result.data;
  fmt::print("roipool {}, demo\n", Version());
  fmt::print("photograph       {}, {} x {} pixels\n", options.request.image, data.photograph.width, data.photograph.height);
  fmt::print("features         plain filters, no network; 1 map pixel for {} x {} of the photograph\n", kFeatureStride,
             kFeatureStride);
  fmt::print("boxes            {}, {}\n", data.boxes.size(), data.boxes_origin);
  PrintTensors(data);
  PrintCall("forward, torchvision geometry", result.pool);
  PrintCall("gradient", result.gradient);
  PrintChecks(result.checks);
  fmt::print("pictures\n");
  for (const PictureFile& picture : kPictures) {
    fmt::print("  {:<40} {}\n", (fs::path(options.output_dir) / picture.name).string(), picture.shows);
  }
}

void RunDemo(DemoOptions* options) {
  DemoRequest& request = options->request;
  if (request.image.empty())
    throw UserError("no photograph; give one with --image FILE (PNG or JPEG), or run scripts/demo, which has one");
  const std::vector<int64_t> pooled = ParseExtents("--pooled", options->pooled, 2, 1);
  request.pooled_h = pooled[0];
  request.pooled_w = pooled[1];
  request.shown_box = options->show_box - 1;
  request.shown_channel = options->show_channel;
  DemoResult result;
  {
    Progress progress("roipool demo");
    result = ComputeDemo(request, ToOptions(options->run), &progress);
    CreateFolder(options->output_dir);
    WritePictures(result.data, options->output_dir, &progress);
  }
  PrintResult(result, *options);
  if (!result.checks.SumsAgree() || !result.checks.same_bits) throw std::runtime_error("a check of the gradient failed");
}

void AddPictureOptions(CLI::App* command, DemoOptions* options) {
  command->add_option("--image", options->request.image, "The photograph, PNG or JPEG")->type_name("FILE");
  command
      ->add_option("--boxes", options->request.boxes,
                   "Boxes, one line x1,y1,x2,y2 in pixels for each; else the demo finds some")
      ->type_name("FILE.csv");
  command->add_option("--box-count", options->request.box_count, "How many boxes to find")
      ->check(CLI::Range(1, 1000))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--output-dir", options->output_dir, "Where to write the pictures")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--pooled", options->pooled, "How many bins a box has, down and across")
      ->type_name("PH,PW")
      ->capture_default_str();
  command->add_option("--show-box", options->show_box, "The box to enlarge, from 1; else a fitting one")
      ->check(CLI::Range(1, 1 << 30))
      ->type_name("NUMBER");
  command
      ->add_option("--show-channel", options->show_channel,
                   "The channel whose choices to show there, from 0; else the strongest")
      ->check(CLI::Range(0, kFeatureChannels - 1))
      ->type_name("NUMBER");
}

}  // namespace

void AddDemoCommand(CLI::App* app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app->add_subcommand("demo", "Pool boxes of a photograph, send a gradient back, draw pictures");
  AddPictureOptions(command, options.get());
  AddThreadsOption(command, &options->run);
  AddKernelOptions(command, &options->run);
  command->footer(kFooter);
  command->callback([options] { RunDemo(options.get()); });
}

}  // namespace roipool::cli
