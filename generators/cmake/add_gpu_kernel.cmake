# The kernels of GPUs: which there are, their targets, and how they enter their list. One set for each API, from the same generators.
include_guard(GLOBAL)

option(ROIPOOL_GPU "Compile kernels for CUDA and OpenCL; drivers are looked for at run time" ON)

set(ROIPOOL_DEVICES cuda opencl)
# 61: native atomic additions of float64. The driver compiles this PTX for what it finds, from that on. No strict_float: it would hide an
# addition from the search for atomic ones; edges of bins, which round too, do so by integer operations.
set(ROIPOOL_FEATURES_cuda cuda cuda_capability_61)
set(ROIPOOL_FEATURES_opencl opencl cl_doubles cl_atomics64)
set(ROIPOOL_FEATURES_gpu user_context no_bounds_query large_buffers)
if(ROIPOOL_SANITIZE_ADDRESS)
  list(APPEND ROIPOOL_FEATURES_gpu asan)
endif()

# add_gpu_kernel_library(name GENERATOR generator DEVICE cuda [PARAMS name=value ...])
function(add_gpu_kernel_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GENERATOR;DEVICE" "PARAMS")
  list(JOIN ROIPOOL_FEATURES_${arg_DEVICE} - device_features)
  list(JOIN ROIPOOL_FEATURES_gpu - features)
  set(target ${Halide_CMAKE_TARGET}-${device_features}-${features})
  set(outputs "")
  if(arg_DEVICE STREQUAL "cuda")
    set(outputs DEVICE_CODE device_code)
  endif()
  add_halide_library(
    ${name}
    FROM roipool_generators
    GENERATOR ${arg_GENERATOR}
    PARAMS ${arg_PARAMS}
    TARGETS ${target}
    USE_RUNTIME roipool_halide_runtime
    ${outputs}
  )
  set_property(GLOBAL APPEND PROPERTY ROIPOOL_KERNELS ${name})
  set_property(GLOBAL APPEND PROPERTY ROIPOOL_DEVICE_CODE ${device_code})
  list(JOIN arg_PARAMS " " params)
  set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_KERNEL_COMMANDS "${name} ${arg_GENERATOR} ${target} ${params}\n")
endfunction()

# Sets in the caller the generator's parameters for a schedule of `op`: the type, and its knobs as this build has them.
function(roipool_gpu_params op schedule type params)
  set(list type=${ROIPOOL_HALIDE_TYPE_${type}})
  get_property(knobs GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOBS)
  foreach(knob IN LISTS knobs)
    get_property(declaration GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOB_${knob})
    list(GET declaration 0 value)
    list(APPEND list ${knob}=${value})
  endforeach()
  set(${params} ${list} PARENT_SCOPE)
endfunction()

# The forward's kernels by the schedules that follow, best first, for every type, and the steps before them.
function(add_gpu_pool_kernels)
  foreach(device IN LISTS ROIPOOL_DEVICES)
    foreach(schedule IN LISTS ARGN)
      foreach(type IN LISTS ROIPOOL_TYPES)
        set(name roi_pool_${type}_${schedule}_${device})
        roipool_gpu_params(roi_pool_gpu ${schedule} ${type} params)
        add_gpu_kernel_library(${name} GENERATOR roi_pool_gpu_${schedule} DEVICE ${device} PARAMS ${params})
        set_property(
          GLOBAL
          APPEND_STRING
          PROPERTY ROIPOOL_GPU_ROWS "ROIPOOL_GPU_POOL_KERNEL(${device}, ${type}, ${schedule}, ${name})\n"
        )
      endforeach()
    endforeach()
    add_gpu_kernel_library(gpu_images_of_boxes_${device} GENERATOR gpu_images DEVICE ${device} PARAMS checks_boxes=true)
    add_gpu_kernel_library(gpu_pool_edges_${device} GENERATOR gpu_pool_edges DEVICE ${device})
    set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_GPU_ROWS "ROIPOOL_GPU_POOL_STEPS(${device})\n")
  endforeach()
endfunction()

