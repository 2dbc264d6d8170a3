// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <string_view>

#include <jax2onnx/graph/operator_name.hpp>
#include <jax2onnx/rewrite/equations/conditions.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/functions.hpp>
#include <jax2onnx/rewrite/equations/openings.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

/// Parses the text of an equation, while compiling or when the program runs. docs/equations.md has the grammar.
namespace jax2onnx::rewrite::equations {

/// A list that may be filled while compiling.
template <class T, std::size_t Most>
struct short_list {
  std::array<T, Most> items{};
  std::size_t count = 0;

  constexpr T& operator[](std::size_t i) { return items[i]; }
  constexpr const T& operator[](std::size_t i) const { return items[i]; }
  constexpr std::span<const T> all() const { return {items.data(), count}; }
};

/// The data of an equation in lists of fixed capacity, before they are cut to their sizes.
struct draft {
  short_list<term, 240> terms;
  short_list<double, 24> numbers;
  short_list<attribute_term, 24> attributes;
  short_list<variable, most_variables> variables;
  short_list<condition, 16> conditions;
  short_list<form, 12> forms;
  short_list<operator_name, 12> roots;
  short_list<opening, 24> openings;
  tolerance apart;
  std::size_t conditions_at = 0;  ///< the position in the text at which the conditions begin
};

namespace detail {

/// Throws a build_error that says what is wrong, and where. The function is not constexpr, so that a call of it at
/// compile time does not compile.
[[noreturn]] inline void throw_wrong(std::string_view text, std::size_t at, const char* what) {
  throw build_error(jax2onnx::detail::message("equation, character {}: {}: {}", at + 1, what, text));
}

/// The square root of a finite number that is not negative, by Newton's method, since std::sqrt is not constexpr: the
/// nearest double, or one next to it.
constexpr double square_root(double x) {
  double root = x > 1 ? x : 1;
  for (int i = 0; i < 2000; ++i) {
    const double next = (root + x / root) / 2;
    if (next >= root) break;
    root = next;
  }
  return root;
}

class parser {
 public:
  constexpr parser(std::string_view text, draft& out) : text_(text), out_(out) {
    for (index& d : definitions_) d = none;
    variable_named("root", true);
  }

  constexpr void run() {
    do {
      form_tree& f = forms_[add(forms_count_, forms_.size())];
      f.left = choice();
      expect("->");
      f.right = choice();
    } while (accept(";"));
    if (accept("where")) do
        definition();
      while (accept(","));
    out_.conditions_at = (peek(), at_);
    if (accept("for")) do
        condition_at(true);
      while (accept(","));
    if (accept("if")) do
        condition_at(false);
      while (accept(","));
    if (accept("within")) {
      out_.apart.ulps = number();
      expect("ulps");
      if (accept("of")) {
        expect("ordinary");
        expect("numbers");
        out_.apart.ordinary = true;
      }
      out_.apart.reason = quoted();
    }
    if (peek() != '\0') fail("there is text after the end of the equation");
    flatten_all();
    find_openings();
  }

 private:
  using index = std::int16_t;
  static constexpr index none = -1;

  /// A term as a tree.
  struct tree {
    term_kind kind = term_kind::any;
    bool flag = false, mirrors = false;
    index id = none, first = none, sibling = none, attributes = none;
    std::uint8_t attribute_count = 0;
    std::uint16_t at = 0;
  };
  struct form_tree {
    index left = none, right = none;
  };

  // fail() is not constexpr, so that a call of it at compile time does not compile.
  [[noreturn]] void fail(const char* what) const { throw_wrong(text_, at_, what); }
  [[noreturn]] void fail(const char* what, std::size_t at) const { throw_wrong(text_, at, what); }

  constexpr std::size_t add(std::size_t& count, std::size_t most) const {
    if (count == most) fail("the equation is too long");
    return count++;
  }
  template <class T, std::size_t Most>
  constexpr index add(short_list<T, Most>& list, const T& item) const {
    list[add(list.count, Most)] = item;
    return static_cast<index>(list.count - 1);
  }

