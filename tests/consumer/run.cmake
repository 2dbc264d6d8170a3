# SPDX-License-Identifier: Apache-2.0
# Builds and runs a project that uses the library from an installed package (use = package; header_only for the targets
# without the compiled library), or from sources as a subdirectory.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${work}")
if(use STREQUAL "subdirectory")
  set(where "-DJAX2ONNX_SOURCE=${source}")
else()
  run("${CMAKE_COMMAND}" --install "${package}" --prefix "${work}/prefix")
  set(where "-DCMAKE_PREFIX_PATH=${work}/prefix")
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${work}/build" -G Ninja ${where} "-DCMAKE_CXX_COMPILER=${compiler}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}")
set(programs parse build proto compiled report)
if(use STREQUAL "header_only")
  set(programs lower weights header_only)
endif()
run("${CMAKE_COMMAND}" --build "${work}/build" --target ${programs})
foreach(program IN LISTS programs)
  run("${work}/build/${program}")
endforeach()
