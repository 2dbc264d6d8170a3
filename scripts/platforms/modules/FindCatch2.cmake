# SPDX-License-Identifier: Apache-2.0
find_path(Catch2_INCLUDE_DIR catch2/catch.hpp REQUIRED)
set(Catch2_FOUND TRUE)
if(NOT TARGET Catch2::Catch2)
  add_library(Catch2::Catch2 INTERFACE IMPORTED)
  target_include_directories(Catch2::Catch2 INTERFACE "${Catch2_INCLUDE_DIR}")
endif()