  // ---- Words

  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

  constexpr char peek(std::size_t ahead = 0) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  constexpr std::string_view peek_word() {
    peek();
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }
  constexpr bool is_next(std::string_view token) {
    if (peek() != token.front()) return false;
    if (is_letter(token.front())) return peek_word() == token;
    return text_.substr(at_).starts_with(token);
  }
  constexpr bool accept(std::string_view token) {
    if (!is_next(token)) return false;
    at_ += token.size();
    return true;
  }
  constexpr void expect(std::string_view token) {
    if (!accept(token))
      fail(token == ")" ? "a ) is missing" : token == "->" ? "-> is missing" : "a sign or a word is missing");
  }
  constexpr std::string_view word() {
    const std::string_view w = peek_word();
    if (w.empty() || is_digit(w.front())) fail("a name is missing");
    at_ += w.size();
    return w;
  }
  constexpr std::string_view quoted() {
    expect("'");
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\'') ++at_;
    if (at_ == text_.size()) fail("a reason has no closing quote", begin);
    return text_.substr(begin, at_++ - begin);
  }

  // ---- Numbers: digits, inf, pi, sqrt(...), quotients of them

  static constexpr bool begins_number(std::string_view w, char c) {
    return is_digit(c) || w == "inf" || w == "pi" || w == "sqrt";
  }
  constexpr double digits() {
    double n = 0, scale = 1;
    int exponent = 0;
    for (; is_digit(text_at()); ++at_) n = n * 10 + (text_[at_] - '0');
    if (text_at() == '.' && is_digit(text_at(1)))
      for (++at_; is_digit(text_at()); ++at_) {
        n = n * 10 + (text_[at_] - '0');
        scale *= 10;
      }
    if (text_at() == 'e' && (is_digit(text_at(1)) || (text_at(1) == '-' && is_digit(text_at(2))))) {
      const bool negative = text_at(1) == '-';
      for (at_ += negative ? 2 : 1; is_digit(text_at()); ++at_) exponent = exponent * 10 + (text_[at_] - '0');
      for (int i = 0; i < exponent; ++i) negative ? scale *= 10 : n *= 10;
    }
    return n / scale;
  }
  constexpr char text_at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  constexpr double plain_number() {
    if (accept("-")) return -plain_number();
    if (accept("inf")) return std::numeric_limits<double>::infinity();
    if (accept("pi")) return std::numbers::pi;
    if (accept("sqrt")) {
      expect("(");
      const double x = number();
      expect(")");
      return square_root(x);
    }
    if (!is_digit(peek())) fail("a number is missing");
    return digits();
  }
  constexpr double number() {
    double n = plain_number();
    while (peek() == '/' && number_follows()) {
      accept("/");
      n /= plain_number();
    }
    return n;
  }
  /// True if a number follows the sign that is next.
  constexpr bool number_follows() {
    const std::size_t before = at_++;
    const bool found = begins_number(peek_word(), peek());
    at_ = before;
    return found;
  }

  // ---- Terms

  constexpr index make(term_kind kind, index id = none, std::size_t at = 0) {
    trees_[add(trees_count_, trees_.size())] = {.kind = kind, .id = id, .at = static_cast<std::uint16_t>(at)};
    return static_cast<index>(trees_count_ - 1);
  }
  constexpr tree& node(index i) { return trees_[static_cast<std::size_t>(i)]; }
  constexpr void give(index parent, index child) {
    if (node(parent).first == none) {
      node(parent).first = child;
      return;
    }
    index last = node(parent).first;
    while (node(last).sibling != none) last = node(last).sibling;
    node(last).sibling = child;
  }
  constexpr std::size_t operand_count(index i) {
    std::size_t count = 0;
    for (index c = node(i).first; c != none; c = node(c).sibling) ++count;
    return count;
  }
  constexpr index binary(std::string_view op, index a, index b) {
    const index i = make(term_kind::apply, static_cast<index>(jax2onnx::detail::operator_number(op)), at_);
    give(i, a);
    give(i, b);
    return i;
  }
  constexpr index number_term(double n, bool exact) {
    const index i = make(term_kind::number, add(out_.numbers, n), at_);
    node(i).flag = exact;
    return i;
  }

