# The installed library as its users meet it: without Halide, without Python, with the system's own CMake.
set(consumer_flags "")
if(ROIPOOL_SANITIZE_ADDRESS)
  set(consumer_flags "-fsanitize=address,undefined") # what the installed library then needs of its users, too
endif()

add_test(
  NAME consumer.installed_package
  COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/check_installed_package ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/consumer ${consumer_flags}
)
set_tests_properties(consumer.installed_package PROPERTIES LABELS consumer TIMEOUT 300)
