#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/ops/verbs/attention.hpp>
#include <jax2onnx/ops/verbs/convolution.hpp>
#include <jax2onnx/ops/verbs/indexing.hpp>
#include <jax2onnx/ops/verbs/linear.hpp>
#include <jax2onnx/ops/verbs/normalization.hpp>
#include <jax2onnx/ops/verbs/recurrent.hpp>
#include <jax2onnx/ops/verbs/shape.hpp>
#include <jax2onnx/ops/verbs/signal.hpp>

/// Operators with many operands, which are given by name.
namespace jax2onnx {

/// The operands of slice by name.
struct slice_operands {
  required_operand<struct slice_needs_data> data;
  required_operand<struct slice_needs_starts> starts;
  required_operand<struct slice_needs_ends> ends;
  operand axes = {};
  operand steps = {};
};
/// The same with operands by name: `slice({.data = data, .starts = starts, ...})`.
inline value slice(const slice_operands& given) {
  return slice(given.data, given.starts, given.ends, given.axes, given.steps);
}

/// The operands of non_max_suppression by name.
struct non_max_suppression_operands {
  required_operand<struct non_max_suppression_needs_boxes> boxes;
  required_operand<struct non_max_suppression_needs_scores> scores;
  operand max_output_boxes_per_class = {};
  operand iou_threshold = {};
  operand score_threshold = {};
};
/// The same with operands by name: `non_max_suppression({.boxes = boxes, .scores = scores})`.
inline value non_max_suppression(const non_max_suppression_operands& given,
                                 const non_max_suppression_attributes& attributes = {}) {
  return non_max_suppression(given.boxes, given.scores, given.max_output_boxes_per_class, given.iou_threshold,
                             given.score_threshold, attributes);
}

/// The operands of qlinear_matmul by name.
struct qlinear_matmul_operands {
  required_operand<struct qlinear_matmul_needs_a> a;
  required_operand<struct qlinear_matmul_needs_a_scale> a_scale;
  required_operand<struct qlinear_matmul_needs_a_zero_point> a_zero_point;
  required_operand<struct qlinear_matmul_needs_b> b;
  required_operand<struct qlinear_matmul_needs_b_scale> b_scale;
  required_operand<struct qlinear_matmul_needs_b_zero_point> b_zero_point;
  required_operand<struct qlinear_matmul_needs_y_scale> y_scale;
  required_operand<struct qlinear_matmul_needs_y_zero_point> y_zero_point;
};
/// The same with operands by name: `qlinear_matmul({.a = a, .a_scale = a_scale, ...})`.
inline value qlinear_matmul(const qlinear_matmul_operands& given) {
  return qlinear_matmul(given.a, given.a_scale, given.a_zero_point, given.b, given.b_scale, given.b_zero_point,
                        given.y_scale, given.y_zero_point);
}

/// The operands of deform_conv by name.
struct deform_conv_operands {
  required_operand<struct deform_conv_needs_x> x;
  required_operand<struct deform_conv_needs_w> w;
  required_operand<struct deform_conv_needs_offset> offset;
  operand b = {};
  operand mask = {};
};
/// The same with operands by name: `deform_conv({.x = x, .w = w, ...})`.
inline value deform_conv(const deform_conv_operands& given, const deform_conv_attributes& attributes = {}) {
  return deform_conv(given.x, given.w, given.offset, given.b, given.mask, attributes);
}

/// The operands of qlinear_conv by name.
struct qlinear_conv_operands {
  required_operand<struct qlinear_conv_needs_x> x;
  required_operand<struct qlinear_conv_needs_x_scale> x_scale;
  required_operand<struct qlinear_conv_needs_x_zero_point> x_zero_point;
  required_operand<struct qlinear_conv_needs_w> w;
  required_operand<struct qlinear_conv_needs_w_scale> w_scale;
  required_operand<struct qlinear_conv_needs_w_zero_point> w_zero_point;
  required_operand<struct qlinear_conv_needs_y_scale> y_scale;
  required_operand<struct qlinear_conv_needs_y_zero_point> y_zero_point;
  operand b = {};
};
/// The same with operands by name: `qlinear_conv({.x = x, .x_scale = x_scale, ...})`.
inline value qlinear_conv(const qlinear_conv_operands& given, const qlinear_conv_attributes& attributes = {}) {
  return qlinear_conv(given.x, given.x_scale, given.x_zero_point, given.w, given.w_scale, given.w_zero_point,
                      given.y_scale, given.y_zero_point, given.b, attributes);
}

/// The operands of batch_normalization by name.
struct batch_normalization_operands {
  required_operand<struct batch_normalization_needs_x> x;
  required_operand<struct batch_normalization_needs_scale> scale;
  required_operand<struct batch_normalization_needs_b> b;
  required_operand<struct batch_normalization_needs_input_mean> input_mean;
  required_operand<struct batch_normalization_needs_input_var> input_var;
};
/// The same with operands by name: `batch_normalization({.x = x, .scale = scale, ...})`.
inline batch_normalization_outputs batch_normalization(const batch_normalization_operands& given,
                                                       const batch_normalization_attributes& attributes = {}) {
  return batch_normalization(given.x, given.scale, given.b, given.input_mean, given.input_var, attributes);
}

/// The operands of gru by name.
struct gru_operands {
  required_operand<struct gru_needs_x> x;
  required_operand<struct gru_needs_w> w;
  required_operand<struct gru_needs_r> r;
  operand b = {};
  operand sequence_lens = {};
  operand initial_h = {};
};
/// The same with operands by name: `gru({.x = x, .w = w, ...})`.
inline gru_outputs gru(const gru_operands& given, const gru_attributes& attributes = {}) {
  return gru(given.x, given.w, given.r, given.b, given.sequence_lens, given.initial_h, attributes);
}

/// The operands of lstm by name.
struct lstm_operands {
  required_operand<struct lstm_needs_x> x;
  required_operand<struct lstm_needs_w> w;
  required_operand<struct lstm_needs_r> r;
  operand b = {};
  operand sequence_lens = {};
  operand initial_h = {};
  operand initial_c = {};
  operand p = {};
};
/// The same with operands by name: `lstm({.x = x, .w = w, ...})`.
inline lstm_outputs lstm(const lstm_operands& given, const lstm_attributes& attributes = {}) {
  return lstm(given.x, given.w, given.r, given.b, given.sequence_lens, given.initial_h, given.initial_c, given.p,
              attributes);
}

/// The operands of rnn by name.
struct rnn_operands {
  required_operand<struct rnn_needs_x> x;
  required_operand<struct rnn_needs_w> w;
  required_operand<struct rnn_needs_r> r;
  operand b = {};
  operand sequence_lens = {};
  operand initial_h = {};
};
/// The same with operands by name: `rnn({.x = x, .w = w, ...})`.
inline rnn_outputs rnn(const rnn_operands& given, const rnn_attributes& attributes = {}) {
  return rnn(given.x, given.w, given.r, given.b, given.sequence_lens, given.initial_h, attributes);
}

/// The operands of attention by name.
struct attention_operands {
  required_operand<struct attention_needs_q> q;
  required_operand<struct attention_needs_k> k;
  required_operand<struct attention_needs_v> v;
  operand attn_mask = {};
  operand past_key = {};
  operand past_value = {};
  operand nonpad_kv_seqlen = {};
};
/// The same with operands by name: `attention({.q = q, .k = k, ...})`.
inline attention_outputs attention(const attention_operands& given, const attention_attributes& attributes = {}) {
  return attention(given.q, given.k, given.v, given.attn_mask, given.past_key, given.past_value, given.nonpad_kv_seqlen,
                   attributes);
}

/// The operands of linear_attention by name.
struct linear_attention_operands {
  required_operand<struct linear_attention_needs_query> query;
  required_operand<struct linear_attention_needs_key> key;
  required_operand<struct linear_attention_needs_value> value_;
  operand past_state = {};
  operand decay = {};
  operand beta = {};
};
/// The same with operands by name: `linear_attention({.query = query, .key = key, ...})`.
inline linear_attention_outputs linear_attention(const linear_attention_operands& given,
                                                 const linear_attention_attributes& attributes) {
  return linear_attention(given.query, given.key, given.value_, given.past_state, given.decay, given.beta, attributes);
}

/// The operands of mel_weight_matrix by name.
struct mel_weight_matrix_operands {
  required_operand<struct mel_weight_matrix_needs_num_mel_bins> num_mel_bins;
  required_operand<struct mel_weight_matrix_needs_dft_length> dft_length;
  required_operand<struct mel_weight_matrix_needs_sample_rate> sample_rate;
  required_operand<struct mel_weight_matrix_needs_lower_edge_hertz> lower_edge_hertz;
  required_operand<struct mel_weight_matrix_needs_upper_edge_hertz> upper_edge_hertz;
};
/// The same with operands by name: `mel_weight_matrix({.num_mel_bins = num_mel_bins, .dft_length = dft_length, ...})`.
inline value mel_weight_matrix(const mel_weight_matrix_operands& given,
                               const mel_weight_matrix_attributes& attributes = {}) {
  return mel_weight_matrix(given.num_mel_bins, given.dft_length, given.sample_rate, given.lower_edge_hertz,
                           given.upper_edge_hertz, attributes);
}

}  // namespace jax2onnx