  constexpr index choice() {
    const index first = comparison();
    if (!is_next("|")) return first;
    const index i = make(term_kind::choice, none, at_);
    give(i, first);
    while (accept("|")) give(i, comparison());
    return i;
  }
  constexpr index compared(std::string_view op, index a) {
    const index i = binary(op, a, sum());
    node(i).mirrors = true;
    return i;
  }
  constexpr index comparison() {
    const index a = sum();
    if (const char c = peek(); c != '<' && c != '>' && c != '=') return a;
    if (accept("<=")) return compared("LessOrEqual", a);
    if (accept(">=")) return compared("GreaterOrEqual", a);
    if (accept("==")) return binary("Equal", a, sum());
    if (accept("<")) return compared("Less", a);
    if (accept(">")) return compared("Greater", a);
    return a;
  }
  constexpr index sum() {
    index a = product();
    while (true) {
      if (accept("+")) a = binary("Add", a, product());
      else if (!is_next("->") && accept("-")) a = binary("Sub", a, product());
      else return a;
    }
  }
  constexpr bool factor_follows() {
    if (const char c = peek(); !is_letter(c) && !is_digit(c)) return c == '(';
    const std::string_view w = peek_word();
    if (w == "where" || w == "for" || w == "if" || w == "within") return false;
    return true;
  }
  /// Parses up to three factors without a sign between them, and quotients.
  constexpr index product() {
    index a = factor();
    while (true) {
      if (accept("/")) {
        a = binary("Div", a, factor());
        continue;
      }
      if (!factor_follows()) return a;
      const index b = factor();
      if (!factor_follows()) {
        a = binary("Mul", a, b);
        continue;
      }
      const index three = make(term_kind::product, none, at_);
      give(three, a);
      give(three, b);
      give(three, factor());
      a = three;
      if (factor_follows()) fail("a product has at most three factors; put some in brackets");
    }
  }
  constexpr index factor() {
    const char c = peek();
    if (is_digit(c) || (is_letter(c) && begins_number(peek_word(), c))) return number_term(number(), false);
    if ((c == '-' || c == '+') && number_follows()) {
      accept(c == '-' ? "-" : "+");
      const double n = number();
      return number_term(c == '-' ? -n : n, true);
    }
    if (accept("-")) {
      const index i = make(term_kind::apply, static_cast<index>(jax2onnx::detail::operator_number("Neg")), at_);
      give(i, factor());
      return i;
    }
    if (accept("(")) {
      const index i = choice();
      expect(")");
      return i;
    }
    return named();
  }
  constexpr index named() {
    const std::size_t at = (peek(), at_);
    const std::string_view name = word();
    if (name == "_") return make(term_kind::any, none, at);
    if (is_capital(name.front())) return application(name, at);
    if (accept("?")) {
      if (name != "ones" && name != "cast") fail("only ones?( and cast?( have a question mark", at);
      return call(make(name == "ones" ? term_kind::ones : term_kind::casts, none, at), 1);
    }
    if (is_next("(") && name == "filled") {
      const index i = call(make(term_kind::filled, none, at), 1);
      if (node(node(i).first).kind != term_kind::number) fail("filled(n) needs a number", at);
      node(i).id = node(node(i).first).id;
      node(i).flag = node(node(i).first).flag;
      node(i).first = none;
      return i;
    }
    if (const index f = function_named(name); f >= 0 && is_next("("))
      return call(make(term_kind::function, f, at), functions[static_cast<std::size_t>(f)].operands);
    return make(term_kind::variable, variable_named(name), at);
  }
  constexpr index call(index i, std::size_t operands) {
    expect("(");
    do give(i, choice());
    while (accept(","));
    expect(")");
    if (operand_count(i) != operands) fail("the number of operands is wrong", node(i).at);
    return i;
  }
  constexpr index application(std::string_view op, std::size_t at) {
    const int number = jax2onnx::detail::operator_number(op);
    const op_record* const record = record_numbered(number);
    if (!record) fail("ONNX has no such operator, or equations do not support it", at);
    const index i = make(term_kind::apply, static_cast<index>(number), at);
    expect("(");
    std::size_t operands = 0;
    short_list<attribute_term, 8> own;  // meanwhile, operands append their attributes to `out_`
    do {
      if (accept("*")) node(i).flag = true;
      else if (is_attribute()) add(own, attribute_of_record(*record));
      else if (has_trait(number, operators::trait::reduction) && operands == 1) add(own, axes_variable(operands));
      else give(i, choice()), ++operands;
    } while (accept(","));
    expect(")");
    node(i).attributes = static_cast<index>(out_.attributes.count);
    for (const attribute_term& a : own.all()) add(out_.attributes, a);
    node(i).attribute_count = static_cast<std::uint8_t>(own.count);
    const bool endless = !record->inputs.empty() && record->inputs.back().count == presence::variadic;
    if (operands < record->least_inputs || (operands > record->inputs.size() && !endless))
      fail("the number of operands is wrong", at);
    return i;
  }
  constexpr attribute_term axes_variable(std::size_t& operands) {
    ++operands;
    const index v = variable_named(word());
    set_kind(v, variable_kind::axes);
    return {nullptr, attribute_term::content::variable, v, {}};
  }
  constexpr bool is_attribute() {
    const std::size_t before = at_;
    const std::string_view w = peek_word();
    at_ += w.size();
    const bool found = !w.empty() && peek() == '=' && peek(1) != '=';
    at_ = before;
    return found;
  }
  constexpr attribute_term attribute_of_record(const op_record& record) {
    const std::size_t at = at_;
    const auto formal = record.find(word());
    if (!formal) fail("the operator has no such attribute", at);
    expect("=");
    if (formal->kind == attribute_kind::text) return {formal, attribute_term::content::text, none, word()};
    if (begins_number(peek_word(), peek()) || peek() == '-')
      return {formal, attribute_term::content::number, add(out_.numbers, number()), {}};
    return {formal, attribute_term::content::variable, variable_named(word()), {}};
  }

