# SPDX-License-Identifier: Apache-2.0
# ONNX before 1.16 (Debian, Ubuntu) exports its targets without a namespace; jax2onnx::onnx_proto is an alias for both.
if(NOT TARGET jax2onnx::onnx_proto)
  add_library(jax2onnx::onnx_proto INTERFACE IMPORTED)
  if(TARGET ONNX::onnx_proto)
    target_link_libraries(jax2onnx::onnx_proto INTERFACE ONNX::onnx_proto)
  else()
    target_link_libraries(jax2onnx::onnx_proto INTERFACE onnx_proto)
  endif()
endif()
