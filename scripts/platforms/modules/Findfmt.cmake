# SPDX-License-Identifier: Apache-2.0
set(fmt_FOUND TRUE)
if(NOT TARGET fmt::fmt)
  add_library(fmt::fmt INTERFACE IMPORTED)
  target_include_directories(fmt::fmt INTERFACE "${CMAKE_CURRENT_LIST_DIR}/../../../third_party/fmt")
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
endif()
