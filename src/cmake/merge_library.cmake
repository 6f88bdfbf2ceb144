# One object of everything that a library needs, in which only its public functions are global. The Halide runtime inside is a copy of
# its own that no other Halide in the program can meet: its error handler and its threads are not shared.
include_guard(GLOBAL)

# roipool_add_merged_library(name OBJECTS object libraries... GLOBALS symbol patterns...) adds a static library of those objects, all
# kernels and Halide's runtime. It links as C++.
function(roipool_add_merged_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OBJECTS;GLOBALS")
  get_property(kernels GLOBAL PROPERTY ROIPOOL_KERNELS)
  list(TRANSFORM arg_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  list(TRANSFORM kernels REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE kernel_files)
  list(TRANSFORM arg_GLOBALS PREPEND "--keep-global-symbol=")
  set(linked ${CMAKE_CURRENT_BINARY_DIR}/${name}_linked.o)
  set(merged ${CMAKE_CURRENT_BINARY_DIR}/${name}_merged.o)

  # The list of files is long, so it goes through a response file.
  set(response ${CMAKE_CURRENT_BINARY_DIR}/${name}_$<CONFIG>.rsp)
  set(files ${objects} ${kernel_files} $<TARGET_FILE:roipool_halide_runtime>)
  file(GENERATE OUTPUT ${response} CONTENT "$<JOIN:${files},\n>\n")
  add_custom_command(
    OUTPUT ${merged}
    # Without --force-group-allocation another copy of a shared section in the final program would discard ours.
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${linked} --whole-archive @${response}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard ${arg_GLOBALS} ${linked} ${merged}
    DEPENDS ${response} ${objects} ${kernels} roipool_halide_runtime
    COMMENT "Merging the kernels and ${name} into one object"
    VERBATIM
    COMMAND_EXPAND_LISTS
  )
  add_library(${name} STATIC ${merged})
  set_source_files_properties(${merged} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  roipool_describe_merged_library(${name})
endfunction()

# What the users of a merged library need to know.
function(roipool_describe_merged_library name)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(
    ${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  target_link_libraries(${name} INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  if(ROIPOOL_SANITIZE_ADDRESS)
    target_link_options(${name} INTERFACE -fsanitize=address,undefined)
  endif()
endfunction()
