# SPDX-License-Identifier: Apache-2.0
# The compiler of build_wheel, which makes programs for an older glibc than this system's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER "${JAX2ONNX_MANYLINUX}/bin/cc")
set(CMAKE_CXX_COMPILER "${JAX2ONNX_MANYLINUX}/bin/c++")
set(CMAKE_AR "${JAX2ONNX_MANYLINUX}/bin/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${JAX2ONNX_MANYLINUX}/bin/ranlib" CACHE FILEPATH "")
set(CMAKE_STRIP /usr/bin/strip CACHE FILEPATH "")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JAX2ONNX_MANYLINUX)

# Libraries are those of the prefix; Python's headers and nanobind are where they are.
set(CMAKE_FIND_ROOT_PATH "${JAX2ONNX_MANYLINUX}/prefix")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/../scripts/platforms/modules")
