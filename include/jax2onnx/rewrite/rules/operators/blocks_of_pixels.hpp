// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Chains of Reshapes and Transposes become SpaceToDepth if they move blocks of pixels to the channels, and
/// DepthToSpace if they move channels to blocks of pixels (docs/decisions/0057).
namespace jax2onnx::rewrite::detail {

/// The position of an image's channels: [..., channels, height, width] or [..., height, width, channels].
enum class channels_at : std::uint8_t { front, back };

/// An image, and the order in which a chain of Reshapes and Transposes leaves its elements.
struct moved_image {
  value x;
  axis_parts order;
  channels_at where;

  dim_table& dims() const { return x.owner().dims(); }
  std::int64_t height_axis() const { return x.rank() - (where == channels_at::front ? 2 : 3); }
  std::int64_t width_axis() const { return height_axis() + 1; }
  std::int64_t channels_axis() const { return x.rank() - (where == channels_at::front ? 3 : 1); }
  dim height() const { return x.extent(height_axis()); }
  dim width() const { return x.extent(width_axis()); }
  dim channels() const { return x.extent(channels_axis()); }
  /// The product of the extents before the three axes of the image.
  dim batch() const { return dims().product(shape(x.dims().begin(), x.dims().end() - 3)); }
};

/// The image at the start of the chain of views that ends with `root`; nullopt if the chain has fewer than three views,
/// if a view has no layout, or if the input of the chain is empty, has fewer than three axes, or has fewer axes than
/// `root`.
inline std::optional<moved_image> moved_image_of(const context& c, const value& root) {
  constexpr std::size_t fewest_steps = 3, most_steps = 8;
  std::vector<value> steps;
  value x = root;
  // A Transpose may have other readers, since it can stay.
  const auto may_go = [&](const value& v) { return same_value(v, root) || c.single_use(v) || !is_reshape(v); };
  for (; steps.size() < most_steps && is_view(x) && may_go(x); x = input_of(x, 0)) steps.push_back(x);
  const auto is_empty = [](dim d) { return d.is(0); };
  if (steps.size() < fewest_steps || x.rank() < std::max<std::int64_t>(3, root.rank())) return {};
  if (item_loops::any_of(x.dims(), is_empty)) return {};
  axis_layout layout;
  for (std::int64_t i = 0; i < x.rank(); ++i) layout.push_back(whole_axis(i, x.extent(i)));
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    std::optional<axis_layout> next = layout_after(*step, layout);
    if (!next) return {};
    layout = std::move(*next);
  }
  return moved_image{x, all_parts(layout), channels_at::front};
}

/// A DepthToSpace or SpaceToDepth of an image: the parts of the result's axes, and their extents.
struct block_move {
  operator_name op;
  std::int64_t side;      ///< the side of the blocks
  std::string_view mode;  ///< DepthToSpace's attribute `mode`: the order of the channels
  axis_parts channels, pixels;
  dim channel_count, height, width;
};

/// DepthToSpace with blocks of `side`; the number of channels must be a multiple of side^2.
inline block_move to_space(const moved_image& image, std::int64_t side, std::string_view mode) {
  const std::int64_t axis = image.channels_axis(), count = image.channels().extent() / side / side;
  const bool outermost = mode == "DCR";
  const axis_part channel{axis, count, outermost ? 1 : side * side};
  axis_parts pixels = whole_axis(image.height_axis(), image.height());
  pixels.push_back({axis, side, outermost ? side * count : side});
  append(pixels, whole_axis(image.width_axis(), image.width()));
  pixels.push_back({axis, side, outermost ? count : 1});
  const dim height = image.dims().mul(image.height(), side), width = image.dims().mul(image.width(), side);
  return {"DepthToSpace", side, mode, {channel}, pixels, count, height, width};
}

/// SpaceToDepth with blocks of `side`.
inline block_move to_depth(const moved_image& image, std::int64_t side) {
  const std::int64_t rows = image.height_axis(), columns = image.width_axis();
  axis_parts channels{{rows, side}, {columns, side}};
  append(channels, whole_axis(image.channels_axis(), image.channels()));
  const dim height = image.dims().floordiv(image.height(), side), width = image.dims().floordiv(image.width(), side);
  const axis_parts pixels{{rows, height, side}, {columns, width, side}};
  const dim count = image.dims().mul(image.channels(), side * side);
  return {"SpaceToDepth", side, "DCR", channels, pixels, count, height, width};
}

/// Lists each DepthToSpace that could give this order: the side of a block is the extent of a part of the channels. The
/// list is empty if the number of channels is symbolic.
inline std::vector<block_move> moves_to_space(const moved_image& image) {
  std::vector<block_move> moves;
  const dim channels = image.channels();
  if (!channels.is_constant()) return moves;
  for (const axis_part& part : image.order) {
    if (part.axis != image.channels_axis() || part.extent == channels) continue;
    const std::int64_t side = part.extent.extent();
    if (channels.extent() / side % side != 0) continue;
    moves.push_back(to_space(image, side, "DCR"));
    moves.push_back(to_space(image, side, "CRD"));
  }
  return moves;
}

