// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/computed_constants.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Images that are enlarged or reduced along two axes, one after the other: by products with matrices of weights, as
/// jax.image.resize does, or by copies of rows and columns.
namespace jax2onnx::rewrite::detail {

/// A step from one value to the next that moves or resamples axes.
struct image_step {
  value result;
  value operand;
  value weights = {};      ///< the matrix of a product; absent for a lookup
  bool from_left = false;  ///< true if the matrix is the left operand of the product, [new extent, old extent]
  std::int64_t axis = -1;  ///< the axis that is resampled; -1 if none is
  ints copied = {};        ///< the axes of extent 1 that are copied

  int resampled() const { return static_cast<int>(axis >= 0) + static_cast<int>(copied.size()); }
};

/// The product of a tensor and a matrix that is computed from constants: it resamples an axis of the tensor.
inline std::optional<image_step> product_step(const value& v) {
  value a, b;
  if (!match(v, m_op("MatMul", m_value(a), m_value(b))) || v.rank() < 2) return {};
  const auto is_matrix = [](const value& m) {
    const auto is_positive = [](dim d) { return d.is_constant() && d.extent() > 0; };
    return m.rank() == 2 && item_loops::all_of(m.dims(), is_positive) && constant_evaluator::is_computable(m);
  };
  if (a.rank() >= 2 && is_matrix(b)) return image_step{v, a, b, false, v.rank() - 1};
  if (b.rank() >= 2 && is_matrix(a)) return image_step{v, b, a, true, v.rank() - 2};
  return {};
}

/// The position that Resize in mode nearest reads for pixel `to`, in the arithmetic of ONNX Runtime.
using nearest_position = std::int64_t (*)(std::int64_t to, float scale);
/// The position for the modes asymmetric and floor.
inline std::int64_t floor_position(std::int64_t to, float scale) {
  return static_cast<std::int64_t>(std::floor(static_cast<float>(to) / scale));
}
/// The position for the modes half_pixel and round_prefer_ceil.
inline std::int64_t rounded_position(std::int64_t to, float scale) {
  return static_cast<std::int64_t>(std::round((static_cast<float>(to) + 0.5f) / scale - 0.5f));
}

/// Returns whether a vector of indices into `before` pixels has the positions that Resize reads.
inline bool are_positions(const elements& indices, std::int64_t before, nearest_position position) {
  const float scale = static_cast<float>(indices.bits.size()) / static_cast<float>(before);
  for (std::size_t i = 0; i < indices.bits.size(); ++i) {
    const std::int64_t read = position(static_cast<std::int64_t>(i), scale);
    if (indices[i].integer() != std::clamp<std::int64_t>(read, 0, before - 1)) return false;
  }
  return true;
}

/// A lookup of constant indices along an axis, if the extent of this axis changes; nullopt for any other value.
inline std::optional<image_step> gather_step(const value& v) {
  if (!producer(v, "Gather") || input_of(v, 1).rank() != 1 || !read_elements(input_of(v, 1))) return {};
  const value x = input_of(v, 0);
  const std::int64_t axis = axis_of(v);
  const dim before = x.extent(axis), after = v.extent(axis);
  if (!before.is_constant() || before.extent() == 0 || after.is(0) || before == after) return {};
  return image_step{v, x, {}, false, axis};
}

/// Copies along axes of extent 1. If such an axis is joined with the axis before it, the joined axis is resampled:
/// x[..., i / n, ...].
inline std::optional<image_step> expand_step(const value& v) {
  if (!producer(v, "Expand") || input_of(v, 0).rank() != v.rank()) return {};
  image_step step{v, input_of(v, 0)};
  for (std::int64_t i = 0; i < v.rank(); ++i) {
    if (step.operand.extent(i) == v.extent(i)) continue;
    if (!step.operand.extent(i).is(1) || !v.extent(i).is_constant() || v.extent(i).is(0)) return {};
    step.copied.push_back(i);
  }
  return step;
}

inline std::optional<image_step> lookup_step(const value& v) {
  const std::optional<image_step> gathered = gather_step(v);
  return gathered ? gathered : expand_step(v);
}

inline std::optional<image_step> moving_step(const value& v) {
  if (!is_reshape(v) && !producer(v, "Transpose")) return {};
  return image_step{v, input_of(v, 0)};
}

/// The steps that compute `root`, from first to last. They resample or copy exactly two axes; the result is empty if
/// there are fewer. The values between the steps are read once.
inline std::vector<image_step> image_steps(const context& c, const value& root,
                                           std::optional<image_step> (*resampling)(const value&)) {
  constexpr std::size_t most_steps = 12;
  std::vector<image_step> steps;
  int resampled = 0;
  for (value v = root; steps.size() < most_steps && (same_value(v, root) || c.single_use(v));
       v = steps.back().operand) {
    std::optional<image_step> step = resampling(v);
    if (!step) step = moving_step(v);
    if (!step || resampled + step->resampled() > 2) break;
    resampled += step->resampled();
    steps.push_back(*step);
  }
  std::ranges::reverse(steps);
  return resampled == 2 ? steps : std::vector<image_step>();
}

/// Follows the axes of a value x, except those of extent 1, through steps.
class axis_tracker {
 public:
  /// The first operand of the steps is Transpose(x, order).
  axis_tracker(const value& x, const ints& order) : dims_(x.owner().dims()), extents_(x.dims()), rank_(x.rank()) {
    for (const std::int64_t axis : order)
      if (!x.extent(axis).is(1)) order_.push_back(axis);
  }
  /// Follows a step. Returns false if the step mixes axes, resamples an axis to extent 1, or resamples an axis that was
  /// resampled before.
  bool follow(const image_step& step) {
    const std::optional<std::vector<ints>> groups = groups_of(step.operand.dims());
    if (!groups) return false;
    if (const std::optional<ints> perm = transpose_of(step.result)) {
      order_.clear();
      for (const std::int64_t axis : *perm)
        for (const std::int64_t moved : (*groups)[static_cast<std::size_t>(axis)]) order_.push_back(moved);
    }
    if (!step.copied.empty()) copy(*groups, step);
    if (step.axis < 0) return true;
    const ints& group = (*groups)[static_cast<std::size_t>(step.axis)];
    return group.size() == 1 && resample(group[0], step.result.extent(step.axis));
  }
  /// Joins each axis of copies with the axis of x before it, which resamples that axis of x. Returns false if there is
  /// no such axis, if it was resampled before, or if its extent is symbolic.
  bool join_copies() {
    ints joined;
    for (const std::int64_t axis : order_) {
      if (axis < rank_) {
        joined.push_back(axis);
        continue;
      }
      if (joined.empty() || !extent(joined.back()).is_constant()) return false;
      if (!resample(joined.back(), dims_.mul(extent(joined.back()), extent(axis)))) return false;
    }
    order_ = std::move(joined);
    extents_.resize(static_cast<std::size_t>(rank_));
    return true;
  }
  /// The axes of x that each axis of a shape consists of; nullopt if the shape splits an axis of x.
  std::optional<std::vector<ints>> groups_of(const shape& dims) const {
    std::vector<ints> groups;
    std::size_t next = 0;
    for (const dim d : dims) {
      ints& group = groups.emplace_back();
      if (d.is(1)) continue;
      dim product = 1;
      while (product != d && next < order_.size()) {
        product = dims_.mul(product, extent(order_[next]));
        group.push_back(order_[next++]);
      }
      if (product != d) return {};
    }
    return next == order_.size() ? std::optional(groups) : std::nullopt;
  }
  /// The extents of x's axes after resampling.
  const shape& extents() const { return extents_; }
  /// The axes with other extents than 1, in their current order.
  const ints& order() const { return order_; }
  /// The resampled axes of x, ascending.
  const ints& resampled() const { return resampled_; }

