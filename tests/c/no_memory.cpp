// SPDX-License-Identifier: Apache-2.0
// If there is memory neither for a result nor for an error, the error still has its problem.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <jax2onnx/jax2onnx.h>

namespace {

bool exhausted = false;

}  // namespace

void* operator new(std::size_t size) {
  void* memory = exhausted ? nullptr : std::malloc(size);
  return memory ? memory : throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  const char text[] = "{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }";
  jax2onnx_model* model = nullptr;
  jax2onnx_error* error = nullptr;
  exhausted = true;
  const int status = jax2onnx_convert(text, std::strlen(text), nullptr, nullptr, &model, &error);
  exhausted = false;
  const bool told = status == JAX2ONNX_REFUSED && jax2onnx_error_status(error) == status &&
                    jax2onnx_error_count(error) == 1 && !std::strcmp(jax2onnx_error_code(error, 0), "limit") &&
                    !std::strcmp(jax2onnx_error_message(error, 0), "out of memory") && !jax2onnx_error_code(error, 1) &&
                    std::strstr(jax2onnx_error_text(error), "out of memory");
  jax2onnx_error_free(error);
  if (!told) return std::puts("an error without memory has no problem"), EXIT_FAILURE;
  return model ? EXIT_FAILURE : EXIT_SUCCESS;
}
