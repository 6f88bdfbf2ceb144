# Which schedules there are, which of them this build compiles, and their knobs.
include_guard(GLOBAL)

set(ROIPOOL_GENERATOR_CLASS_roi_pool_grad RoiPoolGrad)
set(ROIPOOL_GENERATOR_CLASS_roi_pool RoiPool)

set(ROIPOOL_SCHEDULE_CPU
    ""
    CACHE STRING
    "Schedules to compile, best first; an operator none of them belongs to keeps its own"
)
set(ROIPOOL_SCHEDULE_FILE "" CACHE STRING "Schedule files outside the tree, e.g. my.schedule.h; see schedules/README.md")
set(ROIPOOL_SCHEDULE_KNOBS "" CACHE STRING "Other defaults for knobs, e.g. bins_per_step=4")

set(ROIPOOL_KNOB_PATTERN "KNOB\\(([a-z0-9_]+), *([0-9]+), *([0-9]+), *([0-9]+), *\"([^\"]*)\"\\)")

# Sets in the caller ${prefix}_KNOBS, the knobs that the text of a file declares, and for each ${prefix}_KNOB_<name>, a list of default,
# smallest, largest, meaning.
function(roipool_read_knobs content prefix)
  set(names "")
  string(REPLACE ";" "," content "${content}") # A list to CMake otherwise.
  string(REGEX MATCHALL "${ROIPOOL_KNOB_PATTERN}" declarations "${content}")
  foreach(declaration IN LISTS declarations)
    string(REGEX MATCH "${ROIPOOL_KNOB_PATTERN}" declaration "${declaration}")
    list(APPEND names ${CMAKE_MATCH_1})
    set(${prefix}_KNOB_${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4} "${CMAKE_MATCH_5}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_KNOBS ${names} PARENT_SCOPE)
endfunction()

# roipool_add_schedule(op name file) makes a schedule known and compiles its generator, <op>_<name>. Global properties afterwards:
# ROIPOOL_<op>_SCHEDULES, ROIPOOL_<op>_<name>_KNOBS, ROIPOOL_<op>_<name>_KNOB_<knob>, ROIPOOL_<op>_<name>_MAX_BINS (0: any number).
function(roipool_add_schedule op name file)
  get_property(known GLOBAL PROPERTY ROIPOOL_${op}_SCHEDULES)
  if(name IN_LIST known)
    message(FATAL_ERROR "${file}: ${op} has a schedule ${name} already; give the file and its namespace another name")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} content)
  set(namespace "namespace roipool::schedules::${name} {")
  string(FIND "${content}" "${namespace}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${file}: '${namespace}' is missing; a schedule's namespace bears the name of its file")
  endif()
  roipool_read_knobs("${content}" file)
  set_property(GLOBAL APPEND PROPERTY ROIPOOL_${op}_SCHEDULES ${name})
  set_property(GLOBAL PROPERTY ROIPOOL_${op}_${name}_KNOBS ${file_KNOBS})
  foreach(knob IN LISTS file_KNOBS)
    set_property(GLOBAL PROPERTY ROIPOOL_${op}_${name}_KNOB_${knob} "${file_KNOB_${knob}}")
  endforeach()
  set(max_bins 0)
  if(content MATCHES "constexpr int kMaxBins = ([0-9]+)")
    set(max_bins ${CMAKE_MATCH_1})
  endif()
  set_property(GLOBAL PROPERTY ROIPOOL_${op}_${name}_MAX_BINS ${max_bins})

  set(source ${CMAKE_CURRENT_BINARY_DIR}/${op}_${name}.cpp)
  file(
    CONFIGURE
    OUTPUT ${source}
    CONTENT
      "// Made by add_roi_schedule.cmake.
#define ROIPOOL_SCHEDULE ${name}
#include \"${file}\"
#include \"${op}_generator.h\"
HALIDE_REGISTER_GENERATOR(roipool::generators::${name}::${ROIPOOL_GENERATOR_CLASS_${op}}, ${op}_${name})
"
    @ONLY
  )
  target_sources(roipool_generators PRIVATE ${source})
endfunction()

# Makes the schedules of ROIPOOL_SCHEDULE_FILE known. A file serves the operators whose stages it takes.
function(roipool_add_schedule_files)
  set_property(GLOBAL PROPERTY ROIPOOL_FILE_SCHEDULES "")
  foreach(file IN LISTS ROIPOOL_SCHEDULE_FILE)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET file FILENAME file_name)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "ROIPOOL_SCHEDULE_FILE: ${file} does not exist")
    elseif(NOT file_name MATCHES "^([a-z][a-z0-9_]*)\\.schedule\\.h$")
      message(FATAL_ERROR "ROIPOOL_SCHEDULE_FILE: ${file_name} must be NAME.schedule.h, NAME of a-z, 0-9 and _")
    endif()
    set(name ${CMAKE_MATCH_1})
    file(READ ${file} content)
    set(ops "")
    if(content MATCHES "apply_schedule\\([^)]*GradStages")
      list(APPEND ops roi_pool_grad)
    endif()
    if(content MATCHES "apply_schedule\\([^)]*PoolStages")
      list(APPEND ops roi_pool)
    endif()
    if(NOT ops)
      message(FATAL_ERROR "${file}: no function apply_schedule() that takes GradStages or PoolStages; see schedules/README.md")
    endif()
    foreach(op IN LISTS ops)
      roipool_add_schedule(${op} ${name} ${file})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY ROIPOOL_FILE_SCHEDULES ${name})
  endforeach()
