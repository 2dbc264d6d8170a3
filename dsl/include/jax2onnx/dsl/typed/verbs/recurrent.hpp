// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/recurrent.hpp>
#include <jax2onnx/ops/verbs/recurrent.hpp>

/// The recurrent operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using gru = operator_at<records::recurrent_records, 1>;
using lstm = operator_at<records::recurrent_records, 3>;
using rnn = operator_at<records::recurrent_records, 5>;
}  // namespace typed_operators

/// The attributes of gru as a template argument.
struct gru_attributes_of {
  fixed_optional<std::int64_t> hidden_size = {};
  jax2onnx::direction direction = jax2onnx::direction::forward;
  std::int64_t layout = 0;
  flag linear_before_reset = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {
        known_attribute{
            .name = "hidden_size", .given = hidden_size.given, .integer = static_cast<std::int64_t>(hidden_size.value)},
        known_attribute{
            .name = "direction", .given = direction != jax2onnx::direction::forward, .text = jax2onnx::name(direction)},
        known_attribute{.name = "layout", .given = layout != 0, .integer = static_cast<std::int64_t>(layout)},
        known_attribute{.name = "linear_before_reset",
                        .given = linear_before_reset != false,
                        .integer = static_cast<std::int64_t>(linear_before_reset)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gru_attributes run_time() const {
    return {.hidden_size = hidden_size.get(),
            .direction = direction,
            .layout = layout,
            .linear_before_reset = linear_before_reset};
  }
};

/// The results of gru.
template <class YType, class YHType>
struct gru_results {
  YType y;
  YHType y_h;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes a GRU of one layer (GRU).
/// @{
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto gru(const XType& x, const WType& w, const RType& r, const BType& b = {},
         const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {}) {
  using call = typed_call<typed_operators::gru, default_attributes, 2, XType, WType, RType, BType, SequenceLensType,
                          InitialHType>;
  using results = gru_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::gru(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto gru(const XType& x, const WType& w, const RType& r, const BType& b, const SequenceLensType& sequence_lens,
         const InitialHType& initial_h, const jax2onnx::gru_attributes& attributes) {
  using call = typed_call<typed_operators::gru, run_time_attributes, 2, XType, WType, RType, BType, SequenceLensType,
                          InitialHType>;
  using results = gru_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::gru(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <gru_attributes_of Attributes, class XType, class WType, class RType, class BType = absent,
          class SequenceLensType = absent, class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto gru(const XType& x, const WType& w, const RType& r, const BType& b = {},
         const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {}) {
  using call = typed_call<typed_operators::gru, fixed_attributes<Attributes>, 2, XType, WType, RType, BType,
                          SequenceLensType, InitialHType>;
  using results = gru_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::gru(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of lstm as a template argument.
struct lstm_attributes_of {
  fixed_optional<std::int64_t> hidden_size = {};
  jax2onnx::direction direction = jax2onnx::direction::forward;
  flag input_forget = false;
  std::int64_t layout = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {
        known_attribute{
            .name = "hidden_size", .given = hidden_size.given, .integer = static_cast<std::int64_t>(hidden_size.value)},
        known_attribute{
            .name = "direction", .given = direction != jax2onnx::direction::forward, .text = jax2onnx::name(direction)},
        known_attribute{
            .name = "input_forget", .given = input_forget != false, .integer = static_cast<std::int64_t>(input_forget)},
        known_attribute{.name = "layout", .given = layout != 0, .integer = static_cast<std::int64_t>(layout)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::lstm_attributes run_time() const {
    return {.hidden_size = hidden_size.get(), .direction = direction, .input_forget = input_forget, .layout = layout};
  }
};

/// The results of lstm.
template <class YType, class YHType, class YCType>
struct lstm_results {
  YType y;
  YHType y_h;
  YCType y_c;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes an LSTM of one layer (LSTM).
/// @{
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent, class InitialCType = absent, class PType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType, InitialCType, PType>
auto lstm(const XType& x, const WType& w, const RType& r, const BType& b = {},
          const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {},
          const InitialCType& initial_c = {}, const PType& p = {}) {
  using call = typed_call<typed_operators::lstm, default_attributes, 3, XType, WType, RType, BType, SequenceLensType,
                          InitialHType, InitialCType, PType>;
  using results = lstm_results<typename call::template output<0>, typename call::template output<1>,
                               typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::lstm(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                       as_operand(initial_h), as_operand(initial_c), as_operand(p), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h),
                   call::template result<2>(made.y_c)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent, class InitialCType = absent, class PType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType, InitialCType, PType>
auto lstm(const XType& x, const WType& w, const RType& r, const BType& b, const SequenceLensType& sequence_lens,
          const InitialHType& initial_h, const InitialCType& initial_c, const PType& p,
          const jax2onnx::lstm_attributes& attributes) {
  using call = typed_call<typed_operators::lstm, run_time_attributes, 3, XType, WType, RType, BType, SequenceLensType,
                          InitialHType, InitialCType, PType>;
  using results = lstm_results<typename call::template output<0>, typename call::template output<1>,
                               typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::lstm(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                       as_operand(initial_h), as_operand(initial_c), as_operand(p), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h),
                   call::template result<2>(made.y_c)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
template <lstm_attributes_of Attributes, class XType, class WType, class RType, class BType = absent,
          class SequenceLensType = absent, class InitialHType = absent, class InitialCType = absent,
          class PType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType, InitialCType, PType>
auto lstm(const XType& x, const WType& w, const RType& r, const BType& b = {},
          const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {},
          const InitialCType& initial_c = {}, const PType& p = {}) {
  using call = typed_call<typed_operators::lstm, fixed_attributes<Attributes>, 3, XType, WType, RType, BType,
                          SequenceLensType, InitialHType, InitialCType, PType>;
  using results = lstm_results<typename call::template output<0>, typename call::template output<1>,
                               typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made =
        jax2onnx::lstm(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                       as_operand(initial_h), as_operand(initial_c), as_operand(p), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h),
                   call::template result<2>(made.y_c)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
/// @}

/// The attributes of rnn as a template argument.
struct rnn_attributes_of {
  fixed_optional<std::int64_t> hidden_size = {};
  jax2onnx::direction direction = jax2onnx::direction::forward;
  std::int64_t layout = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{
            .name = "hidden_size", .given = hidden_size.given, .integer = static_cast<std::int64_t>(hidden_size.value)},
        known_attribute{
            .name = "direction", .given = direction != jax2onnx::direction::forward, .text = jax2onnx::name(direction)},
        known_attribute{.name = "layout", .given = layout != 0, .integer = static_cast<std::int64_t>(layout)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::rnn_attributes run_time() const {
    return {.hidden_size = hidden_size.get(), .direction = direction, .layout = layout};
  }
};

/// The results of rnn.
template <class YType, class YHType>
struct rnn_results {
  YType y;
  YHType y_h;
  /// The first result; the others are optional.
  /// @{
  const YType& first_output() const { return y; }
  operator const value&() const { return y; }
  /// @}
};

/// Computes a simple RNN of one layer (RNN).
/// @{
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto rnn(const XType& x, const WType& w, const RType& r, const BType& b = {},
         const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {}) {
  using call = typed_call<typed_operators::rnn, default_attributes, 2, XType, WType, RType, BType, SequenceLensType,
                          InitialHType>;
  using results = rnn_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::rnn(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType, class WType, class RType, class BType = absent, class SequenceLensType = absent,
          class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto rnn(const XType& x, const WType& w, const RType& r, const BType& b, const SequenceLensType& sequence_lens,
         const InitialHType& initial_h, const jax2onnx::rnn_attributes& attributes) {
  using call = typed_call<typed_operators::rnn, run_time_attributes, 2, XType, WType, RType, BType, SequenceLensType,
                          InitialHType>;
  using results = rnn_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::rnn(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <rnn_attributes_of Attributes, class XType, class WType, class RType, class BType = absent,
          class SequenceLensType = absent, class InitialHType = absent>
requires typed_operands<XType, WType, RType, BType, SequenceLensType, InitialHType>
auto rnn(const XType& x, const WType& w, const RType& r, const BType& b = {},
         const SequenceLensType& sequence_lens = {}, const InitialHType& initial_h = {}) {
  using call = typed_call<typed_operators::rnn, fixed_attributes<Attributes>, 2, XType, WType, RType, BType,
                          SequenceLensType, InitialHType>;
  using results = rnn_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::rnn(as_value(x), as_operand(w), as_operand(r), as_operand(b), as_operand(sequence_lens),
                                    as_operand(initial_h), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.y_h)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

}  // namespace jax2onnx
