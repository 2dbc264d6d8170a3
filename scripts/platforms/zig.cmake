# SPDX-License-Identifier: Apache-2.0
# Compiles for JAX2ONNX_TARGET with the compilers that scripts/platforms/lib.sh has prepared. Libraries are the copies in
# third_party/, linked statically.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JAX2ONNX_TARGET)
set(folder "${CMAKE_CURRENT_LIST_DIR}/../../build/platforms/${JAX2ONNX_TARGET}")
cmake_path(NORMAL_PATH folder)

if(JAX2ONNX_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_RC_COMPILER "${folder}/bin/rc")
  list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules/windows")
elseif(JAX2ONNX_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_INSTALL_NAME_TOOL /bin/true CACHE FILEPATH "")  # CMake looks for it; nothing here needs it
elseif(JAX2ONNX_TARGET MATCHES "wasi")
  set(CMAKE_SYSTEM_NAME WASI)
  set(CMAKE_PROJECT_jax2onnx_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/wasi.cmake")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # programs need the libraries that wasi.cmake builds
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${JAX2ONNX_TARGET}")
set(CMAKE_C_COMPILER "${folder}/bin/cc")
set(CMAKE_CXX_COMPILER "${folder}/bin/c++")
set(CMAKE_AR "${folder}/bin/ar")
set(CMAKE_RANLIB "${folder}/bin/ranlib")

set(JAX2ONNX_BUNDLED ON CACHE BOOL "" FORCE)
set(CMAKE_DISABLE_FIND_PACKAGE_Protobuf ON)
set(CMAKE_DISABLE_FIND_PACKAGE_ONNX ON)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules")
