# SPDX-License-Identifier: Apache-2.0
# Third-party libraries: the system's, or else the copies in third_party/, so that a build needs only a C++ compiler.
option(JAX2ONNX_BUNDLED "Use the copies in third_party/ even if the system has the libraries" OFF)
set(third_party "${PROJECT_SOURCE_DIR}/third_party")

# Looks for a package unless JAX2ONNX_BUNDLED is set. NAME_FOUND is set if the system has it.
macro(jax2onnx_dependency name)
  if(NOT JAX2ONNX_BUNDLED)
    find_package(${name} QUIET)
  endif()
  if(NOT ${name}_FOUND)
    message(STATUS "${name}: the copy in third_party/")
  endif()
endmacro()

function(jax2onnx_headers_of target folder)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE "${third_party}/${folder}")
endfunction()

# Of jax2onnx::report and the tool, which show nobody their headers. Tests look for the system's fmt, so the copy has a name
# of its own.
jax2onnx_dependency(fmt)
set(jax2onnx_fmt fmt::fmt-header-only)
if(NOT fmt_FOUND)
  set(jax2onnx_fmt jax2onnx::fmt)
  jax2onnx_headers_of(jax2onnx::fmt fmt)
  target_compile_definitions(jax2onnx::fmt INTERFACE FMT_HEADER_ONLY=1)
endif()
jax2onnx_dependency(nlohmann_json)
set(jax2onnx_json nlohmann_json::nlohmann_json)
if(NOT nlohmann_json_FOUND)
  set(jax2onnx_json jax2onnx::nlohmann_json)
  jax2onnx_headers_of(jax2onnx::nlohmann_json nlohmann)
endif()

jax2onnx_dependency(RapidJSON)
if(NOT RapidJSON_FOUND)
  set(RapidJSON_INCLUDE_DIRS "${third_party}/rapidjson")
endif()
include(rapidjson)

if(JAX2ONNX_BUILD_PYTHON)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()
jax2onnx_dependency(ZLIB)
set(jax2onnx_zlib ZLIB::ZLIB)
if(NOT ZLIB_FOUND)
  set(jax2onnx_zlib jax2onnx::zlib)
  enable_language(C)
  set(part "${third_party}/zlib")
  add_library(jax2onnx_zlib STATIC "${part}/adler32.c" "${part}/crc32.c" "${part}/inffast.c" "${part}/inflate.c"
                                   "${part}/inftrees.c" "${part}/zutil.c")
  add_library(jax2onnx::zlib ALIAS jax2onnx_zlib)
  set_target_properties(jax2onnx_zlib PROPERTIES EXPORT_NAME zlib POSITION_INDEPENDENT_CODE ON)
  target_include_directories(jax2onnx_zlib SYSTEM PUBLIC $<BUILD_INTERFACE:${part}>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/jax2onnx/third_party>)
  if(NOT WIN32)
    target_compile_definitions(jax2onnx_zlib PRIVATE HAVE_UNISTD_H=1)
  endif()
  if(NOT MSVC)
    target_compile_options(jax2onnx_zlib PRIVATE -w)
  endif()
endif()
