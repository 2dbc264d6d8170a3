# SPDX-License-Identifier: Apache-2.0
# Builds the files of the repository that this port lies in. A port of a release gets them by vcpkg_from_github instead.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tools JAX2ONNX_BUILD_TOOLS)
set(c_interface ON)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(c_interface OFF)  # a shared library
endif()
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} -DJAX2ONNX_BUILD_C=${c_interface} -DJAX2ONNX_BUILD_TESTS=OFF -DJAX2ONNX_BUILD_EXAMPLES=OFF
          -DJAX2ONNX_INSTALL=ON -DCMAKE_DISABLE_FIND_PACKAGE_ONNX=ON -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/jax2onnx)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES jax2onnx AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
