# SPDX-License-Identifier: Apache-2.0
# The tool alone, as `cmake --install --component tool` installs it after scripts/demo: it runs, and nothing else comes with it.
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${package}" --prefix "${work}" --component tool
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/bin/jax2onnx" --version COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE others RELATIVE "${work}" "${work}/*")
list(REMOVE_ITEM others bin/jax2onnx share/man/man1/jax2onnx.1)
if(others)
  message(FATAL_ERROR "installed with the tool: ${others}")
endif()