# The gradient's scatters by the schedules that follow, best first, for every type, and the steps around them.
function(add_gpu_grad_kernels)
  foreach(device IN LISTS ROIPOOL_DEVICES)
    foreach(schedule IN LISTS ARGN)
      get_property(accumulation GLOBAL PROPERTY ROIPOOL_roi_pool_grad_gpu_${schedule}_ACCUMULATION)
      get_property(max_pixels GLOBAL PROPERTY ROIPOOL_roi_pool_grad_gpu_${schedule}_MAX_PIXELS)
      get_property(writes_sums GLOBAL PROPERTY ROIPOOL_roi_pool_grad_gpu_${schedule}_WRITES_SUMS)
      foreach(type IN LISTS ROIPOOL_TYPES)
        set(name roi_pool_grad_${type}_${schedule}_${device})
        roipool_gpu_params(roi_pool_grad_gpu ${schedule} ${type} params)
        add_gpu_kernel_library(${name} GENERATOR roi_pool_grad_gpu_${schedule} DEVICE ${device} PARAMS ${params})
        set_property(
          GLOBAL
          APPEND_STRING
          PROPERTY
            ROIPOOL_GPU_ROWS
              "ROIPOOL_GPU_GRAD_KERNEL(${device}, ${type}, ${schedule}, ${accumulation}, ${name}, ${max_pixels}, ${writes_sums})\n"
        )
      endforeach()
    endforeach()
    add_gpu_kernel_library(gpu_images_${device} GENERATOR gpu_images DEVICE ${device})
    add_gpu_kernel_library(gpu_argmax_${device} GENERATOR gpu_argmax DEVICE ${device})
    add_gpu_kernel_library(gpu_zero_${device} GENERATOR gpu_zero DEVICE ${device})
    add_gpu_kernel_library(gpu_zero_if_not_finite_${device} GENERATOR gpu_zero DEVICE ${device} PARAMS if_not_finite=true)
    foreach(bits IN ITEMS 16 32 64)
      add_gpu_kernel_library(gpu_inspect_${bits}_${device} GENERATOR gpu_inspect DEVICE ${device} PARAMS bits=${bits})
    endforeach()
    add_gpu_kernel_library(gpu_verdict_${device} GENERATOR gpu_verdict DEVICE ${device})
    foreach(type IN LISTS ROIPOOL_TYPES)
      set(params type=${ROIPOOL_HALIDE_TYPE_${type}})
      add_gpu_kernel_library(gpu_finish_${type}_float_${device} GENERATOR gpu_finish DEVICE ${device} PARAMS ${params})
      add_gpu_kernel_library(
        gpu_finish_${type}_fixed_point_${device}
        GENERATOR gpu_finish
        DEVICE ${device}
        PARAMS ${params} fixed_point=true
      )
      set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_GPU_ROWS "ROIPOOL_GPU_FINISH(${device}, ${type})\n")
    endforeach()
    set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_GPU_ROWS "ROIPOOL_GPU_GRAD_STEPS(${device})\n")
  endforeach()
endfunction()

# generated/gpu_kernels.inc, empty in a build without GPUs. Who includes it defines the macros that it wants; all are undefined behind it.
function(add_gpu_kernel_list)
  get_property(rows GLOBAL PROPERTY ROIPOOL_GPU_ROWS)
  set(begin "")
  set(end "")
  foreach(
    macro
    IN
    ITEMS GRAD_KERNEL GRAD_STEPS FINISH POOL_KERNEL POOL_STEPS
  )
    string(APPEND begin "#ifndef ROIPOOL_GPU_${macro}\n#define ROIPOOL_GPU_${macro}(...)\n#endif\n")
    string(APPEND end "#undef ROIPOOL_GPU_${macro}\n")
  endforeach()
  file(
    CONFIGURE
    OUTPUT ${PROJECT_BINARY_DIR}/generated/gpu_kernels.inc
    CONTENT
      "// Made by add_gpu_kernel.cmake: the gradient's kernels: device, type, schedule, accumulation, symbol, most pixels (0: any), whether it\n// writes sums, else it adds to them; the forward's: device, type, schedule, symbol; steps.\n${begin}${rows}${end}"
    @ONLY
  )
endfunction()