/// Lists each SpaceToDepth that could result in this order of axes: the side of a block is the extent of the inner part
/// of the rows.
inline std::vector<block_move> moves_to_depth(const moved_image& image) {
  std::vector<block_move> moves;
  for (const axis_part& part : image.order)
    if (part.axis == image.height_axis() && part.step.is(1) && part.extent.is_constant())
      moves.push_back(to_depth(image, part.extent.extent()));
  return moves;
}

/// Returns whether the chain does the move and has the channels of its result at `where`.
inline bool is_chain(const moved_image& image, const block_move& move, channels_at where) {
  axis_parts order;
  for (std::int64_t i = 0; i < image.x.rank() - 3; ++i) append(order, whole_axis(i, image.x.extent(i)));
  append(order, where == channels_at::front ? move.channels : move.pixels);
  append(order, where == channels_at::front ? move.pixels : move.channels);
  std::erase_if(order, [](const axis_part& part) { return part.extent.is(1); });
  return in_same_order(image.dims(), order, image.order);
}

/// A move, and the position of the channels in the result of the chain.
struct found_move {
  block_move move;
  channels_at where;
};

/// The first of the moves that the chain does, if any.
inline std::optional<found_move> find_move(const moved_image& image, const std::vector<block_move>& moves) {
  for (const block_move& move : moves)
    for (const channels_at where : {channels_at::front, channels_at::back})
      if (is_chain(image, move, where)) return found_move{move, where};
  return {};
}

/// The moved image in the shape of the root. Declines if ONNX Runtime has no kernel, or if a shape would be computed at
/// run time.
inline outcome moved_blocks(const context& c, const moved_image& image, const found_move& found, const value& root) {
  const dtype t = root.dtype();
  const bool has_kernel = t == dtype::f32 || t == dtype::f64 || t == dtype::u8 || t == dtype::i8;
  if (!has_kernel && is_onnx_runtime(c.runtime)) return decline("ONNX Runtime has no kernel for the element type");
  const block_move& move = found.move;
  shape four{image.batch()}, result{image.batch(), move.channel_count, move.height, move.width};
  four.insert(four.end(), image.x.dims().end() - 3, image.x.dims().end());
  if (!is_static_reshape(image.x, four)) return decline("the shape would be computed at run time");
  value x = reshape(image.x, four);
  if (image.where == channels_at::back) x = transpose(x, {0, 3, 1, 2});
  std::vector<attribute> attributes{{"blocksize", move.side}};
  if (move.mode == "CRD") attributes.push_back({"mode", std::string(move.mode)});
  value y = c.g.emit(move.op, {x}, {t, result}, std::move(attributes));
  if (found.where == channels_at::back) y = transpose(y, {0, 2, 3, 1});
  if (!is_static_reshape(y, root.dims())) return decline("the shape would be computed at run time");
  return reshape(y, root.dims());
}

inline outcome fuse_depth_to_space(const context& c, const value& root) {
  const std::optional<moved_image> image = moved_image_of(c, root);
  if (!image) return {};
  const std::optional<found_move> found = find_move(*image, moves_to_space(*image));
  return found ? moved_blocks(c, *image, *found, root) : outcome();
}

inline outcome fuse_space_to_depth(const context& c, const value& root) {
  std::optional<moved_image> image = moved_image_of(c, root);
  if (!image) return {};
  if (const std::optional<found_move> found = find_move(*image, moves_to_depth(*image)))
    return moved_blocks(c, *image, *found, root);
  image->where = channels_at::back;
  const std::optional<found_move> found = find_move(*image, moves_to_depth(*image));
  if (!found || found->where == channels_at::back) return {};
  constexpr std::int64_t longest = 32;  // a Transpose moves longer rows faster than SpaceToDepth moves elements
  const dim row = c.g.dims().mul(image->channels(), found->move.side);
  if (!row.is_constant() || row.extent() > longest)
    return decline("a Transpose may move the rows of blocks as fast as SpaceToDepth");
  return moved_blocks(c, *image, *found, root);
}

inline constexpr rule block_rules[] = {
    {"DepthToSpace",
     "Reshape(Transpose(Reshape(x), p)) -> DepthToSpace(x), Reshape(Transpose(Reshape(Transpose(x, q)), p)) -> "
     "Transpose(DepthToSpace(x), q)",
     "the channels of x are before the pixels; the elements are in the order of the result; "
     "q moves the channels after the pixels; float32, float64, int8 or uint8 for ONNX Runtime; the Reshapes are read "
     "once",
     ops<"Reshape", "Transpose">, fuse_depth_to_space, stage::late},
    {"SpaceToDepth",
     "Reshape(Transpose(Reshape(x), p)) -> SpaceToDepth(x), Reshape(Transpose(Reshape(Transpose(x, q)), p)) -> "
     "Transpose(SpaceToDepth(x), q), Transpose(Reshape(Transpose(Reshape(x), p)), q) -> SpaceToDepth(Transpose(x, q))",
     "as DepthToSpace; "
     "in the last form, the channels of x are after the pixels, and a row of a block has at most 32 elements",
     ops<"Reshape", "Transpose">, fuse_space_to_depth, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
