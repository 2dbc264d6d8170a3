# SPDX-License-Identifier: Apache-2.0
# A package for find_package(jax2onnx-jaxpr).
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jax2onnx-jaxpr")

install(TARGETS jaxpr EXPORT jax2onnx-jaxpr-targets)
if(JAX2ONNX_BUILD_COMPILED)
  install(TARGETS jaxpr_compiled EXPORT jax2onnx-jaxpr-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(EXPORT jax2onnx-jaxpr-targets NAMESPACE jax2onnx:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/jax2onnx-jaxpr-config.cmake.in jax2onnx-jaxpr-config.cmake
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(jax2onnx-jaxpr-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/jax2onnx-jaxpr-config.cmake"
              "${PROJECT_BINARY_DIR}/jax2onnx-jaxpr-config-version.cmake" DESTINATION "${package_dir}")
