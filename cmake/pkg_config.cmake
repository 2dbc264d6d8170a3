# Files for pkg-config: the compiled library, the headers alone, the C interface. They can be moved with the installation.
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

jax2onnx_pkg_config(jax2onnx "the compiled library" "Requires: zlib" "Cflags: -I\${includedir} -DJAX2ONNX_COMPILED"
                    "Libs: -L\${libdir} -ljax2onnx")
jax2onnx_pkg_config(jax2onnx-headers "the headers alone" "Requires: zlib RapidJSON" "Cflags: -I\${includedir}")
if(JAX2ONNX_BUILD_C)
  jax2onnx_pkg_config(jax2onnx_c "the C interface" "Cflags: -I\${includedir}" "Libs: -L\${libdir} -ljax2onnx_c")
endif()
