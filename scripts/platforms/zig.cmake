# SPDX-License-Identifier: Apache-2.0
# Compiles for JAX2ONNX_TARGET with the compilers that scripts/platforms/lib.sh has prepared.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JAX2ONNX_TARGET)
set(folder "${CMAKE_CURRENT_LIST_DIR}/../../build/platforms/${JAX2ONNX_TARGET}")
cmake_path(NORMAL_PATH folder)

if(JAX2ONNX_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_RC_COMPILER "${folder}/bin/rc")
elseif(JAX2ONNX_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
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

# Only programs are looked up on this system.
set(CMAKE_FIND_ROOT_PATH "${folder}/prefix")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules")
