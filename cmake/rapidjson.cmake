# SPDX-License-Identifier: Apache-2.0
# RapidJSON's packages have a target (vcpkg, newer sources) or only the variable RapidJSON_INCLUDE_DIRS (Debian,
# Ubuntu); jax2onnx::rapidjson works with both.
if(NOT TARGET jax2onnx::rapidjson)
  add_library(jax2onnx::rapidjson INTERFACE IMPORTED)
  if(TARGET rapidjson)
    target_link_libraries(jax2onnx::rapidjson INTERFACE rapidjson)
  elseif(RapidJSON_INCLUDE_DIRS)
    target_include_directories(jax2onnx::rapidjson INTERFACE ${RapidJSON_INCLUDE_DIRS})
  else()
    target_include_directories(jax2onnx::rapidjson INTERFACE ${RAPIDJSON_INCLUDE_DIRS})
  endif()
endif()
