// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Signatures of random keys and bits. Sources: the abstract evaluations of jax/_src/prng.py, and
/// _rng_bit_generator_shape_rule of jax._src.lax.lax.
namespace jax2onnx::lower {

inline shape joined_shape(const shape& a, const shape& b) {
  shape out = a;
  out.append(b);
  return out;
}

/// The printed element type of the keys in result 0; if the jaxpr states no results, the type that the parameter `impl`
/// names.
inline element key_element(const site& s) {
  const jaxpr::value* impl = s.find("impl");
  if (impl && s.has_open_results()) {
    const element key = element_named("key<" + std::string(impl->text) + ">");
    if (key.cls != element_class::key)
      s.malformed(detail::message("its impl '{}' is not a generator that JAX has", impl->text));
    return key;
  }
  const element printed = s.out_type().elem;
  if (printed.cls != element_class::key) s.malformed("its result is not a key");
  if (impl && "key<" + std::string(impl->text) + ">" != printed.name)
    s.malformed(detail::message("its result is a {}, but its impl is {}", printed.name, impl->text));
  return printed;
}

inline std::vector<aval> random_seed_types(const site& s) {
  require_kind(s, 0, kinds::integer);
  return {{key_element(s), s.in_type(0).dims}};
}

/// The shape of keys as arrays of words: the words of a key are along a new last axis.
inline shape with_words(const shape& keys, const element& key) { return joined_shape(keys, {dim(key.parts)}); }

inline std::vector<aval> random_wrap_types(const site& s) {
  const aval &words = s.in_type(0), key{key_element(s), words.dims.head(std::max<std::int64_t>(words.rank() - 1, 0))};
  require_shape(s, 0, with_words(key.dims, key.elem), "the words of its keys");
  if (words.elem != element_named("u32"))
    s.malformed(detail::message("operand 0 is {}; it must be u32", words.elem.name));
  return {key};
}

inline std::vector<aval> random_unwrap_types(const site& s) {
  require_kind(s, 0, kinds::key);
  return {{element_named("u32"), with_words(s.in_type(0).dims, s.in_type(0).elem)}};
}

inline std::vector<aval> random_clone_types(const site& s) {
  require_kind(s, 0, kinds::key);
  return {s.in_type(0)};
}

/// The parameter shape, which is an integer in old versions of JAX.
inline shape drawn_shape(const site& s) {
  const jaxpr::value& v = s.tree("shape");
  shape dims = v.tag == jaxpr::value::kind::integer ? shape{s.param<dim>("shape")} : s.param<shape>("shape");
  for (dim d : dims)
    if (provably_less(s.g.dims(), d, 0))
      s.malformed(detail::message("its shape is {}; extents must not be negative", s.g.dims().text(dims)));
  return dims;
}

inline std::vector<aval> random_split_types(const site& s) {
  require_kind(s, 0, kinds::key);
  return {{s.in_type(0).elem, joined_shape(s.in_type(0).dims, drawn_shape(s))}};
}

inline std::vector<aval> random_fold_in_types(const site& s) {
  require_kind(s, 0, kinds::key);
  require_kind(s, 1, kinds::integer);
  return {{s.in_type(0).elem, common_shape(s)}};
}

inline std::vector<aval> random_bits_types(const site& s) {
  require_kind(s, 0, kinds::key);
  const auto width = s.param<std::int64_t>("bit_width");
  for (std::string_view name : {"u8", "u16", "u32", "u64"})
    if (bits(element_named(name).part) == width)
      return {{element_named(name), joined_shape(s.in_type(0).dims, drawn_shape(s))}};
  s.malformed(detail::message("its bit_width is {}; it must be 8, 16, 32 or 64", width));
}

/// random_gamma key shape…: the leading dimensions of the gamma shapes are the dimensions of the keys.
inline std::vector<aval> random_gamma_types(const site& s) {
  require_kind(s, 0, kinds::key);
  require_kind(s, 1, kinds::floating);
  const aval &keys = s.in_type(0), &a = s.in_type(1);
  if (keys.rank() > a.rank() || provably_differ(s.g.dims(), keys.dims, a.dims.head(keys.rank())))
    s.malformed(detail::message("operand 0 is {}; its shape must be the leading dimensions of operand 1, which is {}",
                                text(s.g.dims(), keys), text(s.g.dims(), a)));
  return {a};
}

/// A cipher on words, such as threefry2x32 key0 key1 counter0 counter1. The results are the words of the mixed counter.
template <std::size_t Results>
std::vector<aval> cipher_types(const site& s) {
  const aval word{element_named("u32"), common_shape(s)};
  for (std::size_t i = 0; i < s.arity(); ++i)
    if (s.in_type(i).elem != word.elem)
      s.malformed(detail::message("operand {} is {}; it must be u32", i, text(s.g.dims(), s.in_type(i))));
  return std::vector<aval>(Results, word);
}

inline std::vector<aval> iota_2x32_types(const site& s) {
  const aval word{element_named("u32"), drawn_shape(s)};
  return {word, word};
}

/// rng_bit_generator key: the key is u32[4] or u64[2].
inline std::vector<aval> rng_bit_generator_types(const site& s) {
  const aval& key = s.in_type(0);
  const bool narrow = key.elem == element_named("u32") && key.dims == shape{4};
  if (!narrow && (key.elem != element_named("u64") || key.dims != shape{2}))
    s.malformed(detail::message("operand 0 is {}; it must be u32[4] or u64[2]", text(s.g.dims(), key)));
  const element drawn = s.param<element>("dtype");
  if (kind_of(drawn) != kinds::unsigned_integer || bits(drawn.part) < 8)
    s.malformed(detail::message("its dtype is {}; it must be an unsigned integer type", drawn.name));
  return {key, {drawn, drawn_shape(s)}};
}

inline constexpr signature random_seed_signature{1, 1, random_seed_types, {{"impl", param_form::name}}};
inline constexpr signature random_wrap_signature{1, 1, random_wrap_types, {{"impl", param_form::name}}};
inline constexpr signature random_unwrap_signature{1, 1, random_unwrap_types};
inline constexpr signature random_clone_signature{1, 1, random_clone_types};
inline constexpr signature random_split_signature{1, 1, random_split_types, {{"shape", param_form::other}}};
inline constexpr signature random_fold_in_signature{2, 1, random_fold_in_types};
inline constexpr signature random_bits_signature{
    1, 1, random_bits_types, {{"shape", param_form::dims}, {"bit_width", param_form::number, 8, 64}}};
inline constexpr signature random_gamma_signature{2, 1, random_gamma_types, {{"log_space", param_form::flag}}};
inline constexpr signature threefry_signature{4, 2, cipher_types<2>};
inline constexpr signature threefry4x32_signature{8, 4, cipher_types<4>};
inline constexpr signature philox2x32_signature{3, 2, cipher_types<2>};
inline constexpr signature philox4x32_signature{6, 4, cipher_types<4>};
inline constexpr signature iota_2x32_signature{0, 2, iota_2x32_types, {{"shape", param_form::dims}}};
inline constexpr signature rng_bit_generator_signature{
    1,
    2,
    rng_bit_generator_types,
    {{"algorithm", param_form::name}, {"dtype", param_form::element}, {"shape", param_form::dims}}};

}  // namespace jax2onnx::lower
