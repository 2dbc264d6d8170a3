// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

namespace {

template <std::int64_t From, std::int64_t To, class X>
auto conv_block(const X& x, const char* name, std::int64_t seed) {
  graph& g = value(x).owner();
  const auto kernel = weight<To, From, 3, 3>(g, name, 0.2, seed);
  const auto h = conv<conv_attributes_of{.pads = {1, 1, 1, 1}}>(x, kernel);
  const auto n = group_normalization<group_normalization_attributes_of{.num_groups = 2}>(h, filled<float, To>(g, 1.0f),
                                                                                         filled<float, To>(g, 0.1f));
  return n * sigmoid(n);
}

}  // namespace

// The program builds one level of a U-Net: pooling, upsampling, a skip connection and a residual connection.
PROGRAM(unet_block) {
  graph g(21);
  const auto x = input<float, "batch"_d, 4, 8, 8>(g, "x");
  const auto skip = conv_block<4, 4>(x, "k1", 1);
  const auto pooled = max_pool<max_pool_attributes_of{.kernel_shape = {2, 2}, .strides = {2, 2}}>(skip).y;
  const auto low = conv_block<4, 6>(pooled, "k2", 2);
  const auto wide =
      conv_transpose<conv_transpose_attributes_of{.strides = {2, 2}}>(low, weight<6, 4, 2, 2>(g, "up", 0.3));
  const auto joined = concat<1>(skip, wide);
  const tensor<float, "batch"_d, 4, 8, 8> y = conv_block<8, 4>(joined, "k3", 3) + x;
  const auto large = resize<resize_attributes_of{.mode = resize_mode::linear,
                                                 .coordinate_transformation_mode = coordinate_mode::align_corners}>(
      y, {}, {}, constant<std::int64_t, 4>(g, {1, 4, 12, 10}));
  output(y, "y");
  output(reduce_mean(large, {2, 3}), "large_mean");
  write_model(g, folder / "unet_block.onnx");
}

// The program decodes boxes, keeps the ones that do not overlap, and gathers their scores.
PROGRAM(detector_head) {
  graph g(22);
  const auto anchors =
      constant<float, 6, 4>(g, {0, 0, 2, 2, 0, 0.5f, 2, 2.5f, 3, 3, 5, 5, 3, 3.2f, 5, 5, 6, 6, 7, 7, 0, 0, 7, 7});
  const auto shifts = input<float, 1, 6, 4>(g, "shifts");
  const auto logits = input<float, 1, 3, 6>(g, "logits");
  const auto boxes = shifts * 0.1f + anchors;
  const auto scores = sigmoid(logits);
  const value kept = non_max_suppression({.boxes = boxes,
                                          .scores = scores,
                                          .max_output_boxes_per_class = 2,
                                          .iou_threshold = 0.5f,
                                          .score_threshold = 0.3f});
  const value rows = gather(kept, scalar(g, dtype::i64, 2), {.axis = 1});
  output(gather_nd(scores, kept), "scores");
  output(gather(boxes, rows, {.axis = 1}), "boxes");
  output(kept, "kept");
  write_model(g, folder / "detector_head.onnx");
}

// The program pools regions of a feature map by average and by maximum.
PROGRAM(roi_features) {
  graph g(18);
  const auto x = input<float, 1, 2, 8, 8>(g, "x");
  const auto rois = input<float, "regions"_d, 4>(g, "rois");
  const auto batch = constant<std::int64_t>(g, {0});
  const auto which = expand<"regions"_d>(batch);
  const auto aligned =
      roi_align<roi_align_attributes_of{.output_height = 3, .output_width = 2, .sampling_ratio = 2}>(x, rois, which);
  const value numbered = concat({unsqueeze(cast(which, {.to = dtype::f32}), {1}), rois}, {.axis = 1});
  output(aligned, "aligned");
  output(max_roi_pool(x, numbered, {.pooled_shape = {2, 2}}), "highest");
  output(global_lp_pool(x, {.p = 2}), "norm");
  write_model(g, folder / "roi_features.onnx");
}

// The program samples an image through an affine map and applies a deformable convolution to the result.
PROGRAM(spatial_transformer) {
  graph g(22);
  const auto x = input<float, 2, 1, 5, 5>(g, "x");
  const auto theta = input<float, 2, 2, 3>(g, "theta");
  const auto grid = affine_grid(theta, {2, 1, 5, 5}, {.align_corners = true});
  const auto turned =
      grid_sample<grid_sample_attributes_of{.align_corners = true, .padding_mode = padding_mode::border}>(
          x, tensor<float, 2, 5, 5, 2>(value(grid)));
  const auto offset = input<float, 2, 8, 4, 4>(g, "offset");
  const value deformed =
      deform_conv({.x = turned, .w = weight<1, 1, 2, 2>(g, "w"), .offset = offset}, {.kernel_shape = {2, 2}});
  output(turned, "turned");
  output(deformed, "deformed");
  write_model(g, folder / "spatial_transformer.onnx");
}

// The program rearranges pixels, crops, pads and pools, and undoes a pooling.
PROGRAM(pixel_tools) {
  graph g(18);
  const value x = g.input({dtype::f32, {g.dims().symbol("batch"), 4, 4, 6}}, "x");
  const value shuffled = depth_to_space(x, {.mode = depth_mode::crd, .blocksize = 2});
  output(space_to_depth(shuffled, {.blocksize = 2}), "restored");
  output(center_crop_pad(x, {6, 4}, {.axes = {2, 3}}), "centred");
  output(pad(x, {0, 0, 1, 2, 0, 0, 1, 0}, {}, {}, {.mode = pad_mode::reflect}), "reflected");
  output(pad(x, {1, 1}, 2.5, {3}), "wider");
  const auto [pooled, places] = max_pool(x, {.kernel_shape = {2, 2}, .strides = {2, 2}});
  output(max_unpool(pooled, places, {}, {.kernel_shape = {2, 2}, .strides = {2, 2}}), "unpooled");
  output(average_pool(x, {.kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}, .ceil_mode = true, .count_include_pad = true}),
         "average");
  output(lp_pool(x, {.kernel_shape = {2, 2}, .auto_pad = auto_pad::same_upper, .p = 1}), "lp");
  output(lrn(x, {.size = 3}), "lrn");
  output(global_max_pool(x), "peak");
  const value columns = reshape(x, {0, 4, -1});
  output(col2im(columns, {5, 7}, {2, 2}), "image");
  write_model(g, folder / "pixel_tools.onnx");
}
