// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <jax2onnx/lower/random/cipher_keys.hpp>
#include <jax2onnx/lower/random/rbg_keys.hpp>
#include <jax2onnx/lower/random/threefry_keys.hpp>

/// The key implementations of JAX (jax.random.key(seed, impl=...)).
namespace jax2onnx::lower {

/// The operations of an implementation on keys.
struct key_scheme {
  std::string_view keys;  ///< element type of the keys
  jax_value (*seed)(const site&, const value& number);
  jax_value (*split)(const site&, const jax_value& key, const shape& dims);
  jax_value (*split_of_each)(const site&, const jax_value& keys, const shape& dims);  ///< each key by itself
  jax_value (*fold_in)(const site&, const jax_value& key, const value& number);
  value (*bits)(const site&, const jax_value& key, int width, const shape& dims);  ///< [keys..., dims...]
  value (*bits_of_each)(const site&, const jax_value& keys, int width);            ///< [keys...], each key by itself
};

template <value (*Bits)(const site&, const jax_value&, int, const shape&)>
value without_dims(const site& s, const jax_value& keys, int width) {
  return Bits(s, keys, width, {});
}
template <const cipher& C>
constexpr key_scheme scheme_of(std::string_view keys) {
  return {keys,
          cipher_seed<C>,
          cipher_split<C>,
          cipher_split<C>,
          cipher_fold_in<C>,
          cipher_bits<C>,
          without_dims<cipher_bits<C>>};
}

inline constexpr key_scheme key_schemes[] = {
    {"key<fry>", threefry_seed, threefry_split, threefry_split, threefry_fold_in, threefry_bits,
     without_dims<threefry_bits>},
    {"key<rbg>", threefry_seed, threefry_split, threefry_split, threefry_fold_in, rbg_bits, rbg_bits_of_each},
    {"key<urbg>", threefry_seed, unsafe_split, unsafe_split_of_each, unsafe_fold_in, rbg_bits, rbg_bits_of_each},
    scheme_of<threefry4x32_cipher>("key<fry4>"),
    scheme_of<philox2x32_cipher>("key<phx2>"),
    scheme_of<philox4x32_cipher>("key<phx4>"),
};

/// The scheme of a type of keys.
inline const key_scheme& scheme(const aval& keys) {
  const key_scheme* found = key_schemes;
  while (found->keys != keys.elem.name) ++found;
  return *found;
}

}  // namespace jax2onnx::lower
