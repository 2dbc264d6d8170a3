# SPDX-License-Identifier: Apache-2.0
# jax2onnx::report: reports of conversions, with jax2onnx::compiled. Its JSON library and fmt are headers that programs do
# not see.

# The page of reports as an array: compilers limit the length of literals.
set(page "${PROJECT_SOURCE_DIR}/web/dist/report.html")
set(page_source "${PROJECT_BINARY_DIR}/report_page.cpp")
add_custom_command(OUTPUT "${page_source}"
                   COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page}" "-DSOURCE=${page_source}"
                           -P "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
                   DEPENDS "${page}" "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake" VERBATIM)

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/report/*.cpp")
add_library(jax2onnx_report STATIC ${sources} "${page_source}")
add_library(jax2onnx::report ALIAS jax2onnx_report)
set_target_properties(jax2onnx_report PROPERTIES EXPORT_NAME report POSITION_INDEPENDENT_CODE ON OPTIMIZE_DEPENDENCIES ON)
target_include_directories(jax2onnx_report PRIVATE "${PROJECT_SOURCE_DIR}/src/report")
target_link_libraries(jax2onnx_report PUBLIC jax2onnx::compiled
                                      PRIVATE $<BUILD_INTERFACE:${jax2onnx_fmt}> $<BUILD_INTERFACE:${jax2onnx_json}>)
# Small code, since the time goes into the statistics of weights. The rest is compiled as one file, since its headers take most
# of the time.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MSVC)
  target_compile_options(jax2onnx_report PRIVATE -Os -ffunction-sections -fdata-sections)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/report/element_statistics.cpp"
                              PROPERTIES COMPILE_OPTIONS -O2 SKIP_UNITY_BUILD_INCLUSION ON)
  set_source_files_properties("${page_source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(jax2onnx_report PROPERTIES UNITY_BUILD ON)
endif()
if(JAX2ONNX_INSTALL)
  list(APPEND jax2onnx_targets jax2onnx_report)
else()
  set_target_properties(jax2onnx_report PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