 private:
  dim extent(std::int64_t axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  bool resample(std::int64_t axis, dim extent) {
    if (extent.is(1) || item_loops::contains(resampled_, axis)) return false;
    extents_[static_cast<std::size_t>(axis)] = extent;
    resampled_.insert(std::ranges::lower_bound(resampled_, axis), axis);
    return true;
  }
  /// Adds copies as new axes, which are numbered after the axes of x.
  void copy(const std::vector<ints>& groups, const image_step& step) {
    order_.clear();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      order_.insert(order_.end(), groups[i].begin(), groups[i].end());
      if (std::ranges::find(step.copied, static_cast<std::int64_t>(i)) == step.copied.end()) continue;
      order_.push_back(std::ssize(extents_));
      extents_.push_back(step.result.dims()[i]);
    }
  }

  dim_table& dims_;
  shape extents_;
  std::int64_t rank_;
  ints order_, resampled_;
};

/// The product of the extents of the axes from `from` to `to` - 1; nullopt if it is not constant.
inline std::optional<std::int64_t> constant_product(const shape& dims, std::size_t from, std::size_t to) {
  std::int64_t product = 1;
  for (std::size_t i = from; i < to; ++i) {
    if (!dims[i].is_constant()) return {};
    product *= dims[i].extent();
  }
  return product;
}

/// An image of four axes that is to be resized along two neighbours, the second and third or the last two.
struct resized_image {
  value x;
  std::size_t height_axis;
  dim height, width;      ///< the new extents
  std::int64_t channels;  ///< the number of adjacent elements of each pixel