endfunction()

# Every name of ROIPOOL_SCHEDULE_CPU and every knob of ROIPOOL_SCHEDULE_KNOBS must be known; the latter become the defaults.
function(roipool_check_schedule_options)
  set(all_schedules "")
  set(all_knobs "")
  foreach(op IN ITEMS roi_pool_grad roi_pool)
    get_property(schedules GLOBAL PROPERTY ROIPOOL_${op}_SCHEDULES)
    list(APPEND all_schedules ${schedules})
    foreach(schedule IN LISTS schedules)
      get_property(knobs GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOBS)
      foreach(knob IN LISTS knobs)
        list(APPEND all_knobs ${knob})
        get_property(declaration GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOB_${knob})
        foreach(setting IN LISTS ROIPOOL_SCHEDULE_KNOBS)
          if(setting MATCHES "^${knob}=(.*)$")
            set(value "${CMAKE_MATCH_1}")
            roipool_check_knob_value("ROIPOOL_SCHEDULE_KNOBS" ${knob} "${value}" "${declaration}")
            list(REMOVE_AT declaration 0)
            list(PREPEND declaration ${value})
            set_property(GLOBAL PROPERTY ROIPOOL_${op}_${schedule}_KNOB_${knob} "${declaration}")
          endif()
        endforeach()
      endforeach()
    endforeach()
  endforeach()
  foreach(name IN LISTS ROIPOOL_SCHEDULE_CPU)
    if(NOT name IN_LIST all_schedules)
      roipool_join("${all_schedules}" known)
      message(FATAL_ERROR "ROIPOOL_SCHEDULE_CPU: there is no schedule '${name}', only: ${known}")
    endif()
  endforeach()
  foreach(setting IN LISTS ROIPOOL_SCHEDULE_KNOBS)
    string(REGEX REPLACE "=.*$" "" knob "${setting}")
    if(NOT setting MATCHES "=" OR NOT knob IN_LIST all_knobs)
      roipool_join("${all_knobs}" known)
      message(FATAL_ERROR "ROIPOOL_SCHEDULE_KNOBS: '${setting}' must be KNOB=VALUE with a knob of: ${known}")
    endif()
  endforeach()
endfunction()

# "a, b", each once.
function(roipool_join items joined)
  list(REMOVE_DUPLICATES items)
  list(JOIN items ", " text)
  set(${joined} "${text}" PARENT_SCOPE)
endfunction()

# A configure error that begins with `where` unless `value` lies in the range of a knob's declaration.
function(roipool_check_knob_value where knob value declaration)
  list(GET declaration 1 smallest)
  list(GET declaration 2 largest)
  if(NOT value MATCHES "^[0-9]+$" OR value LESS smallest OR value GREATER largest)
    message(FATAL_ERROR "${where}: ${knob} is '${value}', must be a whole number in [${smallest}, ${largest}]")
  endif()
endfunction()

# Sets in the caller ROIPOOL_<op>_CHOSEN, the schedules of `op` that this build compiles, best first: those asked for, else `default`. `reference` is always the last: it takes every shape, and
# tests and tuner compare with it.
function(roipool_choose_schedules op default)
  get_property(known GLOBAL PROPERTY ROIPOOL_${op}_SCHEDULES)
  get_property(from_files GLOBAL PROPERTY ROIPOOL_FILE_SCHEDULES)
  set(wanted ${ROIPOOL_SCHEDULE_CPU})
  if(NOT wanted)
    set(wanted ${from_files})
  endif()
  set(list "")
  foreach(name IN LISTS wanted)
    if(name IN_LIST known)
      list(APPEND list ${name})
    endif()
  endforeach()
  if(NOT list)
    set(list ${default})
  endif()
  list(REMOVE_DUPLICATES list)
  list(REMOVE_ITEM list reference)
  set(ROIPOOL_${op}_CHOSEN ${list} reference PARENT_SCOPE)
endfunction()

# Makes all schedules known and sets ROIPOOL_<op>_CHOSEN in the caller.
function(roipool_add_schedules)
  set(folder ${PROJECT_SOURCE_DIR}/schedules)
  roipool_add_schedule(roi_pool_grad cpu_channel_blocks ${folder}/roi_pool_grad/cpu_channel_blocks.schedule.h)
  roipool_add_schedule(roi_pool_grad reference ${folder}/roi_pool_grad/reference.schedule.h)
  roipool_add_schedule(roi_pool cpu_rois ${folder}/roi_pool/cpu_rois.schedule.h)
  roipool_add_schedule(roi_pool reference ${folder}/roi_pool/reference.schedule.h)
  roipool_add_schedule_files()
  roipool_check_schedule_options()
  roipool_choose_schedules(roi_pool_grad cpu_channel_blocks)
  roipool_choose_schedules(roi_pool cpu_rois)
  set(ROIPOOL_roi_pool_grad_CHOSEN ${ROIPOOL_roi_pool_grad_CHOSEN} PARENT_SCOPE)
  set(ROIPOOL_roi_pool_CHOSEN ${ROIPOOL_roi_pool_CHOSEN} PARENT_SCOPE)
endfunction()
