// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <jax2onnx/graph/tensor_type.hpp>

/// The ONNX specification of operators, as data. Verbs, checks of whole graphs and the documentation read the same
/// records.
namespace jax2onnx {

/// Types that an operand may have.
struct type_set {
  std::uint32_t tensors = 0, sequences = 0, optionals = 0, optional_sequences = 0;  ///< a bit for each dtype

  /// The dtypes that a value of this kind may have.
  constexpr std::uint32_t of(value_kind kind) const {
    const std::uint32_t kinds[] = {tensors, sequences, optionals, optional_sequences};
    return kinds[static_cast<std::size_t>(kind)];
  }
  /// True if the set contains a type.
  constexpr bool has(const tensor_type& t) const { return of(t.kind) >> static_cast<unsigned>(t.type) & 1; }
};

namespace records {

/// A set of dtypes.
constexpr std::uint32_t types(std::initializer_list<dtype> list) {
  std::uint32_t bits = 0;
  for (dtype t : list) bits |= std::uint32_t{1} << static_cast<unsigned>(t);
  return bits;
}

/// Dtypes that constraints name together.
/// @{
inline constexpr std::uint32_t floats = types({dtype::f16, dtype::f32, dtype::f64});
inline constexpr std::uint32_t signed_integers = types({dtype::i8, dtype::i16, dtype::i32, dtype::i64});
inline constexpr std::uint32_t unsigned_integers = types({dtype::u8, dtype::u16, dtype::u32, dtype::u64});
inline constexpr std::uint32_t numbers = floats | signed_integers | unsigned_integers;
inline constexpr std::uint32_t complex_numbers = types({dtype::c64, dtype::c128});
inline constexpr std::uint32_t basic_types = numbers | complex_numbers | types({dtype::boolean, dtype::string});
inline constexpr std::uint32_t float8s =
    types({dtype::f8_e4m3fn, dtype::f8_e4m3fnuz, dtype::f8_e5m2, dtype::f8_e5m2fnuz});
inline constexpr std::uint32_t int4s = types({dtype::i4, dtype::u4});
inline constexpr std::uint32_t int2s = types({dtype::i2, dtype::u2});
/// @}

}  // namespace records

/// A type variable of an operator. All operands and results that name the variable have one dtype, and one kind.
struct type_constraint {
  std::string_view name;  ///< the name in the specification; a fixed type has its own name
  type_set allowed;       ///< the types that the variable allows
};

/// Says whether an operand or result may be absent, or occur several times.
enum class presence : std::uint8_t { required, optional, variadic };

/// An operand or result of an operator.
struct formal {
  std::string_view name;                ///< the name in the specification
  std::uint8_t type;                    ///< index into op_record::constraints
  presence count = presence::required;  ///< how often the operand or result occurs
  bool homogeneous = true;              ///< true if all values of a variadic operand or result have one type
};

/// The kinds of values of attributes.
enum class attribute_kind : std::uint8_t { integer, real, text, integers, reals, texts, tensor, body, type, sparse };

/// The value of an attribute that is not given. Only the member of the attribute's kind counts.
struct default_value {
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text = {};
  std::span<const std::int64_t> integers = {};
};

/// An attribute of an operator.
struct formal_attribute {
  /// Says whether the attribute has to be given, and if not, whether it has a default.
  enum class need : std::uint8_t { required, optional, defaulted };
  std::string_view name;        ///< the name in the specification
  attribute_kind kind;          ///< the kind of its value
  need given = need::optional;  ///< whether calls must give it, and whether it has a default
  default_value standard = {};  ///< the default
};

class inference;

/// Computes the types of an operator's results.
struct infer_rule {
  void (*apply)(inference&) = nullptr;  ///< states the results
  bool any_type = false;                ///< true if the rule accepts operands of unknown rank, sequences and optionals
};

/// A pointer into the records, or null. A flag tells whether there is a record: with -fsanitize=undefined, GCC cannot
/// compare an address with null while compiling.
template <class T>
class found {
 public:
  /// A pointer that is null, or a record.
  /// @{
  constexpr found(std::nullptr_t = nullptr) {}
  constexpr found(const T& t) : at_(&t), is_there_(true) {}
  /// @}
  constexpr explicit operator bool() const { return is_there_; }
  constexpr operator const T*() const { return at_; }
  constexpr const T& operator*() const { return *at_; }
  constexpr const T* operator->() const { return at_; }

 private:
  const T* at_ = nullptr;
  bool is_there_ = false;
};

/// The form of an operator since a version of its domain.
struct op_record {
  std::string_view name, domain;                 ///< the domain of ai.onnx is empty
  int since;                                     ///< the first version of the domain with this form
  std::span<const formal> inputs, outputs;       ///< operands and results, in order
  std::span<const type_constraint> constraints;  ///< the type variables of inputs and outputs
  std::span<const formal_attribute> attributes;  ///< sorted by name
  std::uint8_t least_inputs, least_outputs;      ///< the least number of inputs, and of outputs
  infer_rule rule;                               ///< computes the types of the results
  std::string_view doc;                          ///< a description in one line
  bool deterministic = true;                     ///< true if equal operands give equal results

  /// The operand or result with index i, null if there is none. A variadic operand includes all operands from its own
  /// index on.
  static constexpr found<formal> at(std::span<const formal> formals, std::size_t i) {
    if (i < formals.size()) return formals[i];
    if (!formals.empty() && formals.back().count == presence::variadic) return formals.back();
    return {};
  }
  /// The attribute with this name; null if there is none.
  constexpr found<formal_attribute> find(std::string_view attribute) const {
    for (const formal_attribute& a : attributes)
      if (a.name == attribute) return a;
    return {};
  }
};

}  // namespace jax2onnx
