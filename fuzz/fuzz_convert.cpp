// SPDX-License-Identifier: Apache-2.0
#include "conversion.hpp"
#include "mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The new size; 0 if the text is empty or does not fit.
std::size_t store(const std::string& text, std::uint8_t* out, std::size_t max_size) {
  if (text.size() > max_size) return 0;
  std::memcpy(out, text.data(), text.size());
  return text.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::convert_text(view(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::string text = seed % 16 == 0 ? "" : fuzz::mutated(view(data, size), view(data, size), seed);
  const std::size_t stored = store(text, data, max_size);
  return stored ? stored : LLVMFuzzerMutate(data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned seed) {
  return store(fuzz::mutated(view(first, first_size), view(second, second_size), seed), out, max_size);
}
