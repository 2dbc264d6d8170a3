# SPDX-License-Identifier: Apache-2.0
# Installs the built project, then configures, builds and runs a project that finds it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${work}")
run("${CMAKE_COMMAND}" --install "${package}" --prefix "${work}/prefix")
run("${CMAKE_COMMAND}" -S "${source}" -B "${work}/build" -D "CMAKE_PREFIX_PATH=${work}/prefix"
    -D "CMAKE_CXX_COMPILER=${compiler}")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/consumer")
