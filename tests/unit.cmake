# SPDX-License-Identifier: Apache-2.0
# The program of unit tests.
find_package(Catch2 REQUIRED)
include(Catch)
include(test_units)

# One executable: folder tests/x mirrors include/jax2onnx/x.
set(JAX2ONNX_TEST_ROOMS convert emit facts graph lower operators ops platform read rewrite support weights CACHE STRING "Rooms whose tests are built")
list(TRANSFORM JAX2ONNX_TEST_ROOMS APPEND "/*.cpp" OUTPUT_VARIABLE rooms)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS main.cpp extend.cpp report.cpp version.cpp ${rooms})
list(FILTER sources EXCLUDE REGEX "/ops/verbs/|/ops/rebuild.cpp|/read/round_trip.cpp|/consumer/")
if(NOT UNIX)
  list(FILTER sources EXCLUDE REGEX "/platform/posix/")
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  list(FILTER sources EXCLUDE REGEX "/platform/linux/")
endif()
if(NOT TARGET jax2onnx::proto)  # without protobuf, models are written but not read
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" uses REGEX "emit/(proto|graphs)\\.hpp")
    if(uses)
      list(REMOVE_ITEM sources "${source}")
    endif()
  endforeach()
endif()
add_executable(jax2onnx_tests main.cpp)
list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/main.cpp")
target_link_libraries(jax2onnx_tests PRIVATE jax2onnx::report Catch2::Catch2)

# Adds the tests of the rooms that match `rooms`, and removes them from `sources`. The arguments after these two are
# headers that most of the tests include; they are compiled once.
function(jax2onnx_test_group name rooms)
  set(group ${sources})
  list(FILTER group INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/(${rooms})")
  if(NOT group)
    return()  # no room of JAX2ONNX_TEST_ROOMS
  endif()
  list(REMOVE_ITEM sources ${group})
  set(sources ${sources} PARENT_SCOPE)
  jax2onnx_in_units(group ${name})
  add_library(jax2onnx_tests_${name} OBJECT ${group})
  target_include_directories(jax2onnx_tests_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(jax2onnx_tests_${name} PRIVATE jax2onnx::compiled $<TARGET_NAME_IF_EXISTS:jax2onnx::proto> fmt::fmt
                                                       Catch2::Catch2)
  target_compile_definitions(jax2onnx_tests_${name} PRIVATE JAX2ONNX_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                            JAX2ONNX_PROJECT_VERSION="${PROJECT_VERSION}")
  target_precompile_headers(jax2onnx_tests_${name} PRIVATE catch.hpp <fmt/format.h> <algorithm> <filesystem> <functional> <map>
                                                           <memory> <optional> <span> <string> <unordered_map> <variant>
                                                           <vector> <jax2onnx/ops/ops.hpp> ${ARGN})
  target_link_libraries(jax2onnx_tests PRIVATE jax2onnx_tests_${name})
endfunction()
jax2onnx_test_group(rewrite "rewrite/" rewrite/apply.hpp <jax2onnx/rewrite/equations/row.hpp>)
jax2onnx_test_group(lower "lower/|convert/" lower/lowered_text.hpp lower/interpreter.hpp)
jax2onnx_test_group(others "")
catch_discover_tests(jax2onnx_tests DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
