# SPDX-License-Identifier: Apache-2.0
# Programs that find a moved installation by pkg-config: the compiled library, reports, the C interface, the headers.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(flags_of package result)
  run(pkg-config --cflags --libs ${package})
  separate_arguments(flags UNIX_COMMAND "${output}")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${work}")
run("${CMAKE_COMMAND}" --install "${package}" --prefix "${work}/installed")
file(RENAME "${work}/installed" "${work}/moved")
file(GLOB_RECURSE found "${work}/moved/*.pc")
list(GET found 0 file)
cmake_path(GET file PARENT_PATH folder)
cmake_path(GET folder PARENT_PATH libraries)
set(ENV{PKG_CONFIG_PATH} "${folder}")
set(ENV{LD_LIBRARY_PATH} "${libraries}")
set(strict -Wall -Wextra -Wpedantic -Werror)
set(project "${source}/tests/consumer/project")
set(mnist_cnn "${source}/examples/mnist_cnn")

flags_of(jax2onnx flags)
run("${compiler}" -std=c++20 ${strict} "${project}/convert.cpp" "${project}/convert_other.cpp" -o "${work}/compiled" ${flags})
run("${work}/compiled")

flags_of(jax2onnx-report flags)
run("${compiler}" -std=c++20 ${strict} "${project}/report.cpp" -o "${work}/report" ${flags})
run("${work}/report")

flags_of(jax2onnx_c flags)
run("${c_compiler}" -std=c99 ${strict} "${source}/examples/convert.c" -o "${work}/c" ${flags})
run("${work}/c" "${mnist_cnn}/mnist_cnn.jaxpr" "${mnist_cnn}/weights.npz" "${work}/c.onnx")

flags_of(jax2onnx-jaxpr flags)
run("${compiler}" -std=c++20 -fsyntax-only ${strict} "${project}/parse.cpp" ${flags})

flags_of(jax2onnx-headers flags)
run("${compiler}" -std=c++20 -fsyntax-only ${strict} "${project}/weights.cpp" ${flags})