  dim old_height() const { return x.dims()[height_axis]; }
  dim old_width() const { return x.dims()[height_axis + 1]; }
};

/// x as an image of four axes; nullopt if the resized axes are not neighbours, the channels are not constant, or
/// extents would have to be computed at run time.
inline std::optional<resized_image> as_image(const value& x, const axis_tracker& axes) {
  const auto h = static_cast<std::size_t>(axes.resampled()[0]), w = static_cast<std::size_t>(axes.resampled()[1]);
  const shape& dims = x.dims();
  const std::optional<std::int64_t> between = constant_product(dims, h + 1, w),
                                    channels = constant_product(dims, w + 1, dims.size());
  if (between != 1 || !channels) return {};
  const dim lead = x.owner().dims().product(shape(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(h)));
  const bool planes = *channels == 1;
  shape image = planes ? shape{1, lead, dims[h], dims[w]} : shape{lead, dims[h], dims[w], *channels};
  if (dims.size() == 4 && w == h + 1 && h == (planes ? 2U : 1U)) image = dims;
  if (!is_static_reshape(x, image)) return {};
  return resized_image{reshape(x, image), planes ? 2U : 1U, axes.extents()[h], axes.extents()[w], *channels};
}

/// Resize to the new extents: by sizes if all are constant, else by scales.
inline value resize(const resized_image& image, std::vector<attribute> attributes) {
  graph& g = image.x.owner();
  const auto factor = [](dim from, dim to) {
    return static_cast<double>(to.extent()) / static_cast<double>(from.extent());
  };
  shape dims = image.x.dims();
  const std::size_t h = image.height_axis;
  std::vector<double> scales(4, 1.0);
  scales[h] = factor(image.old_height(), image.height);
  scales[h + 1] = factor(image.old_width(), image.width);
  dims[h] = image.height;
  dims[h + 1] = image.width;
  std::vector<value> inputs{image.x, {}};
  if (constant_product(dims, 0, 4)) {
    ints sizes;
    for (const dim d : dims) sizes.push_back(d.extent());
    inputs.insert(inputs.end(), {value(), int64s(g, sizes)});
  } else {
    inputs.push_back(array(g, dtype::f32, {4}, std::span<const double>(scales)));
  }
  return g.emit("Resize", inputs, {image.x.dtype(), dims}, std::move(attributes));
}

/// The axes of x in the order in which `to` has them. Axes of extent 1 go to axes of `to` that have extent 1.
inline ints order_for(const shape& to, const axis_tracker& axes) {
  ints ones, perm;
  for (std::size_t i = 0; i < axes.extents().size(); ++i)
    if (axes.extents()[i].is(1)) ones.push_back(static_cast<std::int64_t>(i));
  auto next_one = ones.begin();
  const std::optional<std::vector<ints>> groups = axes.groups_of(to);
  for (const ints& group : groups ? *groups : std::vector<ints>{axes.order()}) {
    if (group.empty() && next_one != ones.end()) perm.push_back(*next_one++);
    perm.insert(perm.end(), group.begin(), group.end());
  }
  perm.insert(groups ? perm.end() : perm.begin(), next_one, ones.end());
  return perm;
}

/// The resized image with its axes in the order of the result, in the shape `to`. Absent if this needs extents that are
/// computed at run time.
inline value as_result(const value& resized, const axis_tracker& axes, const shape& to) {
  if (!is_static_reshape(resized, axes.extents())) return {};
  const value moved = transpose(reshape(resized, axes.extents()), order_for(to, axes));
  return is_static_reshape(moved, to) ? reshape(moved, to) : value();
}

/// Returns whether `at(from, to)`, the weight of an old pixel in a new pixel, is the weight that Resize uses from
/// `before` to `after` pixels, in mode linear with half_pixel. Resize computes positions in float.
template <class At>
bool is_linear_interpolation(std::int64_t before, std::int64_t after, const At& at) {
  const float scale = static_cast<float>(after) / static_cast<float>(before);
  const auto last = static_cast<double>(before - 1);
  for (std::int64_t to = 0; to < after; ++to) {
    const double position = (static_cast<float>(to) + 0.5f) / scale - 0.5f, inside = std::clamp(position, 0.0, last);
    for (std::int64_t from = 0; from < before; ++from) {
      const double weight = std::max(0.0, 1 - std::abs(inside - static_cast<double>(from)));
      if (!(std::abs(at(from, to) - weight) <= 0x1p-22)) return false;
    }
  }
  return true;
}

/// Returns whether a product interpolates linearly between neighbours, as Resize does.
inline bool interpolates(constant_evaluator& constants, const image_step& step) {
  const dim before = step.operand.extent(step.axis), after = step.result.extent(step.axis);
  if (!before.is_constant() || !after.is_constant()) return false;
  const elements* weights = constants.numbers(step.weights);
  if (!weights) return false;
  const auto columns = step.from_left ? before.extent() : after.extent();
  return is_linear_interpolation(before.extent(), after.extent(), [&](std::int64_t from, std::int64_t to) {
    return (*weights)[static_cast<std::size_t>(step.from_left ? to * columns + from : from * columns + to)].number();
  });
}

/// Nanoseconds for each number of the result, as measured in ONNX Runtime 1.31 on one core.
namespace resize_cost {
inline constexpr double product = 0.009;   ///< the cost of each number that a product adds
inline constexpr double transposed = 1.5;  ///< the cost of each number that a Transpose moves between products
inline constexpr double moved = 1;         ///< the cost of each number that a Transpose of images moves
inline constexpr double in_planes = 1.2, of_channels = 0.3, of_pixel = 6;
inline constexpr double old_number = 0.5;  ///< the cost of keeping the NaN of each number of the operand
}  // namespace resize_cost

/// The cost of the steps and, if `are_channels_last`, of the Transpose after them that moves the axes before the
/// channels.
inline double cost_of_products(const std::vector<image_step>& steps, bool are_channels_last, double old_size) {
  double cost = are_channels_last ? resize_cost::transposed : 0;
  double size = old_size;  // the size of the current value, relative to the result
  for (const image_step& step : steps) {
    if (step.axis >= 0) {
      const auto before = static_cast<double>(step.operand.extent(step.axis).extent());
      size *= static_cast<double>(step.result.extent(step.axis).extent()) / before;
      cost += resize_cost::product * size * before;
    } else if (producer(step.result, "Transpose")) {
      cost += resize_cost::transposed * size;
    }
  }
  return cost;
}
inline double cost_of_resize(const resized_image& image, bool is_moved, double old_size) {
  const double number = image.channels == 1
                            ? resize_cost::in_planes
                            : resize_cost::of_channels + resize_cost::of_pixel / static_cast<double>(image.channels);
  return number + resize_cost::old_number * old_size + (is_moved ? resize_cost::moved * (1 + old_size) : 0);
}
inline bool is_faster_resized(const std::vector<image_step>& steps, const resized_image& image, bool is_moved) {
  const auto size = [](dim h, dim w) { return static_cast<double>(h.extent()) * static_cast<double>(w.extent()); };
  const double old_size = size(image.old_height(), image.old_width()) / size(image.height, image.width);
  return cost_of_resize(image, is_moved, old_size) < cost_of_products(steps, image.channels > 1, old_size);
}

/// x, with NaN in all elements of each plane that has a number which is not finite. The products that Resize replaces
/// add all numbers of a plane, also with weights of 0. ONNX Runtime computes a product with zeros faster than a sum of
/// 0 x.
inline value with_nan_of_plane(const resized_image& image) {
  const auto h = static_cast<std::int64_t>(image.height_axis);
  const bool planes = image.channels == 1;
  const dim width = image.old_width();
  const value zeros = filled(image.x.owner(), image.x.dtype(), planes ? shape{width, 1} : shape{1, width}, 0.0);
  const value rows = planes ? matmul(image.x, zeros) : matmul(zeros, image.x);
  return add(image.x, reduce("ReduceSum", rows, {h}, true));
}

/// Returns whether the steps begin with a Transpose of many planes, [batch, channels, height, width], as a convolution
/// returns them. ONNX Runtime resizes many planes faster with the channels last.
inline bool begin_at_planes(const std::vector<image_step>& steps) {
  constexpr std::int64_t fewest = 16;
  const value& x = steps.front().operand;
  if (x.rank() != 4 || !producer(steps.front().result, "Transpose")) return false;
  return x.extent(1).is_constant() && x.extent(1).extent() >= fewest;
}

inline outcome resize_linear(const context& c, const value& root) {
  const std::vector<image_step> steps = image_steps(c, root, product_step);
  if (steps.empty()) return {};
  if (root.dtype() != dtype::f32) return decline("the element type is not float32");
  const bool is_moved = begin_at_planes(steps);
  const value from = steps.front().operand, x = is_moved ? transpose(from, {0, 2, 3, 1}) : from;
  axis_tracker axes(x, is_moved ? ints{0, 3, 1, 2} : iota_axes(x.rank()));
  for (const image_step& step : steps)
    if (!axes.follow(step)) return decline("the products mix axes, or resample an axis twice");
  std::optional<resized_image> image = as_image(x, axes);
  if (!image) return decline("the axes are not the height and the width of an image");
  if (!is_faster_resized(steps, *image, is_moved)) return decline("the products are as fast as Resize");
  constant_evaluator constants;
  for (const image_step& step : steps)
    if (step.axis >= 0 && !interpolates(constants, step)) return decline("Resize would use other weights");
  if (!c.assume_finite) image->x = with_nan_of_plane(*image);
  const value y = as_result(resize(*image, {{"mode", std::string("linear")}}), axes, root.dims());
  return y ? outcome(y) : decline("the shape would be computed at run time");
}

/// The attributes for which Resize reads the same pixels as the lookups; nullopt if there are no such attributes. For
/// integral scales, ONNX Runtime copies faster from asymmetric positions.
inline std::optional<std::vector<attribute>> nearest_attributes(const std::vector<image_step>& steps) {
  const auto reads = [&](nearest_position position) {
    return item_loops::all_of(steps, [&](const image_step& step) {
      if (step.axis < 0) return true;
      const auto indices = read_elements(input_of(step.result, 1));
      return indices && are_positions(*indices, step.operand.extent(step.axis).extent(), position);
    });
  };
  const auto attributes = [](std::string coordinates, std::string rounding) {
    return std::vector<attribute>{{"coordinate_transformation_mode", std::move(coordinates)},
                                  {"mode", std::string("nearest")},
                                  {"nearest_mode", std::move(rounding)}};
  };
  if (reads(floor_position)) return attributes("asymmetric", "floor");
  if (reads(rounded_position)) return attributes("half_pixel", "round_prefer_ceil");
  return {};
}

inline outcome resize_nearest(const context& c, const value& root) {
  constexpr std::int64_t most_channels = 8;
  const std::vector<image_step> steps = image_steps(c, root, lookup_step);
  if (steps.empty()) return {};
  const value x = steps.front().operand;
  if (const dtype t = x.dtype(); t != dtype::f32 && t != dtype::i32 && t != dtype::u8 && t != dtype::i8)
    return decline("ONNX Runtime has no kernel for the element type");
  axis_tracker axes(x, iota_axes(x.rank()));
  for (const image_step& step : steps)
    if (!axes.follow(step)) return decline("the lookups mix axes, or resample an axis twice");
  if (!axes.join_copies()) return decline("the copies are not copies of rows or columns");
  const std::optional<resized_image> image = as_image(x, axes);
  if (!image) return decline("the axes are not the height and the width of an image");
  if (image->channels >= most_channels) return decline("with many channels, lookups copy pixels faster than Resize");
  std::optional<std::vector<attribute>> attributes = nearest_attributes(steps);
  if (!attributes) return decline("Resize reads other pixels than the lookups");
  const value y = as_result(resize(*image, std::move(*attributes)), axes, root.dims());
  return y ? outcome(y) : decline("the shape would be computed at run time");
}

inline constexpr rule resize_rules[] = {
    {"Resize-linear", "W^T (x V) -> Resize(x + ReduceSum(x 0, axis), mode=linear), 0 a vector of zeros",
     "float32; products along two neighbouring axes, in any order, with Transpose and Reshape in between; "
     "W and V are computed from constants of the model, and are the weights of linear interpolation; "
     "only if the products take longer than Resize",
     ops<"MatMul">, resize_linear, stage::late},
    {"Resize-nearest",
     "Gather(Gather(x, i), j) -> Resize(x, mode=nearest), Expand(x[:, :, None, :, None]) -> Resize(x, mode=nearest)",
     "float32, int32, int8 or uint8; lookups along two neighbouring axes, with Transpose and Reshape in between; "
     "i and j are constants, the positions that Resize reads; at most 7 elements after the two axes",
     ops<"Gather", "Expand">, resize_nearest, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
