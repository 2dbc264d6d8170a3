# SPDX-License-Identifier: Apache-2.0
# The program of unit tests.
find_package(Catch2 REQUIRED)
include(Catch)

file(GLOB sources CONFIGURE_DEPENDS *_test.cpp */*_test.cpp */*/*_test.cpp main.cpp)
add_executable(jaxpr_tests ${sources})
target_link_libraries(jaxpr_tests PRIVATE jax2onnx::jaxpr jaxpr_warnings fmt::fmt Catch2::Catch2)
target_compile_definitions(jaxpr_tests PRIVATE JAXPR_PARSER_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(jaxpr_tests PRIVATE .)
target_precompile_headers(jaxpr_tests PRIVATE catch.hpp <fmt/format.h>)
set_source_files_properties(main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
catch_discover_tests(jaxpr_tests TEST_PREFIX "jaxpr: " DISCOVERY_MODE PRE_TEST
                     PROPERTIES LABELS unit)
