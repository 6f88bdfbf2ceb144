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

set(ROIPOOL_TYPES f32 f16 bf16 f64)
set(ROIPOOL_HALIDE_TYPE_f32 float32)
set(ROIPOOL_HALIDE_TYPE_f16 float16)
set(ROIPOOL_HALIDE_TYPE_bf16 bfloat16)
set(ROIPOOL_HALIDE_TYPE_f64 float64)

# Sets in the caller the Halide target of an ISA's kernels.
function(roipool_kernel_target isa target)
  list(JOIN ROIPOOL_FEATURES_${isa} - isa_features)
  list(JOIN ROIPOOL_FEATURES_common - common_features)
  string(REPLACE "--" "-" joined "${Halide_CMAKE_TARGET}-${isa_features}-${common_features}")
  set(${target} ${joined} PARENT_SCOPE)
endfunction()

# Compiles one generator setting to a static library. Not in the kernel list: add_roi_kernel() is.
function(add_roi_kernel_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GENERATOR;ISA" "PARAMS")
  # Not by FEATURES: with USE_RUNTIME, Halide 21 then asks the runtime for the bare target as well, which no asan target is
  # compatible with.
  roipool_kernel_target(${arg_ISA} target)
  add_halide_library(
    ${name}
    FROM roipool_generators
    GENERATOR ${arg_GENERATOR}
    PARAMS ${arg_PARAMS}
    TARGETS ${target}
    USE_RUNTIME roipool_halide_runtime
  )
  list(JOIN arg_PARAMS " " params)
  set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_KERNEL_COMMANDS "${name} ${arg_GENERATOR} ${target} ${params}\n")
  set_property(GLOBAL APPEND PROPERTY ROIPOOL_KERNELS ${name})
endfunction()

# add_roi_kernel(OP roi_pool_grad SCHEDULE cpu_channel_blocks TYPE f32 ISA avx2 [FIXED_POINT] [LABEL label PARAMS knob=value ...]) adds a
# kernel to the library, its registry and its tests. The label tells schedules of other knobs apart; it is the schedule's name if there is
# none.
function(add_roi_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 arg "FIXED_POINT" "OP;TYPE;SCHEDULE;ISA;LABEL" "PARAMS")
  set(label ${arg_SCHEDULE})
  if(arg_LABEL)
    set(label ${arg_LABEL})
  endif()
  set(name ${arg_OP}_${arg_TYPE}_${label}_${arg_ISA})
  set(accumulation float)
  set(params type=${ROIPOOL_HALIDE_TYPE_${arg_TYPE}})
  if(arg_FIXED_POINT)
    set(name ${arg_OP}_${arg_TYPE}_fixed_point_${label}_${arg_ISA})
    set(accumulation fixed_point)
    list(APPEND params fixed_point=true)
  endif()
  get_property(knobs GLOBAL PROPERTY ROIPOOL_${arg_OP}_${arg_SCHEDULE}_KNOBS)
  foreach(knob IN LISTS knobs) # Defaults may differ from the generator's own: ROIPOOL_SCHEDULE_KNOBS.
    get_property(declaration GLOBAL PROPERTY ROIPOOL_${arg_OP}_${arg_SCHEDULE}_KNOB_${knob})
    list(GET declaration 0 value)
    if(";${arg_PARAMS};" MATCHES ";${knob}=([0-9]+);")
      set(value ${CMAKE_MATCH_1})
    endif()
    list(APPEND params ${knob}=${value})
  endforeach()
  add_roi_kernel_library(${name} GENERATOR ${arg_OP}_${arg_SCHEDULE} ISA ${arg_ISA} PARAMS ${params})
  get_property(max_bins GLOBAL PROPERTY ROIPOOL_${arg_OP}_${arg_SCHEDULE}_MAX_BINS)
  get_property(reads_channel_vectors GLOBAL PROPERTY ROIPOOL_${arg_OP}_${arg_SCHEDULE}_READS_CHANNEL_VECTORS)
  set_property(
    GLOBAL
    APPEND_STRING
    PROPERTY
      ROIPOOL_KERNEL_ROWS
        "ROIPOOL_KERNEL(${arg_OP}, ${arg_TYPE}, ${label}, ${arg_ISA}, ${name}, ${arg_SCHEDULE}, ${max_bins}, ${accumulation}, ${reads_channel_vectors})\n"
  )
endfunction()

