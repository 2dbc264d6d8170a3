# SPDX-License-Identifier: Apache-2.0
# The stable ABI of CPython for Windows, which scripts/platforms/lib.sh has fetched. CMake's module refuses headers of an
# older version than the interpreter.
set(folder "${CMAKE_CURRENT_LIST_DIR}/../../../../build/platforms/python/windows-x86_64")
set(Python_FOUND TRUE)
set(Python_VERSION 3.12)
set(Python_INTERPRETER_ID Python)
set(Python_SOSABI "")
set(Python_INCLUDE_DIRS "${folder}/include")
add_executable(Python::Interpreter IMPORTED)
set_target_properties(Python::Interpreter PROPERTIES IMPORTED_LOCATION "${Python_EXECUTABLE}")
foreach(target Python::Module Python::SABIModule)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${folder}/include")
  target_link_libraries(${target} INTERFACE "${folder}/libs/python3.lib")
endforeach()
