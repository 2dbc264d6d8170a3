# SPDX-License-Identifier: Apache-2.0
# A program that includes the umbrella header without using it must contain no code of the library.
function(run output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}${error}")
  endif()
  set(${output} "${out}" PARENT_SCOPE)
endfunction()

file(WRITE "${work}/unused.cpp" "#include <jax2onnx/jax2onnx.hpp>\nint main() {}\n")
run(ignored "${compiler}" -std=c++20 -O2 "-I${source}/include" "-I${source}/parser" -c "${work}/unused.cpp" -o "${work}/unused.o")
run(symbols nm -C --defined-only "${work}/unused.o")
string(REGEX MATCHALL "[^\n]*(jax2onnx|jaxpr)::[^\n]*" ours "${symbols}")
list(LENGTH ours count)
if(count GREATER 0)
  list(JOIN ours "\n" lines)
  message(FATAL_ERROR "${count} symbols of the library are in a program that does not use it:\n${lines}")
endif()
