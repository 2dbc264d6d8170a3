# SPDX-License-Identifier: Apache-2.0
# Writes the file PAGE as an array into the C++ file SOURCE.
file(READ "${PAGE}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(....................................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE "${SOURCE}" "#include \"report_page.hpp\"

namespace jax2onnx::detail {

const unsigned char report_page[] = {
${bytes}};
const std::size_t report_page_size = ${size};

}  // namespace jax2onnx::detail
")
