// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <jax2onnx/lower/complex/functions.hpp>
#include <jax2onnx/lower/linalg/householder.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>

/// The QR iteration with implicit shifts, which are double shifts for real matrices. Eigenvalues appear in the order in
/// which LAPACK's lahqr finds them. All matrices of a batch do the same steps, under masks. Source: LAPACK's lahqr,
/// lanv2.
namespace jax2onnx::lower::linalg {

/// The standard form [[a, b], [c, d]] of a real 2x2 block, in which c = 0, or a = d and b c < 0, and the rotation to it
/// (lanv2).
struct standard_block {
  value a, b, c, d, cosine, sine;
  standard_block(const value& a0, const value& b0, const value& c0, const value& d0) {
    const value zero = zero_of(a0), one = one_of(a0);
    const auto or_one = [&](const value& x) { return where(equal(x, 0), one, x); };
    const auto sign = [&](const value& x) { return where(less(x, 0), neg(one), one); };
    const value p = mul(sub(a0, d0), 0.5), bc_max = maximum(abs(b0), abs(c0));
    const value bc_min = mul(minimum(abs(b0), abs(c0)), mul(sign(b0), sign(c0))),
                scale = or_one(maximum(abs(p), bc_max));
    const value z2 = add(mul(div(p, scale), p), mul(div(bc_max, scale), bc_min));
    const value opposite = logical_and(equal(a0, d0), less(mul(sign(b0), sign(c0)), 0));
    const value standard = logical_or(equal(c0, 0), opposite), swapped = equal(b0, 0),
                real = greater_equal(z2, 4 * 2.2e-16);
    // These are for two real eigenvalues.
    const value z = or_one(add(p, with_sign(mul(sqrt(scale), sqrt(maximum(z2, 0))), p))), tau = or_one(hypot(c0, z));
    // These are for a complex pair, or two nearly equal real eigenvalues: the diagonal elements become equal.
    const value sigma = add(b0, c0), tau2 = or_one(hypot(sigma, sub(a0, d0)));
    const value cs = sqrt(mul(add(div(abs(sigma), tau2), 1), 0.5)), sn = neg(mul(div(p, mul(tau2, cs)), sign(sigma)));
    const value aa = add(mul(a0, cs), mul(b0, sn)), bb = sub(mul(b0, cs), mul(a0, sn));
    const value cc = add(mul(c0, cs), mul(d0, sn)), dd = sub(mul(d0, cs), mul(c0, sn));
    const value mean = mul(add(a0, d0), 0.5), b2 = add(mul(bb, cs), mul(dd, sn)), c2 = sub(mul(cc, cs), mul(aa, sn));
    const value sab = sqrt(abs(b2)), sac = sqrt(abs(c2)), both = mul(sab, sac);
    const value near_equal = logical_and(greater(both, 0), greater(mul(sign(b2), sign(c2)), 0));
    const value shift = where(near_equal, mul(both, sign(c2)), zero), tau3 = or_one(sqrt(abs(add(b2, c2))));
    const value cs1 = where(near_equal, div(sab, tau3), one), sn1 = where(near_equal, div(sac, tau3), zero);
    const auto choose = [&](const value& as_is, const value& exchanged, const value& two, const value& pair) {
      return where(standard, as_is, where(swapped, exchanged, where(real, two, pair)));
    };
    a = choose(a0, d0, add(d0, z), add(mean, shift));
    b = choose(b0, neg(c0), sub(b0, c0), where(near_equal, sub(b2, c2), b2));
    c = choose(c0, zero, zero, where(near_equal, zero, c2));
    d = choose(d0, a0, sub(d0, mul(div(bc_max, z), bc_min)), sub(mean, shift));
    cosine = choose(one, zero, div(z, tau), sub(mul(cs, cs1), mul(sn, sn1)));
    sine = choose(zero, one, div(c0, tau), add(mul(cs, sn1), mul(sn, cs1)));
  }
};

/// The QR iteration on a batch of Hessenberg matrices. `ulp` is the precision required of the results.
class schur_iteration {
 public:
  explicit schur_iteration(const jax_value& h, double ulp)
      : g_(owner(h)), n_(row_count(h)), real_(cx::is_real(h)), ulp_(ulp) {
    rows_ = row_numbers(g_, n_);
    columns_ = column_numbers(g_, n_);
    below_ = equal(rows_, add(columns_, 1));
    on_ = equal(rows_, columns_);
    above_ = equal(add(rows_, 1), columns_);
  }