# Adds the schedules of an operator, best first, for every type and ISA, and behind each the variants that tuned rows ask for. The kernel
# list keeps the order.
function(add_roi_kernels op)
  foreach(schedule IN LISTS ARGN)
    get_property(variants GLOBAL PROPERTY ROIPOOL_${op}_VARIANTS)
    list(REMOVE_DUPLICATES variants)
    list(FILTER variants INCLUDE REGEX "^${schedule} ")
    foreach(isa IN LISTS ROIPOOL_ISAS)
      foreach(type IN LISTS ROIPOOL_TYPES)
        add_roi_kernel(OP ${op} SCHEDULE ${schedule} TYPE ${type} ISA ${isa})
        if(op STREQUAL "roi_pool_grad")
          add_roi_kernel(OP ${op} SCHEDULE ${schedule} TYPE ${type} ISA ${isa} FIXED_POINT)
        endif()
      endforeach()
    endforeach()
    foreach(variant IN LISTS variants)
      string(REPLACE " " ";" variant "${variant}")
      list(
        POP_FRONT variant
        schedule
        type
        isa
        label
        params
      )
      string(REPLACE "," ";" params "${params}")
      add_roi_kernel(OP ${op} SCHEDULE ${schedule} TYPE ${type} ISA ${isa} LABEL ${label} PARAMS ${params})
    endforeach()
    get_property(knobs GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOBS)
    set(lines "ROIPOOL_SCHEDULE(${op}, ${schedule})\n")
    foreach(knob IN LISTS knobs)
      get_property(declaration GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOB_${knob})
      list(POP_FRONT declaration initial smallest largest meaning)
      string(APPEND lines "ROIPOOL_KNOB(${op}, ${schedule}, ${knob}, ${initial}, ${smallest}, ${largest}, \"${meaning}\")\n")
    endforeach()
    set_property(GLOBAL APPEND_STRING PROPERTY ROIPOOL_KNOB_ROWS "${lines}")
  endforeach()
endfunction()

# The steps before the forward's search, for every ISA.
function(add_pool_steps)
  foreach(isa IN LISTS ROIPOOL_ISAS)
    add_roi_kernel_library(roi_pool_edges_${isa} GENERATOR roi_pool_edges ISA ${isa})
    foreach(bits IN ITEMS 16 32 64)
      add_roi_kernel_library(channel_vectors_${bits}_${isa} GENERATOR channel_vectors ISA ${isa} PARAMS bits=${bits})
    endforeach()
  endforeach()
endfunction()

# Target roipool_kernels: every kernel, Halide's runtime, and the lists of generated/.
function(add_roi_kernel_list)
  get_property(rows GLOBAL PROPERTY ROIPOOL_KERNEL_ROWS)
  get_property(knobs GLOBAL PROPERTY ROIPOOL_KNOB_ROWS)
  get_property(tuned GLOBAL PROPERTY ROIPOOL_TUNED_ROW_LINES)
  get_property(kernels GLOBAL PROPERTY ROIPOOL_KERNELS)
  set(targets "")
  foreach(isa IN LISTS ROIPOOL_ISAS)
    roipool_kernel_target(${isa} target)
    string(APPEND targets "ROIPOOL_TARGET(${isa}, \"${target}\")\n")
  endforeach()
  set(note "// Made by add_roi_kernel.cmake:")
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(
    CONFIGURE
    OUTPUT ${generated}/kernels.inc
    CONTENT
      "${note} op, type, schedule, isa, symbol, schedule without knobs, most bins (0: any), accumulation, whether channel vectors are read.\n${rows}"
    @ONLY
  )
  file(
    CONFIGURE
    OUTPUT ${generated}/knobs.inc
    CONTENT "${note} op, schedule[, knob, default, smallest, largest, meaning].\n${knobs}"
    @ONLY
  )
  file(CONFIGURE OUTPUT ${generated}/targets.inc CONTENT "${note} isa, Halide's target.\n${targets}" @ONLY)
  file(
    CONFIGURE
    OUTPUT ${generated}/tuned_rows.inc
    CONTENT
      "${note} isa, op, type, shape class, schedule, channel_block, group_channels, prefetch_distance (-1: not given), where.\n${tuned}"
    @ONLY
  )
  get_property(commands GLOBAL PROPERTY ROIPOOL_KERNEL_COMMANDS)
  file(CONFIGURE OUTPUT ${generated}/kernel_commands.txt CONTENT "${commands}" @ONLY) # For scripts/inspect.
  add_library(roipool_kernels INTERFACE)
  target_include_directories(roipool_kernels INTERFACE ${generated})
  target_link_libraries(roipool_kernels INTERFACE ${kernels} roipool_halide_runtime)
  add_gpu_kernel_list()
endfunction()
