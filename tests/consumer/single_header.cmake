# SPDX-License-Identifier: Apache-2.0
# The example of a conversion, compiled with the single header instead of the library's headers.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${work}")
run("${python}" "${source}/scripts/single-header" "${work}/jax2onnx.hpp")
file(READ "${source}/examples/convert.cpp" program)
string(REGEX REPLACE "#include <(jax2onnx|jaxpr)/[^\n]*\n" "" program "${program}")
file(WRITE "${work}/convert.cpp" "#include \"jax2onnx.hpp\"\n${program}")
run("${compiler}" -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow "${work}/convert.cpp" -o "${work}/convert" -lz)
set(mnist_cnn "${source}/examples/mnist_cnn")
run("${work}/convert" "${mnist_cnn}/mnist_cnn.jaxpr" "${mnist_cnn}/weights.npz" "${work}/single.onnx")
