# SPDX-License-Identifier: Apache-2.0
find_path(CLI11_INCLUDE_DIR CLI/App.hpp REQUIRED)
set(CLI11_FOUND TRUE)
if(NOT TARGET CLI11::CLI11)
  add_library(CLI11::CLI11 INTERFACE IMPORTED)
  target_include_directories(CLI11::CLI11 INTERFACE "${CLI11_INCLUDE_DIR}")
endif()
