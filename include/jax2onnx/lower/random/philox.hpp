#pragma once

#include <algorithm>

#include <jax2onnx/lower/random/threefry.hpp>

/// Philox-4x32-10 and XLA's RngBitGenerator. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"; XLA's
/// xla/hlo/builder/lib/prng.cc and rng_bit_generator_expander.cc.
namespace jax2onnx::lower {

/// 64-bit numbers of two words each, of which the low 32 bits count.
inline value long_words(const value& low, const value& high) {
  graph& g = low.owner();
  const auto a = known_numbers(low), b = known_numbers(high);
  if (a && b) {
    std::vector<std::uint64_t> numbers(a->size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = ((*a)[i] & 0xffffffff) | (*b)[i] << 32;
    return constant_numbers(g, dtype::u64, low.dims(), numbers);
  }
  const value shift = scalar(g, dtype::u64, 32);
  const value upper = g.emit("BitShift", {cast(high, dtype::u64), shift}, {dtype::u64, high.dims()},
                             {{"direction", std::string("LEFT")}});
  return bitwise("BitwiseOr", upper, cast(low_word(low), dtype::u64));
}

/// High and low word of x times an odd constant of 2^31 or more.
inline word_pair wide_product(const value& x, std::uint32_t factor) {
  // The factor less 2^32 keeps the product in 63 bits: it has the same low word, and its high word lacks x.
  const value product = mul(x, static_cast<std::int64_t>(factor) - (word_mask + 1));
  const value low = low_word(product);
  return {add(div(sub(product, low), word_mask + 1), x), low};
}

/// Ten rounds on four words under a key of two: one Scan over the keys of the rounds. Keys broadcast to the words.
inline std::array<value, 4> philox(graph& g, const std::array<value, 4>& counter, const word_pair& key) {
  constexpr std::uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85}, factors[2] = {0xD2511F53, 0xCD9E8D57};
  std::vector<value> inputs(counter.begin(), counter.end());
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::uint64_t> steps;
    for (std::uint32_t round = 0; round < 10; ++round) steps.push_back(static_cast<std::uint32_t>(weyl[i] * round));
    shape rounds(key[i].dims().size() + 1, dim(1));
    rounds[0] = 10;
    inputs.push_back(low_word(add(constant_numbers(g, dtype::i64, rounds, steps), key[i])));
  }
  const block_scope body(g);
  std::vector<value> in;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    in.push_back(g.input({dtype::i64, (i < 4 ? inputs[i] : key[i - 4]).dims()}, i < 4 ? "x" : "key"));
  const word_pair p = wide_product(in[0], factors[0]), q = wide_product(in[2], factors[1]);
  const value first = low_word(xor_of(xor_of(q[0], in[1]), in[4])),
              third = low_word(xor_of(xor_of(p[0], in[3]), in[5]));
  g.set_outputs(body.id(), std::vector{first, q[1], third, p[1]});
  const insertion_scope outside(g, g.at(body.id()).parent);
  const std::vector<tensor_type> types(4, inputs[0].type());
  const std::vector<value> out =
      g.emit_many("Scan", inputs, types, {{"body", body.id()}, {"num_scan_inputs", std::int64_t{2}}});
  return {out[0], out[1], out[2], out[3]};
}

/// The four words of a generator's state, the first two of which are its key, as XLA's u64[2] has them in order.
using generator_state = std::array<value, 4>;

/// The two words of the number first + 2^32 second + step.
inline word_pair advanced(const value& first, const value& second, const value& step) {
  const value sum = add(first, step);
  return {low_word(sum), low_word(add(second, div(sum, word_mask + 1)))};
}

/// The words of the blocks of those numbers: the counter's low half is the state's, its high half the key.
inline std::array<value, 4> philox_blocks(graph& g, const generator_state& state, const value& numbers) {
  std::array<value, 4> counter;
  value carry = numbers;
  for (std::size_t i = 0; i < 4; ++i) {
    const value sum = add(state[(i + 2) % 4], carry);
    counter[i] = low_word(sum);
    if (i < 3) carry = div(sum, word_mask + 1);
  }
  return philox(g, counter, {state[0], state[1]});
}

/// `count` blocks of four words: [count, 4].
inline value philox_stream(graph& g, const generator_state& state, dim count) {
  std::vector<value> columns;
  for (const value& word : philox_blocks(g, state, linear_index(g, {count}))) columns.push_back(unsqueeze(word, {1}));
  return concat(columns, 1);
}

/// Extents for XLA's split of an array in halves: along its first even dimension, else its largest.
struct halves {
  std::size_t axis = 0;
  shape dims;
};
inline halves split_in_halves(const shape& dims) {
  if (dims.empty()) return {0, {1}};
  halves h{0, dims};
  std::size_t i = 0;
  while (i < dims.size() && dims[i].extent() % 2) ++i;
  h.axis = i;
  if (i == dims.size()) {
    h.axis = 0;
    for (std::size_t j = 1; j < dims.size(); ++j)
      if (dims[j].extent() > dims[h.axis].extent()) h.axis = j;
  }
  h.dims[h.axis] = (dims[h.axis].extent() + 1) / 2;
  return h;
}

/// Words in the low half of int64, with the extents `dims`, by the generator's Threefry; how far the state advances.
inline value threefry_words(graph& g, const generator_state& state, const shape& dims, dim& steps) {
  const halves h = split_in_halves(dims);
  steps = g.dims().product(h.dims);
  const word_pair counter = advanced(state[2], state[3], linear_index(g, h.dims));
  const word_pair mixed = threefry(g, {state[0], state[1]}, counter, h.dims);
  if (dims.empty()) return jax2onnx::reshape(mixed[0], {});
  const auto axis = static_cast<std::int64_t>(h.axis);
  const value both = concat({unsqueeze(mixed[0], {axis + 1}), unsqueeze(mixed[1], {axis + 1})}, axis + 1);
  shape padded = dims;
  padded[h.axis] = g.dims().mul(h.dims[h.axis], 2);
  return jax2onnx::slice(jax2onnx::reshape(both, padded), axis, 0, dims[h.axis]);
}

}  // namespace jax2onnx::lower
