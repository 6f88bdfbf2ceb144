// A tensor that changes all the time.
#ifndef ROIPOOL_TESTS_SUPPORT_FLIPPER_H_
#define ROIPOOL_TESTS_SUPPORT_FLIPPER_H_

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "tensor.h"

namespace roipool::test {

/// Writes good and bad values into every `step`-th element of a tensor, as fast as it can, until it is destroyed.
class Flipper {
 public:
  Flipper(Tensor& tensor, std::vector<double> values, int64_t step)
      : thread_([this, &tensor, values = std::move(values), step] {
          for (size_t turn = 0; !done_; ++turn) {
            for (int64_t i = 0; i < tensor.count(); i += step) tensor.SetNumber(i, values[turn % values.size()]);
            began_ = true;
          }
        }) {
    while (!began_) std::this_thread::yield();
  }
  ~Flipper() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> began_ = false, done_ = false;
  std::thread thread_;
};

}  // namespace roipool::test

#endif  // ROIPOOL_TESTS_SUPPORT_FLIPPER_H_
