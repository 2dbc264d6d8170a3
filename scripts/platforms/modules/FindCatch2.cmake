# SPDX-License-Identifier: Apache-2.0
# Headers of this system, apart from the others in /usr/include.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include")
file(CREATE_LINK /usr/include/catch2 "${PROJECT_BINARY_DIR}/include/catch2" SYMBOLIC)
set(Catch2_FOUND TRUE)
if(NOT TARGET Catch2::Catch2)
  add_library(Catch2::Catch2 INTERFACE IMPORTED)
  target_include_directories(Catch2::Catch2 INTERFACE "${PROJECT_BINARY_DIR}/include")
endif()
