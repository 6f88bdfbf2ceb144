# The installed tree: the merged libraries, the public headers, and the package that find_package(roipool) reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roipool)
set_target_properties(roipool_aclnn PROPERTIES EXPORT_NAME aclnn)
set_target_properties(roipool_aclnn_shared PROPERTIES EXPORT_NAME aclnn_shared)
install(
  TARGETS roipool roipool_aclnn roipool_aclnn_shared
  EXPORT roipool-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT roipool-targets NAMESPACE roipool:: DESTINATION ${package_dir})
configure_package_config_file(
  cmake/roipool-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/roipool-config.cmake
  INSTALL_DESTINATION ${package_dir}
)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/roipool-config-version.cmake
  VERSION ${PROJECT_VERSION}
  COMPATIBILITY SameMinorVersion
)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/roipool-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/roipool-config-version.cmake
  DESTINATION ${package_dir}
)
