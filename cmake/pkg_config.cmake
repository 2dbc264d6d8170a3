# SPDX-License-Identifier: Apache-2.0
# Files for pkg-config: the compiled library, reports, the headers alone, the C interface. The installation is relocatable.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE libdir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE includedir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE up)

function(jax2onnx_pkg_config name description)
  list(JOIN ARGN "\n" fields)
  file(CONFIGURE OUTPUT "${name}.pc" @ONLY CONTENT "prefix=\${pcfiledir}/@up@
libdir=\${prefix}/@libdir@
includedir=\${prefix}/@includedir@

Name: @name@
Description: The text of a JAX jaxpr, and its weights, to ONNX: @description@
Version: @PROJECT_VERSION@
@fields@
")
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# Headers from third_party/ are installed beside ours; other libraries have their own files.
set(zlib "Requires: zlib")
set(zlib_copy "")
if(NOT ZLIB_FOUND)
  set(zlib "")
  set(zlib_copy " -ljax2onnx_zlib")
endif()
set(flags "Cflags: -I\${includedir}")
if(NOT RapidJSON_FOUND OR NOT ZLIB_FOUND)
  string(APPEND flags " -I\${includedir}/jax2onnx/third_party")
endif()
set(rapidjson "")
if(RapidJSON_FOUND)
  set(rapidjson "Requires.private: RapidJSON")
endif()
jax2onnx_pkg_config(jax2onnx "the compiled library" "${zlib}" "${flags} -DJAX2ONNX_COMPILED"
                    "Libs: -L\${libdir} -ljax2onnx${zlib_copy}")
jax2onnx_pkg_config(jax2onnx-report "reports of conversions" "Requires: jax2onnx" "Libs: -L\${libdir} -ljax2onnx_report")
jax2onnx_pkg_config(jax2onnx-headers "the headers alone" "${zlib}" "${rapidjson}" "${flags}"
                    "Libs: -L\${libdir}${zlib_copy}")
jax2onnx_pkg_config(jax2onnx-jaxpr "the parser alone, as headers" "Cflags: -I\${includedir}")
if(JAX2ONNX_BUILD_C)
  jax2onnx_pkg_config(jax2onnx_c "the C interface" "Cflags: -I\${includedir}" "Libs: -L\${libdir} -ljax2onnx_c")
endif()
