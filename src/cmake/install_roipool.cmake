# The installed tree: the merged library, the public headers, and the package that find_package(roipool) reads.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roipool)
install(TARGETS roipool EXPORT roipool-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/roipool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT roipool-targets NAMESPACE roipool:: DESTINATION ${package_dir})
configure_package_config_file(
  cmake/roipool-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/roipool-config.cmake INSTALL_DESTINATION ${package_dir}
)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/roipool-config-version.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion
)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roipool-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/roipool-config-version.cmake
        DESTINATION ${package_dir}
)
