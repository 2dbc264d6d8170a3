# SPDX-License-Identifier: Apache-2.0
find_path(nlohmann_json_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
set(nlohmann_json_FOUND TRUE)
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE "${nlohmann_json_INCLUDE_DIR}")
endif()
