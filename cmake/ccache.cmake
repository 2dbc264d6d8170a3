# SPDX-License-Identifier: Apache-2.0
# With ccache a second build takes seconds. Precompiled headers need the sloppiness.
find_program(JAX2ONNX_CCACHE ccache)
mark_as_advanced(JAX2ONNX_CCACHE)
if(JAX2ONNX_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${JAX2ONNX_CCACHE}")
endif()
