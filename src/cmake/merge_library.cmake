# One static library of everything, in which only roipool's public functions are global. The Halide runtime inside is a copy of our
# own that no other Halide in the program can meet: its error handler and its threads are not shared.
include_guard(GLOBAL)

function(roipool_add_merged_library name)
  get_property(kernels GLOBAL PROPERTY ROIPOOL_KERNELS)
  list(TRANSFORM kernels REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE kernel_files)
  set(parts roipool_objects roipool_runtime)
  set(linked ${CMAKE_CURRENT_BINARY_DIR}/${name}_linked.o)
  set(merged ${CMAKE_CURRENT_BINARY_DIR}/${name}_merged.o)

  # The list of files is long, so it goes through a response file.
  set(response ${CMAKE_CURRENT_BINARY_DIR}/${name}_$<CONFIG>.rsp)
  file(
    GENERATE
    OUTPUT ${response}
    CONTENT
      "$<JOIN:$<TARGET_OBJECTS:roipool_objects>,\n>\n$<JOIN:$<TARGET_OBJECTS:roipool_runtime>,\n>\n$<JOIN:${kernel_files},\n>\n$<TARGET_FILE:roipool_halide_runtime>\n"
  )
  add_custom_command(
    OUTPUT ${merged}
    # Without --force-group-allocation another copy of a shared section in the final program would discard ours.
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${linked} --whole-archive @${response}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=_ZN7roipool* --keep-global-symbol=_ZNK7roipool* ${linked} ${merged}
    DEPENDS ${response} ${parts} $<TARGET_OBJECTS:roipool_objects> $<TARGET_OBJECTS:roipool_runtime> ${kernels} roipool_halide_runtime
    COMMENT "Merging the kernels and the library into one object"
    VERBATIM
    COMMAND_EXPAND_LISTS
  )
  add_library(${name} STATIC ${merged})
  add_library(roipool::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  set_source_files_properties(${merged} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_include_directories(
    ${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  target_compile_features(${name} INTERFACE cxx_std_17)
  target_link_libraries(${name} INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  if(ROIPOOL_SANITIZE_ADDRESS)
    target_link_options(${name} INTERFACE -fsanitize=address,undefined)
  endif()
endfunction()