  // ---- Variables, names of `where`, conditions

  constexpr index variable_named(std::string_view name, bool is_root = false) {
    if (name == "root" && !is_root) return 0;
    for (std::size_t i = 0; i < out_.variables.count; ++i)
      if (out_.variables[i].name == name) return static_cast<index>(i);
    return add(out_.variables, variable{name});
  }
  constexpr void set_kind(index v, variable_kind kind) {
    variable& named = out_.variables[static_cast<std::size_t>(v)];
    if (named.kind != variable_kind::tensor && named.kind != kind) fail("a name is used for two kinds of things");
    named.kind = kind;
  }
  constexpr index known_variable() {
    const std::size_t at = (peek(), at_), count = out_.variables.count;
    const index v = variable_named(word());
    if (out_.variables.count != count) fail("the equation has no such variable", at);
    return v;
  }
  constexpr void definition() {
    const std::size_t at = (peek(), at_);
    const index v = variable_named(word());
    expect("=");
    if (definitions_[static_cast<std::size_t>(v)] != none) fail("the name is already defined", at);
    definitions_[static_cast<std::size_t>(v)] = choice();
  }
  constexpr quantity quantity_at() {
    if (begins_number(peek_word(), peek()) || peek() == '-')
      return {.what = quantity::kind::literal, .number = number()};
    if (accept("opset")) return {.what = quantity::kind::opset};
    if (const bool rank = is_next("rank"); rank || is_next("filled")) {
      at_ += rank ? 4 : 6;
      expect("(");
      const quantity q{.what = rank ? quantity::kind::rank : quantity::kind::filled,
                       .a = static_cast<std::int8_t>(known_variable())};
      expect(")");
      return q;
    }
    if (accept("size")) {
      expect("(");
      const auto x = static_cast<std::int8_t>(known_variable());
      expect(",");
      const auto axes = static_cast<std::int8_t>(known_variable());
      expect(")");
      return {.what = quantity::kind::size, .a = x, .b = axes};
    }
    return {.what = quantity::kind::variable, .a = static_cast<std::int8_t>(known_variable())};
  }
  constexpr void condition_at(bool silent) {
    const std::string_view name = peek_word();
    condition c{.silent = silent};
    if (const std::size_t at = at_; name == "number" || name == "constant") {
      at_ += name.size();
      expect("(");
      do set_kind(known_variable(), name == "number" ? variable_kind::scalar : variable_kind::constant);
      while (accept(","));
      expect(")");
      return;
    } else if (c.predicate = predicate_named(name); c.predicate >= 0) {
      const predicate& p = predicates[static_cast<std::uint8_t>(c.predicate)];
      at_ += name.size();
      expect("(");
      std::size_t count = 0;
      if (!is_next(")")) do {
          if (count == 3) fail("the number of operands is wrong", at);
          c.operands[count++] = quantity_at();
        } while (accept(","));
      expect(")");
      if (count != p.operands) fail("the number of operands is wrong", at);
      c.reason = p.reason;
    } else {
      c.operands[0] = quantity_at();
      using enum condition::relation;
      c.compared = accept("<=")   ? at_most
                   : accept("<")  ? less
                   : accept("!=") ? different
                   : accept("=")  ? equal
                                  : c.compared;
      if (c.compared == condition::relation::none) fail("there is no such condition", at);
      c.operands[1] = quantity_at();
    }
    if (is_next("'")) c.reason = quoted();
    if (!silent && c.reason.empty()) fail("a condition needs a reason, in quotes");
    if (silent) c.reason = {};
    add(out_.conditions, c);
  }