  /// T and, if Z is given, Z times the transformation.
  matrices run(const jax_value& h, const jax_value* z) const {
    dim_table& dims = g_.dims();
    const shape one = matrix_dims(h, 1, 1);
    const value last = as_scalar(g_, dims.sub(n_, 1));
    matrices first{h, broadcast_to(last, one), filled(g_, dtype::i64, one, 0)};
    if (z) first.push_back(*z);
    const value most = as_scalar(g_, dims.add(dims.mul(n_, 40), 300));
    const matrices out = repeat_while(g_, most, first, [&](const value&, const matrices& in) { return iteration(in); });
    return z ? matrices{out[0], out[3]} : matrices{out[0]};
  }

 private:
  /// The three middle diagonals as columns, with H[k, k], H[k - 1, k - 1], H[k, k - 1] and H[k - 1, k] in row k.
  struct band {
    jax_value own, before, below, above;
  };
  band band_of(const jax_value& h) const {
    const jax_value own = sum(keep(on_, h), -2);
    return {transposed(own), sum(keep(below_, own), -1), sum(keep(below_, h), -1),
            transposed(sum(keep(above_, h), -2))};
  }
  /// Element k of a column, [..., 1, 1].
  jax_value at(const jax_value& column, const value& k) const { return sum(keep(equal(rows_, k), column), -2); }
  value real_at(const jax_value& column, const value& k) const { return at(column, k).re(); }

  /// A mask of the rows whose subdiagonal element is so small that it counts as zero (Ahues & Tisseur).
  value negligible(const band& b) const {
    const value size = pivot_size(b.below), other = pivot_size(b.above), own = pivot_size(b.own);
    const value gap = pivot_size(cx::sub(b.before, b.own)), large = maximum(own, gap), largest = maximum(size, other);
    const value bound = maximum(mul(add(large, largest), tiny), mul(mul(minimum(own, gap), large), ulp_));
    const value close = less_equal(mul(minimum(size, other), largest), bound);
    const value small = less_equal(size, mul(add(pivot_size(b.before), own), ulp_));
    return logical_or(less_equal(size, tiny), logical_and(small, close));
  }

  /// One deflation, or one sweep over the block that ends in row `bottom`.
  loop_turn iteration(const matrices& in) const {
    const value& bottom = in[1].re();
    const value& tries = in[2].re();
    const band b = band_of(in[0]);
    const value candidates =
        where(logical_and(negligible(b), less_equal(rows_, bottom)), rows_, scalar(g_, dtype::i64, 0));
    const value top = reduce("ReduceMax", candidates, {candidates.rank() - 2}, true);
    matrices m{keep(logical_not(logical_and(equal(rows_, top), below_)), in[0])};
    if (in.size() > 3) m.push_back(in[3]);
    const value sweeping = greater(sub(bottom, top), real_ ? 1 : 0), attempt = add(tries, 1);
    if (real_) standardize(m, b, bottom, equal(sub(bottom, top), 1));
    m = chase(m, real_ ? double_shift(b, top, bottom, attempt) : single_shift(b, top, bottom, attempt), top, bottom,
              sweeping);
    const value next = where(sweeping, bottom, sub(top, 1));
    loop_turn out{{m[0], next, where(sweeping, attempt, scalar(g_, dtype::i64, 0))}, {}};
    if (m.size() > 1) out.carried.push_back(m[1]);
    const value open = greater_equal(next, 0);
    out.keep_going = reduce_truth("ReduceMax", open, iota_axes(open.rank()));
    return out;
  }

