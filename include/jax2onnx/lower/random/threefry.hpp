#pragma once

#include <jax2onnx/lower/random/words.hpp>

/// Threefry-2x32: 20 rounds that mix a counter of two words under a key of two. Source: Salmon et al., "Parallel random
/// numbers: as easy as 1, 2, 3"; jax/_src/random/threefry2x32.py.
namespace jax2onnx::lower {

using word_pair = std::array<value, 2>;

inline constexpr std::uint32_t threefry_parity = 0x1BD11BDA;
inline constexpr std::array<std::array<int, 4>, 2> threefry_rotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};

/// The mixed counter, on the host.
constexpr std::array<std::uint32_t, 2> threefry2x32(std::array<std::uint32_t, 2> key,
                                                    std::array<std::uint32_t, 2> counter) {
  const std::uint32_t schedule[3] = {key[0], key[1], key[0] ^ key[1] ^ threefry_parity};
  std::uint32_t x = counter[0] + key[0], y = counter[1] + key[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int r : threefry_rotations[group % 2]) {
      x += y;
      y = std::rotl(y, r) ^ x;
    }
    x += schedule[(group + 1) % 3];
    y += schedule[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}
static_assert(threefry2x32({0, 0}, {0, 0}) == std::array<std::uint32_t, 2>{0x6b200159, 0x99ba4efe});

/// The same where key and counter are small constants that broadcast.
inline std::optional<word_pair> folded_threefry(graph& g, const word_pair& key, const word_pair& counter,
                                                const shape& dims) {
  const value operands[] = {key[0], key[1], counter[0], counter[1]};
  std::vector<std::vector<std::uint64_t>> numbers;
  std::uint64_t count = 1;
  for (dim d : dims) {
    if (!d.is_constant()) return std::nullopt;
    count *= static_cast<std::uint64_t>(d.extent());
    if (count > fold_limit / sizeof(std::int64_t)) return std::nullopt;
  }
  for (const value& v : operands) {
    if (!is_foldable(v)) return std::nullopt;
    const value whole = strided_constant(v, dims, 0, broadcast_steps(v.dims(), dims));
    numbers.push_back(*known_numbers(whole));
  }
  std::vector<std::uint64_t> first, second;
  for (std::size_t i = 0; i < count; ++i) {
    const auto word = [&](std::size_t operand) { return static_cast<std::uint32_t>(numbers[operand][i]); };
    const auto mixed = threefry2x32({word(0), word(1)}, {word(2), word(3)});
    first.push_back(mixed[0]);
    second.push_back(mixed[1]);
  }
  return word_pair{constant_numbers(g, dtype::i64, dims, first), constant_numbers(g, dtype::i64, dims, second)};
}

/// x rotated left, given 2^r, r < 30: the low 32 bits of the result, under others.
inline value rotated(const value& x, const value& power) {
  const value product = mul(x, power);
  return bitwise("BitwiseOr", product, div(product, word_mask + 1));
}

/// Five groups of four rounds, each followed by an injection of the key: one Scan over the groups' constants.
inline word_pair threefry_rounds(graph& g, word_pair x, const std::array<value, 3>& schedule) {
  std::array<std::vector<std::uint64_t>, 5> tables;  // the powers of each round, the injection's number
  for (std::uint64_t group = 0; group < 5; ++group) {
    for (std::size_t round = 0; round < 4; ++round)
      tables[round].push_back(std::uint64_t{1} << threefry_rotations[group % 2][round]);
    tables[4].push_back(group + 1);
  }
  std::vector<value> inputs{x[0], x[1], schedule[1], schedule[2], schedule[0]};
  const std::size_t states = inputs.size();
  for (const auto& table : tables) inputs.push_back(constant_numbers(g, dtype::i64, {5}, table));
  const block_scope body(g);
  std::vector<value> in;
  for (std::size_t i = 0; i < states; ++i) in.push_back(g.input(inputs[i].type(), i < 2 ? "x" : "key"));
  for (std::size_t i = 0; i < tables.size(); ++i) in.push_back(g.input({dtype::i64, {}}, i < 4 ? "power" : "group"));
  value a = in[0], b = in[1];
  for (std::size_t round = 0; round < 4; ++round) {
    a = add(a, b);
    b = low_word(xor_of(rotated(b, in[states + round]), a));
  }
  a = add(a, in[2]);
  b = low_word(add(add(b, in[3]), in[states + 4]));
  g.set_outputs(body.id(), std::vector{a, b, in[3], in[4], in[2]});
  const insertion_scope outside(g, g.at(body.id()).parent);
  std::vector<tensor_type> types;
  for (std::size_t i = 0; i < states; ++i) types.push_back(inputs[i].type());
  const std::vector<value> out = g.emit_many(
      "Scan", inputs, types, {{"body", body.id()}, {"num_scan_inputs", static_cast<std::int64_t>(tables.size())}});
  return {out[0], out[1]};
}

/// The mixed counters, of extents `dims`, to which the four words broadcast. The low 32 bits count.
inline word_pair threefry(graph& g, const word_pair& key, const word_pair& counter, const shape& dims) {
  if (const auto folded = folded_threefry(g, key, counter, dims)) return *folded;
  value third = scalar(g, dtype::i64, threefry_parity);
  if (const auto a = constant_integer(key[0]), b = constant_integer(key[1]); a && b)
    third = scalar(g, dtype::i64, *a ^ *b ^ threefry_parity);
  else third = xor_of(xor_of(key[0], key[1]), third);
  const auto started = [&](std::size_t i) {
    const bool zero = constant_integer(counter[i]) == 0;
    return broadcast_to(zero ? key[i] : add(counter[i], key[i]), dims);
  };
  return threefry_rounds(g, {started(0), low_word(started(1))}, {key[0], key[1], third});
}

}  // namespace jax2onnx::lower
