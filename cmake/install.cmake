# SPDX-License-Identifier: Apache-2.0
# Headers, the tool, and a package for find_package(jax2onnx).
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jax2onnx")

install(DIRECTORY include/jax2onnx DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS ${jax2onnx_targets} EXPORT jax2onnx-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT jax2onnx-targets NAMESPACE jax2onnx:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/jax2onnx-config.cmake.in jax2onnx-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(jax2onnx-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/jax2onnx-config.cmake" "${PROJECT_BINARY_DIR}/jax2onnx-config-version.cmake"
              cmake/onnx_proto.cmake cmake/rapidjson.cmake DESTINATION "${package_dir}")
if(NOT RapidJSON_FOUND)
  install(DIRECTORY third_party/rapidjson/rapidjson DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/jax2onnx/third_party")
endif()
if(NOT ZLIB_FOUND)
  install(FILES third_party/zlib/zlib.h third_party/zlib/zconf.h
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/jax2onnx/third_party")
endif()
include(pkg_config)

# find_package(jax2onnx-jaxpr) finds the parser of this installation, as if it had been installed alone.
set(parser_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jax2onnx-jaxpr")
file(WRITE "${PROJECT_BINARY_DIR}/jax2onnx-jaxpr-config.cmake"
     "include(CMakeFindDependencyMacro)\nfind_dependency(jax2onnx)\n")
write_basic_package_version_file(jax2onnx-jaxpr-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/jax2onnx-jaxpr-config.cmake"
              "${PROJECT_BINARY_DIR}/jax2onnx-jaxpr-config-version.cmake" DESTINATION "${parser_dir}")

if(JAX2ONNX_BUILD_TOOLS)  # a component, for those who built the tool alone
  install(TARGETS jax2onnx_cli COMPONENT tool)
  install(FILES docs/jax2onnx.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tool)
endif()
