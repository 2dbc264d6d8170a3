// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>

#include <jaxpr/config.hpp>

/// The syntax tree of a printed jaxpr. Nodes live in the arena of their `program`. Strings are views of the program's
/// text or of its arena. A tree is never modified after parsing, so any number of threads may read it.
namespace jaxpr {

struct body;

/// Bytes [begin, end) of the program's text.
struct span {
  std::uint32_t begin = 0;  ///< the first byte
  std::uint32_t end = 0;    ///< one past the last byte
  friend constexpr bool operator==(const span&, const span&) = default;
};

/// Returns whether `part` is a view into `text`.
inline bool is_part_of(std::string_view part, std::string_view text) {
  const auto address = [](const char* p) { return reinterpret_cast<std::uintptr_t>(p); };
  return address(text.data()) <= address(part.data()) &&
         address(part.data() + part.size()) <= address(text.data() + text.size());
}

/// The bytes of `text` that `part` views; {0, 0} if `part` is not a view into `text`.
inline span span_of(std::string_view part, std::string_view text) {
  if (!is_part_of(part, text)) return {};
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

/// A read-only sequence in the arena. Unlike a std::span, a list may be a member of its element type: a `value` has a
/// list of values.
template <class T>
class list {
 public:
  using value_type = T;  ///< the type of the elements
  constexpr list() = default;
  /// A list of the given elements, which must outlive the list.
  /// @{
  template <class Range>
  requires(!std::same_as<Range, list> &&
           std::convertible_to<const Range&, std::span<const T>>) constexpr list(const Range& elements)
      : list(std::data(elements), std::size(elements)) {}
  constexpr list(const T* data, std::size_t size) : data_(data), size_(size) {}
  /// @}

  /// The members that a std::span has.
  /// @{
  constexpr const T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr list subspan(std::size_t offset) const { return {data_ + offset, size_ - offset}; }
  constexpr list subspan(std::size_t offset, std::size_t count) const { return {data_ + offset, count}; }
  constexpr list first(std::size_t count) const { return subspan(0, count); }
  constexpr list last(std::size_t count) const { return subspan(size_ - count); }
  /// @}

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// One dimension of a printed type: `784`, or the text of a symbolic expression such as `2*b + 1`.
struct extent {
  std::int64_t size = 0;        ///< meaningful only if `expression` is empty
  std::string_view expression;  ///< the expression as it is printed, without a sharding annotation
  /// Returns whether the dimension is an expression.
  constexpr bool symbolic() const { return !expression.empty(); }
};

/// The kinds of types.
enum class type_kind : std::uint8_t {
  array,   ///< f32[2,3], key<fry>[4]
  ref,     ///< a mutable reference, Ref{f32[4]}, with the dtype and dims of the array it refers to
  opaque,  ///< Tok or BoxTy, which have neither a dtype nor dims
};

/// A printed type. Types with the same spelling share one node.
struct type {
  type_kind kind = type_kind::opaque;  ///< decides which other members are set
  std::string_view text;               ///< the type as it is printed, annotations included
  /// The short name, such as f32, bool or key<fry>; NumPy's long name in the Ref{float32[4]} of old JAX versions.
  std::string_view dtype;
  list<extent> dims;  ///< outermost first
};

/// The binding of a variable. `slot` numbers the variables of one body from 0: first the constvars, then the invars,
/// then the results of the equations.
struct binder {
  std::string_view name;             ///< `_` if the result is dropped
  const type* annotation = nullptr;  ///< null only if the text was printed with print_shapes=False
  std::uint32_t slot = 0;            ///< the variable's number in its body
};

/// An operand of an equation or a result of a body.
struct atom {
  /// Slots of operands that are not variables.
  /// @{
  static constexpr std::uint32_t literal_slot = 0xffffffff;
  static constexpr std::uint32_t dropped_slot = 0xfffffffe;
  /// @}
  std::string_view text;              ///< the variable's name, or the literal without its type
  const type* annotation = nullptr;   ///< the literal's type, or the binder's; null if unknown
  std::uint32_t slot = literal_slot;  ///< the variable's slot, or one of the two constants above
  /// Returns whether the operand is a literal.
  constexpr bool is_literal() const { return slot == literal_slot; }
  /// Returns whether the operand is a `_` whose variable is unknown: a result that no caller reads, or an ambiguous
  /// operand that parse_options::keep_ambiguous allowed.
  constexpr bool is_dropped() const { return slot == dropped_slot; }
};

struct keyword_value;

/// The value of a parameter, as Python's str() prints it; a tree if the text has structure.
struct value {
  /// The kinds of values. The comment of each member below names the kinds for which the member is set.
  enum class kind : std::uint8_t {
    none,      ///< None
    boolean,   ///< True, False
    integer,   ///< 3, np.int64(3)
    floating,  ///< 1.5, nan, -inf, np.float32(1e-05)
    string,    ///< 'a', quotes included
    name,      ///< float32, GatherScatterMode.CLIP, b (a dimension)
    tuple,     ///< (1, 2), ({ lambda … } { lambda … })
    sequence,  ///< [1, 2]
    call,      ///< GatherDimensionNumbers(offset_dims=(1,), …), _LinearSolveTuple(matvec={ lambda … })
    body,      ///< a jaxpr, printed in place or referred to by name
    raw,       ///< anything else: `<function …>`, 2*b + 1, a function's name with blanks
  };
  kind tag = kind::raw;               ///< decides which members are set
  bool flag = false;                  ///< the value of a boolean
  std::string_view text;              ///< the value as it is printed
  std::int64_t integer = 0;           ///< the value of an integer or boolean
  double floating = 0;                ///< the value of a floating-point number, integer or boolean
  list<value> items;                  ///< elements of a tuple or sequence, positional arguments of a call
  list<keyword_value> keywords;       ///< keyword arguments of a call
  std::string_view callee;            ///< name of the function of a call
  const jaxpr::body* body = nullptr;  ///< the jaxpr of a `body`
};

/// A keyword argument of a call.
struct keyword_value {
  std::string_view key;  ///< its name
  value val;             ///< its value
};

/// A parameter of an equation.
struct param {
  std::string_view key;  ///< its name
  value val;             ///< its value
};

/// The form in which an equation was printed. Every form except `plain` is syntax for a primitive of
/// jax.experimental.state. The comment beside each form lists the first operands. The variables of the index follow, in
/// order and with repetitions, then the mask, then the value to use where the mask is false. For example, the primitive
/// of `a:f32[4] <- b[0] mask=c other=d` is `masked_load`, with the parameters `mask` and `other`.
enum class equation_form : std::uint8_t {
  plain,      ///< outs = primitive[params] operands
  get,        ///< a:f32[] <- b[0]          primitive `get`, operands (b)
  swap,       ///< a:f32[], b[0] <- b[0], c primitive `swap`, operands (b, c); `b[0] <- c` drops the old value
  addupdate,  ///< b[0] += c                primitive `addupdate`, operands (b, c)
  access,     ///< dma_wait b[0] c[...]     `index` is the text after the name; operands (b, c), its variables
};

/// One equation: `outs = primitive[params] ins`.
struct equation {
  std::string_view primitive;                 ///< its name
  list<binder> outs;                          ///< the variables that it binds
  list<param> params;                         ///< the parameters, in the order of the text
  list<atom> ins;                             ///< its operands
  std::string_view index;                     ///< the index of a state form, brackets included: `[0,:]`
  std::string_view annotation;                ///< the text of its source_info and name_stack comments, without `# `
  span where;                                 ///< the range from its first token to its last
  equation_form form = equation_form::plain;  ///< how the equation was printed

  /// The value of parameter `key`; null if the equation has no such parameter.
  constexpr const value* find(std::string_view key) const {
    for (const param& p : params)
      if (p.key == key) return &p.val;
    return nullptr;
  }
};

struct shared_body;

/// One jaxpr: `{ lambda constvars ; invars. let equations in (results) }`.
struct body {
  list<binder> constvars;          ///< the arrays that the body closes over
  list<binder> invars;             ///< its arguments
  list<equation> equations;        ///< the equations, in the order of the text
  list<atom> results;              ///< the results, which are printed after `in`
  list<std::string_view> effects;  ///< the effects if print_effects=True printed them; otherwise data() is null
  list<shared_body> shared;        ///< its `let` blocks; only the main body and bodies in Python reprs have any
  std::uint32_t slots = 0;         ///< the number of variables that it binds
  span where;                      ///< the range from its opening brace to its closing brace
};

/// `let NAME = { lambda … } in` before a body.
struct shared_body {
  std::string_view name;              ///< the name, spelled as in references
  const jaxpr::body* body = nullptr;  ///< never null after parsing
};

/// A parsed text. Copies are cheap and share the nodes, which live until the last copy is destroyed.
struct program {
  std::string_view text;                ///< the text to which spans refer; the caller or `storage` owns it
  list<shared_body> shared;             ///< the `let` blocks, in the order of definition
  const body* main = nullptr;           ///< never null after parsing
  std::shared_ptr<const void> storage;  ///< owns the nodes, and the text if parse took or changed it
};

}  // namespace jaxpr
