// A device without the memory that a call needs.
#include <sys/mman.h>

#include "element.h"
#include "kernel_rows.h"
#include "run.h"
#include "status_matchers.h"

namespace roipool::test {
namespace {

// Addresses without memory behind them: nobody may get as far as to look.
class Addresses {
 public:
  explicit Addresses(size_t size)
      : size_(size), begin_(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    EXPECT_NE(begin_, MAP_FAILED);
  }
  ~Addresses() { munmap(begin_, size_); }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;

  void* begin() const { return begin_; }

 private:
  size_t size_;
  void* begin_;
};

class OpenClMemory : public PerKernel {};

TEST_P(OpenClMemory, TooLittleIsAnError) {
  const DataType type = GetParam().type;
  constexpr int64_t kChannels = 170000, kHeight = 64, kWidth = 96;
  const Addresses large(static_cast<size_t>(kChannels * kHeight * kWidth * SizeOf(type)));
  Tensor grad_output(type, {1, kChannels, 1, 1}), argmax(DataType::kInt32, {1, kChannels, 1, 1}),
      rois(DataType::kFloat32, {1, 5});
  for (Tensor* tensor : {&grad_output, &argmax, &rois}) tensor->SetAll(0);
  RoiPoolGradArgs args;
  args.grad_output = grad_output.view();
  args.argmax = argmax.view();
  args.rois = rois.view();
  args.grad_input = ContiguousTensor(large.begin(), type, {1, kChannels, kHeight, kWidth});
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_FAILS(RunGrad(args, OptionsFor(GetParam())).status, StatusCode::kOutOfMemory,
                 "RoiPoolGrad: clCreateBuffer returned -");
  }
  ExpectGradOfCase(GradCase().Type(type), OptionsFor(GetParam()), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(All, OpenClMemory, testing::ValuesIn(GradRows()), RowName);

}  // namespace
}  // namespace roipool::test