  /// Brings the 2x2 blocks in rows bottom - 1 and bottom into standard form in the matrices where `here` holds.
  void standardize(matrices& m, const band& b, const value& bottom, const value& here) const {
    const standard_block s(real_at(b.before, bottom), real_at(b.above, bottom), real_at(b.below, bottom),
                           real_at(b.own, bottom));
    const value first = logical_and(here, equal(add(rows_, 1), bottom)),
                second = logical_and(here, equal(rows_, bottom));
    const value first_column = logical_and(here, equal(add(columns_, 1), bottom)),
                second_column = logical_and(here, equal(columns_, bottom));
    const auto rotate = [&](const value& x, std::int64_t axis, const value& at1, const value& at2) {
      const value u = sum(keep(at1, x), axis).re(), v = sum(keep(at2, x), axis).re();
      const value u1 = add(mul(u, s.cosine), mul(v, s.sine)), v1 = sub(mul(v, s.cosine), mul(u, s.sine));
      return where(at1, u1, where(at2, v1, x));
    };
    for (std::size_t i = 0; i < m.size(); ++i) {
      value x = m[i].re();
      if (i == 0) x = rotate(x, -2, first, second);
      m[i] = rotate(x, -1, first_column, second_column);
    }
    value h = m[0].re();
    const std::pair<value, value> elements[] = {{logical_and(first, first_column), s.a},
                                                {logical_and(first, second_column), s.b},
                                                {logical_and(second, first_column), s.c},
                                                {logical_and(second, second_column), s.d}};
    for (const auto& [place, element] : elements) h = where(place, element, h);
    m[0] = h;
  }

  /// The row at which a sweep begins, and the column from which the first reflector of the sweep is made.
  struct sweep_start {
    value first_row;
    jax_value vector;
  };
  /// The elements of a column, shifted up by one row.
  jax_value following(const jax_value& column) const { return sum(keep(above_, transposed(column)), -1); }
  /// The last row up to `last` at which two consecutive small subdiagonal elements allow a sweep to begin; `top` if
  /// there is none after `top`.
  value starting_row(const band& b, const value& first, const value& others, const value& top,
                     const value& last) const {
    const value diagonal = add(add(pivot_size(b.before), pivot_size(b.own)), pivot_size(following(b.own)));
    const value small = less_equal(mul(pivot_size(b.below), others), mul(mul(first, diagonal), ulp_));
    const value candidates = where(logical_and(small, less_equal(rows_, last)), rows_, scalar(g_, dtype::i64, 0));
    return maximum(reduce("ReduceMax", candidates, {candidates.rank() - 2}, true), top);
  }

  /// A mask of attempts that are multiples of `period`. Every tenth attempt uses exceptional shifts, alternately from
  /// the top and the bottom of the block.
  value is_tenth(const value& attempt, std::int64_t period) const {
    return equal(g_.emit("Mod", {attempt, scalar(g_, dtype::i64, period)}, attempt.type()), 0);
  }

  /// The first column of (H - shift1)(H - shift2). The shifts are the eigenvalues of the last 2x2 block; if they are
  /// real, both shifts are the eigenvalue that is closer to the last element.
  sweep_start double_shift(const band& b, const value& top, const value& bottom, const value& attempt) const {
    const value next = add(top, 1), low = is_tenth(attempt, 20), exceptional = is_tenth(attempt, 10);
    const value from = where(low, sub(bottom, 1), next);
    const value near = logical_and(greater_equal(rows_, from), less_equal(rows_, add(from, 1)));
    const value s = sum(keep(near, abs(b.below.re())), -2).re();
    const value odd = add(mul(s, 0.75), real_at(b.own, where(low, bottom, top)));
    const value h11 = where(exceptional, odd, real_at(b.before, bottom)),
                h22 = where(exceptional, odd, real_at(b.own, bottom));
    const value h12 = where(exceptional, mul(s, -0.4375), real_at(b.above, bottom)),
                h21 = where(exceptional, s, real_at(b.below, bottom));
    const value mean = mul(add(h11, h22), 0.5), determinant = sub(mul(sub(h11, mean), sub(h22, mean)), mul(h12, h21));
    const value root = sqrt(abs(determinant)), plus = add(mean, root), minus = sub(mean, root);
    const value nearer = where(less_equal(abs(sub(plus, h22)), abs(sub(minus, h22))), plus, minus);
    const value pair = greater_equal(determinant, 0), re = where(pair, mean, nearer),
                im = where(pair, root, zero_of(root));
    const value d = sub(b.own.re(), re), e = following(b.below).re(), own = following(b.own).re();
    const value size = add(add(abs(d), im), abs(e)), scale = where(equal(size, 0), one_of(size), size),
                e1 = div(e, scale);
    const value v1 = add(mul(e1, following(b.above).re()), add(mul(d, div(d, scale)), mul(im, div(im, scale))));
    const value v2 = mul(e1, sub(add(d, own), re)), v3 = mul(e1, following(e).re());
    const value m = starting_row(b, abs(v1), add(abs(v2), abs(v3)), top, sub(bottom, 2));
    return {m, where(equal(rows_, m), v1, where(equal(rows_, add(m, 1)), real_at(v2, m), real_at(v3, m)))};
  }

