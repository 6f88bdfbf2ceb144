// The arrays in tests/cases/data: results of another implementation, which must be met exactly by every kernel.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "compare.h"
#include "element.h"
#include "kernel_rows.h"
#include "npy_file.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// Their sums are exact in any order.
bool HasWholeNumbers(const Tensor& tensor) {
  const std::vector<double> numbers = tensor.Numbers();
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return number == std::floor(number); });
}

class SavedCases : public testing::TestWithParam<std::string> {
 protected:
  static Tensor Load(const std::string& array) { return LoadNpy(FolderOf(GetParam()) + "/" + array + ".npy"); }
  static std::string FolderOf(const std::string& name) { return std::string(ROIPOOL_SAVED_CASES) + "/" + name; }
  static float SpatialScale() {
    std::ifstream file(FolderOf(GetParam()) + "/spatial_scale.txt");
    float scale = 0;
    EXPECT_TRUE(file >> scale);
    return scale;
  }
  // The kernels of both operators for these arrays, one after the other.
  static std::vector<KernelRow> Rows(Operator op) {
    std::vector<KernelRow> rows = RowsOf(op);
    std::erase_if(rows, [](const KernelRow& row) { return row.type != DataType::kFloat32; });
    std::erase_if(rows, [](const KernelRow& row) { return !WhyNotHere(row).empty(); });
    return rows;
  }
};

TEST_P(SavedCases, Forward) {
  const Tensor x = Load("x"), rois = Load("rois"), y = Load("y"), argmax = Load("argmax");
  for (const KernelRow& row : Rows(Operator::kRoiPool)) {
    SCOPED_TRACE(row.name);
    Tensor got_y(DataType::kFloat32, y.shape()), got_argmax(DataType::kInt32, y.shape());
    RoiPoolArgs args;
    args.x = x.view();
    args.rois = rois.view();
    args.spatial_scale_h = args.spatial_scale_w = SpatialScale();
    args.y = got_y.mutable_view();
    args.argmax = got_argmax.mutable_view();
    Options options = OptionsFor(row);
    options.geometry = Geometry::kTorchvision;
    ASSERT_OK(RunPool(args, options).status);
    EXPECT_TRUE(SameBits(y, got_y));
    EXPECT_TRUE(SameBits(argmax, got_argmax));
  }
}

TEST_P(SavedCases, Gradient) {
  const Tensor grad_output = Load("grad_output"), argmax = Load("argmax"), rois = Load("rois"), expected = Load("grad_input");
  for (const KernelRow& row : Rows(Operator::kRoiPoolGrad)) {
    SCOPED_TRACE(row.name);
    Tensor grad_input(DataType::kFloat32, expected.shape());
    RoiPoolGradArgs args;
    args.grad_output = grad_output.view();
    args.argmax = argmax.view();
    args.rois = rois.view();
    args.grad_input = grad_input.mutable_view();
    ASSERT_OK(RunGrad(args, OptionsFor(row)).status);
    if (AddsInAnyOrder(row) && !HasWholeNumbers(grad_output)) continue;
    EXPECT_TRUE(SameBits(expected, grad_input));
  }
}

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(ROIPOOL_SAVED_CASES)) names.push_back(folder.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string CaseName(const testing::TestParamInfo<std::string>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(All, SavedCases, testing::ValuesIn(CaseNames()), CaseName);

}  // namespace
}  // namespace roipool::test
