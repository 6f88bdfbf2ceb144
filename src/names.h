// What messages call a function and its arguments, which differ between the native API and the C API.
#ifndef ROIPOOL_SRC_NAMES_H_
#define ROIPOOL_SRC_NAMES_H_

namespace roipool::internal {

/// The arguments that both APIs name alike (rois, argmax, x, y, workspace, executor) are not listed.
struct Names {
  constexpr Names(const char* function_name, const char* grad_output_name = "grad_output",
                  const char* grad_input_name = "grad_input", const char* workspace_size_name = "workspace_size") noexcept
      : function(function_name),
        grad_output(grad_output_name),
        grad_input(grad_input_name),
        workspace_size(workspace_size_name) {}

  const char* function;
  const char* grad_output;
  const char* grad_input;
  const char* workspace_size;
};

}  // namespace roipool::internal

#endif  // ROIPOOL_SRC_NAMES_H_
