# SPDX-License-Identifier: Apache-2.0
# C++ for WebAssembly with exceptions. zig's runtime libraries for wasm32-wasi lack exceptions, and its libc++ lacks
# files. Here they are built from zig's sources with both, and linked to every program.
#
# Exceptions follow the first proposal (try, catch_all, rethrow), which browsers have supported since 2022.
add_compile_options(-mcpu=generic+exception_handling -fwasm-exceptions)
add_link_options(-mcpu=generic+exception_handling -Wl,-z,stack-size=8388608 -s)
set(zig_defaults -U_LIBCPP_HAS_FILESYSTEM -U_LIBCPP_HAS_THREADS -U_LIBCPP_HAS_MUSL_LIBC)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${zig_defaults};-D_LIBCPP_HAS_FILESYSTEM=1;-D_LIBCPP_HAS_MUSL_LIBC=0>")
# Sizes are 32 bits here. Those of arrays in memory fit into them, also after 64-bit arithmetic.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-shorten-64-to-32;-Wno-sign-conversion;-Wno-sign-compare>")
# WASI's C library provides mutexes and the like for a single thread.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-D_LIBCPP_HAS_THREADS=1;-D_LIBCPP_HAS_THREAD_API_PTHREAD=1>")

include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/ccache.cmake")
enable_language(C ASM)
file(GLOB zig_library "${CMAKE_CURRENT_LIST_DIR}/../../build/zig/lib/python3*/site-packages/ziglang/lib")
set(sources)
foreach(name IN ITEMS
        algorithm any bind call_once charconv chrono condition_variable condition_variable_destructor error_category
        exception filesystem/directory_entry filesystem/directory_iterator filesystem/filesystem_clock
        filesystem/filesystem_error filesystem/int128_builtins filesystem/operations filesystem/path fstream functional
        hash ios ios.instantiations iostream locale memory mutex mutex_destructor new new_handler new_helpers optional
        ostream random ryu/d2fixed ryu/d2s ryu/f2s stdexcept string system_error thread typeinfo valarray variant vector
        verbose_abort)
  list(APPEND sources "${zig_library}/libcxx/src/${name}.cpp")
endforeach()
foreach(name IN ITEMS
        abort_message cxa_aux_runtime cxa_default_handlers cxa_exception cxa_exception_storage cxa_guard cxa_handlers
        cxa_personality cxa_vector cxa_virtual fallback_malloc private_typeinfo stdlib_exception stdlib_new_delete
        stdlib_stdexcept stdlib_typeinfo)
  list(APPEND sources "${zig_library}/libcxxabi/src/${name}.cpp")
endforeach()
add_library(wasi_runtime STATIC ${sources} "${zig_library}/libunwind/src/Unwind-wasm.c"
                                "${CMAKE_CURRENT_LIST_DIR}/wasi_exception_tag.S")
target_include_directories(wasi_runtime PRIVATE "${zig_library}/libcxx/src" "${zig_library}/libcxx/libc"
                                                "${zig_library}/libcxxabi/include" "${zig_library}/libunwind/include")
target_compile_features(wasi_runtime PRIVATE cxx_std_23)
target_compile_options(wasi_runtime PRIVATE -w)
target_compile_definitions(wasi_runtime PRIVATE _LIBCPP_BUILDING_LIBRARY LIBCXX_BUILDING_LIBCXXABI _LIBCXXABI_BUILDING_LIBRARY
                                                _LIBCXXABI_HAS_NO_THREADS LIBCXXABI_NON_DEMANGLING_TERMINATE
                                                _LIBUNWIND_HIDE_SYMBOLS _LIBUNWIND_HAS_NO_THREADS)
link_libraries(wasi_runtime)
