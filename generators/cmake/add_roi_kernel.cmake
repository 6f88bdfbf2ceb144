# The only place that knows how a kernel is named, which target it is compiled for and how it enters the kernel list.
include_guard(GLOBAL)

set(ROIPOOL_ISAS avx512 avx2 baseline) # best first
# Written in full: Halide fills in what a feature implies for code generation.
set(ROIPOOL_FEATURES_baseline "")
set(
  ROIPOOL_FEATURES_avx2
  sse41
  avx
  avx2
  fma
  f16c
)
set(ROIPOOL_FEATURES_avx512 ${ROIPOOL_FEATURES_avx2} avx512 avx512_skylake)
# user_context: errors and threads belong to one call. strict_float: NaN, Inf and rounding follow IEEE 754 on every ISA.
# no_bounds_query: a null pointer is an error rather than a question. large_buffers: the planes of a block of channels may exceed 2 GiB;
# it costs no time (f32 on two AMD EPYC cores, shapes A, B, C, E, one thread: 1.130, 1.369, 1.162, 2.393 ns per bin with it, 1.154, 1.464,
# 1.281, 2.454 without).
set(ROIPOOL_FEATURES_common user_context strict_float no_bounds_query large_buffers)
if(ROIPOOL_SANITIZE_ADDRESS)
  list(APPEND ROIPOOL_FEATURES_common asan)
endif()

set(ROIPOOL_HALIDE_TYPE_f32 float32)
set(ROIPOOL_HALIDE_TYPE_f16 float16)
set(ROIPOOL_HALIDE_TYPE_bf16 bfloat16)
set(ROIPOOL_HALIDE_TYPE_f64 float64)

# Compiles one generator setting to a static library. Not in the kernel list: add_roi_kernel() is.
function(add_roi_kernel_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OP;TYPE;SCHEDULE;ISA" "PARAMS")
  # Not by FEATURES: with USE_RUNTIME, Halide 21 then asks the runtime for the bare target as well, which no asan target is
  # compatible with.
  list(JOIN ROIPOOL_FEATURES_${arg_ISA} - isa_features)
  list(JOIN ROIPOOL_FEATURES_common - common_features)
  string(REPLACE "--" "-" target "${Halide_CMAKE_TARGET}-${isa_features}-${common_features}")
  add_halide_library(
    ${name}
    FROM roipool_generators
    GENERATOR ${arg_OP}
    PARAMS type=${ROIPOOL_HALIDE_TYPE_${arg_TYPE}} schedule=${arg_SCHEDULE} ${arg_PARAMS}
    TARGETS ${target}
    USE_RUNTIME roipool_halide_runtime
  )
endfunction()

# add_roi_kernel(OP roi_pool_grad SCHEDULE cpu_channel_blocks TYPE f32 ISA avx2 [PARAMS knob=value ...]) adds a kernel to the
# library, its registry and its tests.
function(add_roi_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OP;TYPE;SCHEDULE;ISA" "PARAMS")
  set(name ${arg_OP}_${arg_TYPE}_${arg_SCHEDULE}_${arg_ISA})
  add_roi_kernel_library(
    ${name} OP ${arg_OP} TYPE ${arg_TYPE} SCHEDULE ${arg_SCHEDULE} ISA ${arg_ISA} PARAMS ${arg_PARAMS}
  )
  set_property(GLOBAL APPEND PROPERTY ROIPOOL_KERNELS ${name})
  set_property(
    GLOBAL
    APPEND_STRING
    PROPERTY ROIPOOL_KERNEL_ROWS "ROIPOOL_KERNEL(${arg_OP}, ${arg_TYPE}, ${arg_SCHEDULE}, ${arg_ISA}, ${name})\n"
  )
endfunction()

# Adds a schedule for every type and ISA. Call it for the best schedule first: the kernel list keeps the order.
function(add_roi_kernels op schedule)
  foreach(isa IN LISTS ROIPOOL_ISAS)
    foreach(type IN ITEMS f32 f16 bf16 f64)
      add_roi_kernel(OP ${op} SCHEDULE ${schedule} TYPE ${type} ISA ${isa})
    endforeach()
  endforeach()
endfunction()

# Target roipool_kernels: every kernel, Halide's runtime, and the list generated/kernels.inc.
function(add_roi_kernel_list)
  get_property(rows GLOBAL PROPERTY ROIPOOL_KERNEL_ROWS)
  get_property(kernels GLOBAL PROPERTY ROIPOOL_KERNELS)
  file(
    CONFIGURE
    OUTPUT ${PROJECT_BINARY_DIR}/generated/kernels.inc
    CONTENT "// Made by add_roi_kernel.cmake: op, type, schedule, isa, symbol.\n${rows}"
    @ONLY
  )
  add_library(roipool_kernels INTERFACE)
  target_include_directories(roipool_kernels INTERFACE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(roipool_kernels INTERFACE ${kernels} roipool_halide_runtime)
endfunction()
