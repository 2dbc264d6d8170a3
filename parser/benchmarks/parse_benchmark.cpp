// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include <jaxpr/jaxpr.hpp>

namespace {

// The goal is 270 MB/s, both for 30,000 equations (1.9 MB in 7 ms) and for 1,000,000.
void parse_chain(benchmark::State& state) {
  const std::string text = chain_text(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(jaxpr::parse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_chain)->Arg(300)->Arg(3000)->Arg(30000)->Arg(300000)->Arg(1000000)->Unit(benchmark::kMillisecond);

void print_chain(benchmark::State& state) {
  const std::string text = chain_text(static_cast<std::size_t>(state.range(0)));
  const jaxpr::program parsed = jaxpr::parse(text);
  for (auto _ : state) benchmark::DoNotOptimize(jaxpr::print(parsed));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(print_chain)->Arg(30000)->Unit(benchmark::kMillisecond);

}  // namespace
