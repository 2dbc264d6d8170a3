// SPDX-License-Identifier: Apache-2.0
// Equations per second of every phase, on chains of tanh(x @ x + 1). Phases are linear if this is the same at every
// length.

#include "chain.hpp"

#include <chrono>
#include <ostream>
#include <streambuf>

#include <benchmark/benchmark.h>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>

namespace {

using phase = std::chrono::nanoseconds jax2onnx::statistics::*;

void lengths(benchmark::internal::Benchmark* b) {
  b->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
}

void count(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * state.range(0)); }

/// Converts. Only the time of `which` is measured.
void convert(benchmark::State& state, phase which) {
  const std::string text = chain_text(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const jax2onnx::conversion made = jax2onnx::convert(text, {});
    state.SetIterationTime(std::chrono::duration<double>(made.stats.*which).count());
  }
  count(state);
}
BENCHMARK_CAPTURE(convert, parse, &jax2onnx::statistics::parse)->Apply(lengths)->UseManualTime();
BENCHMARK_CAPTURE(convert, lower, &jax2onnx::statistics::lower)->Apply(lengths)->UseManualTime();
BENCHMARK_CAPTURE(convert, rewrite, &jax2onnx::statistics::rewrite)->Apply(lengths)->UseManualTime();

struct null_buffer final : std::streambuf {
  std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
  int overflow(int c) override { return c; }
};

void emit(benchmark::State& state) {
  const std::string text = chain_text(static_cast<std::size_t>(state.range(0)));
  const jax2onnx::conversion made = jax2onnx::convert(text, {});
  null_buffer nowhere;
  std::ostream out(&nowhere);
  for (auto _ : state) benchmark::DoNotOptimize(jax2onnx::write_model(made.model, {}, out).model_bytes);
  count(state);
}
BENCHMARK(emit)->Apply(lengths);

}  // namespace