  // ---- Trees to terms

  using name_set = std::uint32_t;

  constexpr index put(term t) { return add(out_.terms, t); }
  constexpr void end(index i) {
    out_.terms[static_cast<std::size_t>(i)].next = static_cast<std::uint8_t>(out_.terms.count);
  }
  static constexpr name_set bit(index v) { return name_set{1} << v; }

  /// Appends the terms of a tree; `bound` has the names that earlier terms have bound.
  constexpr void flatten(index i, bool left, name_set& bound) {
    const tree& n = node(i);
    if (n.kind == term_kind::variable) {
      flatten_variable(i, left, bound);
      return;
    }
    const bool view =
        left && n.kind == term_kind::function && functions[static_cast<std::size_t>(n.id)].name == "reshaped";
    if (left && n.kind == term_kind::function && !view) fail("this function is allowed on right sides only", n.at);
    if (!left && n.kind != term_kind::apply && n.kind != term_kind::number && n.kind != term_kind::product &&
        n.kind != term_kind::function)
      fail("this term is allowed on left sides only", n.at);
    const index t = put({.kind = view ? term_kind::reshaped : n.kind,
                         .operands = static_cast<std::uint8_t>(operand_count(i)),
                         .attributes = static_cast<std::uint8_t>(n.attributes < 0 ? 0 : n.attributes),
                         .attribute_count = n.attribute_count,
                         .flag = n.flag,
                         .mirrors = n.mirrors,
                         .id = n.id});
    name_set in_all = ~name_set{};
    for (index c = n.first; c != none; c = node(c).sibling) {
      name_set branch = bound;
      flatten(c, left, n.kind == term_kind::choice ? branch : bound);
      in_all &= branch;
    }
    if (n.kind == term_kind::choice) bound = in_all;
    for (std::size_t a = 0; a < n.attribute_count; ++a) flatten_attribute(i, a, left, bound);
    end(t);
  }
  constexpr void flatten_attribute(index i, std::size_t a, bool left, name_set& bound) {
    const attribute_term& term = out_.attributes[static_cast<std::size_t>(node(i).attributes) + a];
    if (term.kind != attribute_term::content::variable) return;
    if (!left && (bound & bit(term.id)) == 0) fail("a variable is not bound", node(i).at);
    if (left && term.formal) set_kind(term.id, variable_kind::attribute);
    bound |= bit(term.id);
  }
  constexpr void flatten_variable(index i, bool left, name_set& bound) {
    const tree n = node(i);
    const index definition = definitions_[static_cast<std::size_t>(n.id)];
    const bool known = (bound & bit(n.id)) != 0;
    if (known || (left && definition == none)) {
      end(put({.kind = term_kind::variable, .id = n.id}));
      bound |= bit(n.id);
      return;
    }
    if (definition == none) fail("a variable is not bound", n.at);
    used_ |= bit(n.id);
    if (++depth_ > 24) fail("a name after 'where' depends on itself, or names are nested over 24 deep", n.at);
    const index t = left ? put({.kind = term_kind::define, .operands = 1, .id = n.id}) : none;
    flatten(definition, left, bound);
    if (left) {
      end(t);
      bound |= bit(n.id);
    }
    --depth_;
  }
  /// Finds the openings of left sides, and their outermost operators.
  constexpr void find_openings() {
    const opening_finder finder(out_.terms.all(), out_.variables.all());
    for (std::size_t i = 0; i < out_.forms.count; ++i) {
      const std::size_t before = out_.openings.count;
      finder.find(out_.forms[i].left, static_cast<std::uint8_t>(i), [this](const opening& o) {
        add(out_.openings, o);
        note_root(o.op);
      });
      if (out_.openings.count == before) fail("the left side does not begin with an operator", 0);
    }
  }
  constexpr void note_root(int op) {
    const operator_name name = operator_name::numbered(op);
    for (const operator_name known : out_.roots.all())
      if (known == name) return;
    add(out_.roots, name);
  }
  constexpr void flatten_all() {
    for (std::size_t i = 0; i < forms_count_; ++i) {
      name_set bound = bit(0);
      form f{.left = static_cast<std::uint8_t>(out_.terms.count)};
      flatten(forms_[i].left, true, bound);
      f.right = static_cast<std::uint8_t>(out_.terms.count);
      flatten(forms_[i].right, false, bound);
      add(out_.forms, f);
    }
    for (std::size_t v = 0; v < out_.variables.count; ++v)
      if (definitions_[v] != none && (used_ & bit(static_cast<index>(v))) == 0)
        fail("a name after 'where' is not used");
  }
  std::string_view text_;
  draft& out_;
  std::size_t at_ = 0;
  std::array<tree, 200> trees_{};
  std::size_t trees_count_ = 0;
  std::array<form_tree, 12> forms_{};
  std::size_t forms_count_ = 0;
  std::array<index, most_variables> definitions_{};
  int depth_ = 0;
  name_set used_ = 0;
};

}  // namespace detail

/// Parses an equation. If the text is malformed, a call at compile time does not compile, and a call at run time throws
/// a build_error that says where the text is wrong.
constexpr draft drafted(std::string_view text) {
  draft out;
  detail::parser(text, out).run();
  return out;
}

/// An equation that was parsed when the program ran; owns its data. It must outlive reports that refer to it.
class parsed_equation {
 public:
  explicit parsed_equation(std::string text)
      : text_(std::make_unique<std::string>(std::move(text))), data_(std::make_unique<draft>(drafted(*text_))) {}
  equation view() const {
    return {*text_,
            data_->terms.all(),
            data_->numbers.all(),
            data_->attributes.all(),
            data_->variables.all(),
            data_->conditions.all(),
            data_->forms.all(),
            data_->roots.all(),
            data_->openings.all(),
            data_->apart};
  }

 private:
  std::unique_ptr<std::string> text_;
  std::unique_ptr<draft> data_;
};

}  // namespace jax2onnx::rewrite::equations