  /// The first column of H - shift. Of the two eigenvalues of the last 2x2 block, the shift is the one that is closer
  /// to the last element.
  sweep_start single_shift(const band& b, const value& top, const value& bottom, const value& attempt) const {
    const value next = add(top, 1), low = is_tenth(attempt, 20), exceptional = is_tenth(attempt, 10);
    const jax_value t = at(b.own, bottom), u2 = cx::mul(at(b.above, bottom), at(b.below, bottom));
    const jax_value x = cx::scale(cx::sub(at(b.before, bottom), t), scalar(g_, t.re().dtype(), 0.5));
    const jax_value root = cx::sqrt(cx::add(cx::square(x), u2));
    const value opposite = less(add(mul(x.re(), root.re()), mul(x.im(), root.im())), 0);
    const jax_value divisor = cx::add(x, cx::where(opposite, cx::neg(root), root));
    const value none = equal(pivot_size(divisor), 0);
    const jax_value correction = cx::div(u2, cx::where(none, cx::one_like(t), divisor));
    const jax_value usual = cx::where(none, t, cx::sub(t, correction));
    const value s = mul(pivot_size(at(b.below, where(low, bottom, next))), 0.75);
    const jax_value shift = cx::where(exceptional, plus_real(at(b.own, where(low, bottom, top)), s), usual);
    const jax_value v1 = cx::sub(b.own, shift), v2 = following(b.below);
    const value m = starting_row(b, pivot_size(v1), pivot_size(v2), top, sub(bottom, 1));
    return {m, cx::where(equal(rows_, m), v1, at(v2, m))};
  }

  /// ReduceMax or ReduceMin (`op`) of all elements and, if x may be empty, of `none`.
  value extreme(operator_name op, const value& x, const value& none) const {
    const dim count = g_.dims().product(x.dims());
    if (never_zero(g_, count)) return reduce(op, x, iota_axes(x.rank()));
    return reduce(op, concat({reshape(x, {count}), unsqueeze(none, {0})}, 0), {0});
  }

  /// Reflects at the start of the sweep and chases the bulge down to `bottom`, in the matrices where `sweeping` holds.
  matrices chase(const matrices& m, const sweep_start& s, const value& top, const value& bottom,
                 const value& sweeping) const {
    const std::int64_t reach = real_ ? 2 : 1;
    const value zero = scalar(g_, dtype::i64, 0), end = as_scalar(g_, n_);
    const value lowest = extreme("ReduceMax", where(sweeping, bottom, zero), zero);
    const value start = extreme("ReduceMin", where(sweeping, s.first_row, end), end);
    return repeat_while(g_, maximum(sub(lowest, start), 0), m, [&](const value& step, const matrices& in) {
      const value k = unsqueeze(add(step, start), {0}), before = sub(k, 1), begins = equal(k, s.first_row),
                  reaches = add(k, reach);
      const value active = logical_and(sweeping, logical_and(less_equal(s.first_row, k), less(k, bottom)));
      const value window = logical_and(greater_equal(rows_, k), less_equal(rows_, minimum(reaches, bottom)));
      const jax_value source = cx::where(begins, s.vector, column(in[0], maximum(before, 0)));
      const reflector h(keep(window, source), rows_, k);
      const jax_value tau = keep(active, h.tau);
      const jax_value both = reflect_right(reflect(in[0], cx::conj(tau), h.v), tau, h.v);
      const value cleared = logical_and(logical_and(active, greater(k, top)),
                                        logical_and(equal(columns_, before), logical_and(window, greater(rows_, k))));
      loop_turn out{{keep(logical_not(cleared), both)}, {}};
      if (in.size() > 1) out.carried.push_back(reflect_right(in[1], tau, h.v));
      return out;
    });
  }

  static constexpr double tiny = 1e-290;
  graph& g_;
  dim n_;
  bool real_;
  double ulp_;
  value rows_, columns_, below_, on_, above_;
};

}  // namespace jax2onnx::lower::linalg
