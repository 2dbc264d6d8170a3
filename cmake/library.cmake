# SPDX-License-Identifier: Apache-2.0
# The library's targets. Header-only ones, each with the dependencies of its rooms:
#
#   jax2onnx::graph      support/, graph/, operators/, facts/, ops/, rewrite/: graphs by hand. Needs only the parser's diagnostics
#   jax2onnx::lowerers   + lower/: primitives to operators
#   jax2onnx::weights    + weights/: needs zlib and RapidJSON
#   jax2onnx::emit       + emit/: ONNX files, without protobuf
#   jax2onnx::jax2onnx   all of them and convert/
#   jax2onnx::dsl        jax2onnx::graph and dsl/: models by hand
#   jax2onnx::proto      + emit/proto.hpp: needs the onnx and protobuf packages; exists if they are found
#
# jax2onnx::compiled is all of jax2onnx::jax2onnx and jax2onnx::dsl as a static library, compiled once: the same
# includes then compile declarations only. jax2onnx::report, another one, has no header-only form (report.cmake).
function(jax2onnx_headers name)
  add_library(jax2onnx_${name} INTERFACE)
  add_library(jax2onnx::${name} ALIAS jax2onnx_${name})
  set_target_properties(jax2onnx_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(jax2onnx_${name} INTERFACE ${ARGN})
endfunction()

jax2onnx_headers(graph jax2onnx::jaxpr)
target_compile_features(jax2onnx_graph INTERFACE cxx_std_20)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(system SYSTEM)  # a project's warnings should be about its own code
endif()
target_include_directories(jax2onnx_graph ${system} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
jax2onnx_headers(lowerers jax2onnx::graph)
jax2onnx_headers(weights jax2onnx::graph jax2onnx::rapidjson ${jax2onnx_zlib})
jax2onnx_headers(emit jax2onnx::graph)
add_subdirectory(dsl)
add_library(jax2onnx INTERFACE)
add_library(jax2onnx::jax2onnx ALIAS jax2onnx)
target_link_libraries(jax2onnx INTERFACE jax2onnx::lowerers jax2onnx::weights jax2onnx::emit)
set(jax2onnx_targets jaxpr jax2onnx jax2onnx_graph jax2onnx_lowerers jax2onnx_weights jax2onnx_emit jax2onnx_dsl)
if(TARGET jax2onnx_zlib)
  list(APPEND jax2onnx_targets jax2onnx_zlib)
endif()
if(ONNX_FOUND)
  jax2onnx_headers(proto jax2onnx::emit jax2onnx::onnx_proto)
  list(APPEND jax2onnx_targets jax2onnx_proto)
endif()

# The two files that take longest to compile come first.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
set(longest "${PROJECT_SOURCE_DIR}/src/rewrite.cpp" "${PROJECT_SOURCE_DIR}/src/lower.cpp")
list(REMOVE_ITEM sources ${longest})
list(PREPEND sources ${longest})
file(GLOB others CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/parser/src/*.cpp" "${PROJECT_SOURCE_DIR}/dsl/src/*.cpp")
if(JAX2ONNX_BUILD_PYTHON)  # the package builds no models by hand
  list(FILTER others EXCLUDE REGEX "/dsl/src/")
endif()
add_library(jax2onnx_compiled STATIC ${sources} ${others})
add_library(jax2onnx::compiled ALIAS jax2onnx_compiled)
set_target_properties(jax2onnx_compiled PROPERTIES EXPORT_NAME compiled OUTPUT_NAME jax2onnx POSITION_INDEPENDENT_CODE ON
                      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
# The rooms of graphs are two files, since parsing their headers takes most of the time. Files that models by hand do not need
# stay apart; so does the parser, which is slower in a larger file.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/rewrite.cpp" "${PROJECT_SOURCE_DIR}/src/lower.cpp"
                            "${PROJECT_SOURCE_DIR}/src/convert.cpp" "${PROJECT_SOURCE_DIR}/dsl/src/dsl.cpp"
                            "${PROJECT_SOURCE_DIR}/parser/src/jaxpr.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# A third less code; conversion takes a tenth longer, which tracing or a download hides.
set(lowerings "${PROJECT_SOURCE_DIR}/src/lower.cpp")
if(JAX2ONNX_TARGET)  # by Zig's clang: the wheel and the tool of a system are the same objects for ccache
  target_compile_options(jax2onnx_compiled PRIVATE $<$<CONFIG:Release>:-Os>)
  set_source_files_properties("${lowerings}" PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-Xclang;-Oz>")
elseif(JAX2ONNX_BUILD_PYTHON AND NOT MSVC)  # the other sources are those of the preset release for ccache
  set_source_files_properties("${lowerings}" PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")
endif()
# The file that takes longest compiles in a quarter less time, and converts no slower than with -O2.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/rewrite.cpp" PROPERTIES COMPILE_OPTIONS
                              "$<$<CONFIG:Release>:-O1;-finline-small-functions;-findirect-inlining;-fpartial-inlining;-foptimize-sibling-calls;-fcaller-saves>")
endif()
target_link_libraries(jax2onnx_compiled PUBLIC jax2onnx::jax2onnx jax2onnx::dsl)
target_compile_definitions(jax2onnx_compiled PUBLIC JAX2ONNX_COMPILED)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # nothing replaces its functions, so calls within it can be inlined
  target_compile_options(jax2onnx_compiled PRIVATE -fno-semantic-interposition)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT MSVC)  # programs drop the functions that they do not call
  target_compile_options(jax2onnx_compiled PRIVATE -ffunction-sections -fdata-sections)
endif()
if(JAX2ONNX_SANITIZE_LIBRARY)
  target_compile_options(jax2onnx_compiled PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all -g1
                         -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute,object-size,vptr,pointer-overflow)
  target_link_options(jax2onnx_compiled INTERFACE -fsanitize=address,undefined)
endif()
if(JAX2ONNX_INSTALL)
  list(APPEND jax2onnx_targets jax2onnx_compiled)
else()
  set_target_properties(jax2onnx_compiled PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
