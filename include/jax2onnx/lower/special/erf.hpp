// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/math.hpp>

/// Lowers erf and erfc to ONNX's Erf for float and to rational functions for double, and erf_inv to polynomials.
/// Sources: Cephes (ndtr.c); Numerical Recipes (erfc); Giles, "Approximating the erfinv function" (GPU Computing Gems,
/// 2010).
namespace jax2onnx::lower {

inline value number_like(const value& x, double v) { return scalar(x.owner(), x.dtype(), v); }

/// erfc(x) for x >= 1 in double: exp(-x^2) P(x) / Q(x), and for x >= 8 exp(-x^2) R(x) / S(x).
inline value erfc_tail(const value& x) {
  constexpr double p[] = {2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687,
                          4.86371970985681366614e1,   1.96520832956077098242e2,  5.26445194995477358631e2,
                          9.34528527171957607540e2,   1.02755188689515710272e3,  5.57535335369399327526e2};
  constexpr double q[] = {1.0,
                          1.32281951154744992508e1,
                          8.67072140885989742329e1,
                          3.54937778887819891062e2,
                          9.75708501743205489753e2,
                          1.82390916687909736289e3,
                          2.24633760818710981792e3,
                          1.65666309194161350182e3,
                          5.57535340817727675546e2};
  constexpr double r[] = {5.64189583547755073984e-1, 1.27536670759978104416, 5.01905042251180477414,
                          6.16021097993053585195,    7.40974269950448939160, 2.97886665372100240670};
  constexpr double s[] = {1.0,
                          2.26052863220117276590,
                          9.39603524938001434673,
                          1.20489539808096656605e1,
                          1.70814450747565897222e1,
                          9.60896809063285878198,
                          3.36907645100081516050};
  const value near = div(polynomial(x, p), polynomial(x, q)), far = div(polynomial(x, r), polynomial(x, s));
  const value scale = exp(neg(mul(x, x)));
  return where(equal(scale, 0), scale, mul(scale, where(less(x, 8), near, far)));
}

/// erf(x) for |x| <= 1 in double: x T(x^2) / U(x^2).
inline value erf_center(const value& x) {
  constexpr double t[] = {9.60497373987051638749, 9.00260197203842689217e1, 2.23200534594684319226e3,
                          7.00332514112805075473e3, 5.55923013010394962768e4};
  constexpr double u[] = {1.0,
                          3.35617141647503099647e1,
                          5.21357949780152679795e2,
                          4.59432382970980127987e3,
                          2.26290000613890934246e4,
                          4.92673942608635921086e4};
  const value z = mul(x, x);
  return mul(x, div(polynomial(z, t), polynomial(z, u)));
}

inline value erf(const value& x) {
  if (x.dtype() != dtype::f64) return unary("Erf", x);
  const value a = abs(x);
  return where(less(a, 1), erf_center(x), with_sign(sub(number_like(x, 1), erfc_tail(a)), x));
}

/// erfc in float: for x < 1/2, 1 - erf(x), where no digits cancel; for larger x, an expansion in t = 1 / (1 + x / 2)
/// with a small relative error.
inline value erfc_float(const value& x) {
  constexpr double c[] = {0.17087277,  -0.82215223, 1.48851587, -1.13520398, 0.27886807,
                          -0.18628806, 0.09678418,  0.37409196, 1.00002368,  -1.26551223};
  const value t = reciprocal(add(mul(x, 0.5), 1));
  const value tail = mul(t, exp(sub(polynomial(t, c), mul(x, x))));
  return where(less(x, 0.5), sub(number_like(x, 1), unary("Erf", x)), tail);
}

inline value erfc(const value& x) {
  if (x.dtype() != dtype::f64) return erfc_float(x);
  const value a = abs(x), tail = erfc_tail(a);
  const value outside = where(less(x, 0), sub(number_like(x, 2), tail), tail);
  return where(less(a, 1), sub(number_like(x, 1), erf_center(x)), outside);
}

/// The polynomial with coefficients a where `first` holds, elsewhere with coefficients b. Both polynomials have the
/// same degree.
inline value selected_polynomial(const value& first, const value& x, std::span<const double> a,
                                 std::span<const double> b) {
  const auto coefficient = [&](std::size_t i) { return where(first, number_like(x, a[i]), number_like(x, b[i])); };
  value y = coefficient(0);
  for (std::size_t i = 1; i < a.size(); ++i) y = add(mul(y, x), coefficient(i));
  return y;
}

inline value erf_inv_float(const value& x, const value& w) {
  constexpr double center[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                               -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  constexpr double outer[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                              -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  const value first = less(w, 5);
  const value t = where(first, sub(w, 2.5), sub(sqrt(w), 3));
  return mul(x, selected_polynomial(first, t, center, outer));
}

inline value erf_inv_double(const value& x, const value& w) {
  constexpr double center[] = {
      -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
      -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
      -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
      1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
      -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
      -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356};
  constexpr double middle[] = {
      2.2137376921775787049e-09,  9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
      1.5027403968909827627e-06,  -4.013867526981545969e-06, 2.9234449089955446044e-06,  1.2475304481671778723e-05,
      -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,  -0.0003550375203628474796,
      0.00095328937973738049703,  -0.0016882755560235047313, 0.0024914420961078508066,   -0.0037512085075692412107,
      0.005370914553590063617,    1.0052589676941592334,     3.0838856104922207635};
  constexpr double outer[] = {-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                              -3.7894654401267369937e-09, 7.6157012080783393804e-09,  -1.4960026627149240478e-08,
                              2.9147953450901080826e-08,  -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                              -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
                              7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026,
                              1.0103004648645343977,      4.8499064014085844221};
  const value root = sqrt(w);
  const value far = where(less(w, 16), polynomial(sub(root, 3.25), middle), polynomial(sub(root, 5), outer));
  return mul(x, where(less(w, 6.25), polynomial(sub(w, 3.125), center), far));
}

/// x times a polynomial in w = -log(1 - x^2), or in sqrt(w) for large w; infinite at -1 and 1.
inline value erf_inv(const value& x) {
  const value w = neg(log1p(neg(mul(x, x))));
  const value y = x.dtype() == dtype::f64 ? erf_inv_double(x, w) : erf_inv_float(x, w);
  return where(equal(abs(x), 1), mul(x, std::numeric_limits<double>::infinity()), y);
}

inline constexpr lowering erf_rows[] = {
    {"erf", real1<erf>, "Erf; of double composed", float_unary},
    {"erf_inv", real1<erf_inv>, "composed", float_unary},
    {"erfc", real1<erfc>, "Erf, Exp, Where", float_unary},
};

}  // namespace jax2onnx::lower
