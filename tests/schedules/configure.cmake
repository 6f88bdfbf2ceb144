# The part of generators/CMakeLists.txt that reads schedules, options and tuned rows, as a script: errors in milliseconds, without a
# compiler. Prints the schedules and the rows that a build would get.
cmake_minimum_required(VERSION 3.28)
get_filename_component(PROJECT_SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(schedules ${PROJECT_SOURCE_DIR}/schedules)

# Stands for the generators' executable, which no script has.
function(target_sources)
endfunction()

include(${PROJECT_SOURCE_DIR}/generators/cmake/add_roi_kernel.cmake)
include(${PROJECT_SOURCE_DIR}/generators/cmake/add_gpu_kernel.cmake)
include(${PROJECT_SOURCE_DIR}/generators/cmake/add_roi_schedule.cmake)
include(${PROJECT_SOURCE_DIR}/generators/cmake/read_tuned_rows.cmake)
roipool_add_schedules()
roipool_read_all_tuned_rows()
foreach(op IN ITEMS roi_pool_grad roi_pool)
  list(JOIN ROIPOOL_${op}_CHOSEN " " chosen)
  message(NOTICE "${op}: ${chosen}")
  get_property(variants GLOBAL PROPERTY ROIPOOL_${op}_VARIANTS)
  message(NOTICE "${op} variants: ${variants}")
  get_property(declaration GLOBAL PROPERTY ROIPOOL_${op}_cpu_channel_blocks_KNOB_bins_per_step)
  message(NOTICE "${op} bins_per_step: ${declaration}")
endforeach()
get_property(rows GLOBAL PROPERTY ROIPOOL_TUNED_ROW_LINES)
message(NOTICE "${rows}")
