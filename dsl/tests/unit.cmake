# SPDX-License-Identifier: Apache-2.0
# The program of unit tests: a file for each header.
find_package(Catch2 REQUIRED)
find_package(fmt REQUIRED)
include(Catch)
include(test_units)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS dsl.cpp evaluate/*.cpp structure/*.cpp typed/*.cpp)
jax2onnx_in_units(sources dsl)
add_executable(dsl_tests "${PROJECT_SOURCE_DIR}/tests/main.cpp" ${sources})
target_include_directories(dsl_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(dsl_tests PRIVATE jax2onnx::compiled fmt::fmt Catch2::Catch2)
target_precompile_headers(dsl_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/catch.hpp" <fmt/format.h>
                                            <jax2onnx/ops/ops.hpp>)
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/main.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
catch_discover_tests(dsl_tests TEST_PREFIX "dsl: " DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
