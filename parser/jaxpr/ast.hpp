#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

/// The syntax tree of a printed jaxpr. Nodes live in the arena of their `module`, every string is a view of its text.
namespace jaxpr {

struct jaxpr;

/// Bytes [begin, end) of the module's text.
struct span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend constexpr bool operator==(const span&, const span&) = default;
};

/// Where `part` lies in `text`; empty where it is no part of it.
inline span span_of(std::string_view part, std::string_view text) {
  if (part.data() < text.data() || part.data() > text.data() + text.size()) return {};
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

/// A read-only sequence in the arena.
template <class T>
using list = std::span<const T>;

/// One dimension of a printed type: `784`, or the text of a symbolic expression such as `2*b + 1`.
struct extent {
  std::int64_t size = 0;        ///< meaningful when `expression` is empty
  std::string_view expression;  ///< as printed, without a sharding annotation
  constexpr bool symbolic() const { return !expression.empty(); }
};

enum class type_kind : std::uint8_t {
  array,   ///< f32[2,3], key<fry>[4]
  ref,     ///< Ref{f32[4]}: a mutable reference; dtype and dims are those of what it refers to
  opaque,  ///< Tok, BoxTy: no dtype, no dims
};

/// A printed type. Equal spellings share one node.
struct type {
  type_kind kind = type_kind::opaque;
  std::string_view text;   ///< as printed, annotations included
  std::string_view dtype;  ///< the short name: f32, bool, key<fry>; numpy's long name inside an old Ref{float32[4]}
  list<extent> dims;
};

/// Names a variable where it is bound. `slot` numbers the variables of one jaxpr from 0: constvars, invars, results.
struct binder {
  std::string_view name;             ///< `_` when the result is dropped
  const type* annotation = nullptr;  ///< null only in a text printed with print_shapes=False
  std::uint32_t slot = 0;
};

/// An operand or a result of a jaxpr.
struct atom {
  static constexpr std::uint32_t literal_slot = 0xffffffff;
  static constexpr std::uint32_t dropped_slot = 0xfffffffe;
  std::string_view text;             ///< the variable's name, or the literal without its type
  const type* annotation = nullptr;  ///< the literal's type, or that of the variable's binder
  std::uint32_t slot = literal_slot;
  constexpr bool is_literal() const { return slot == literal_slot; }
  /// A result `_` whose value the caller drops, so that the text need not tell which variable it is; or an operand that
  /// it does not tell (parse_options::keep_ambiguous).
  constexpr bool is_dropped() const { return slot == dropped_slot; }
};

struct keyword_value;

/// The value of an equation's parameter: what Python's str() printed, as a tree where the text has structure.
struct value {
  enum class kind : std::uint8_t {
    none,      ///< None
    boolean,   ///< True, False
    integer,   ///< 3, np.int64(3)
    floating,  ///< 1.5, nan, -inf, np.float32(1e-05)
    string,    ///< 'a' with its quotes
    name,      ///< float32, GatherScatterMode.CLIP, b (a dimension)
    tuple,     ///< (1, 2), ({ lambda … } { lambda … })
    sequence,  ///< [1, 2]
    call,      ///< GatherDimensionNumbers(offset_dims=(1,), …), _LinearSolveTuple(matvec={ lambda … })
    body,      ///< a jaxpr, in place or by the name of a shared one
    raw,       ///< anything else: <function …>, 2*b + 1, a name=… of free text
  };
  kind tag = kind::raw;
  bool flag = false;                   ///< boolean
  std::string_view text;               ///< as printed
  std::int64_t integer = 0;            ///< integer
  double floating = 0;                 ///< floating; an integer's value too
  list<value> items;                   ///< elements of a tuple or sequence, positional arguments of a call
  list<keyword_value> keywords;        ///< of a call
  std::string_view callee;             ///< of a call
  const struct jaxpr* body = nullptr;  ///< body
};

struct keyword_value {
  std::string_view key;
  value val;
};

struct param {
  std::string_view key;
  value val;
};

/// How an equation was printed. All but `plain` are sugar for a primitive of jax.experimental.state. The variables of
/// the index follow the operands, in order and as often as they stand there.
enum class equation_form : std::uint8_t {
  plain,      ///< outs = primitive[params] operands
  get,        ///< a:f32[] <- b[0]          primitive `get`, operands (b)
  swap,       ///< a:f32[], b[0] <- b[0], c primitive `swap`, operands (b, c); `b[0] <- c` drops the old value
  addupdate,  ///< b[0] += c                primitive `addupdate`, operands (b, c)
};

struct equation {
  std::string_view primitive;
  list<binder> outs;
  list<param> params;
  list<atom> ins;
  std::string_view index;       ///< of a state form, with its brackets: `[0,:]`
  std::string_view annotation;  ///< the text of its source_info and name_stack comments, `# ` excluded
  span where;                   ///< from its first token to its last
  equation_form form = equation_form::plain;

  /// The value of parameter `key`, null when it is not printed.
  constexpr const value* find(std::string_view key) const {
    for (const param& p : params)
      if (p.key == key) return &p.val;
    return nullptr;
  }
};

struct shared_jaxpr;

struct jaxpr {
  list<binder> constvars;
  list<binder> invars;
  list<equation> equations;
  list<atom> results;
  list<std::string_view> effects;  ///< with print_effects=True; data() is null without
  list<shared_jaxpr> shared;       ///< `let` blocks printed before it: of the main jaxpr, and inside of Python reprs
  std::uint32_t slots = 0;         ///< how many variables it binds
  span where;
};

/// `let NAME = { lambda … } in` before the main jaxpr.
struct shared_jaxpr {
  std::string_view name;
  const struct jaxpr* body = nullptr;
};

/// A parsed text. Owns the nodes and, where it had to be changed (ANSI colours), the text they view.
struct module {
  std::string_view text;  ///< what spans count in
  list<shared_jaxpr> shared;
  const struct jaxpr* main = nullptr;
  std::shared_ptr<void> storage;
};

}  // namespace jaxpr
