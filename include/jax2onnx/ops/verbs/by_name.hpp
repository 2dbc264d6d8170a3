// SPDX-License-Identifier: Apache-2.0
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

/// The operands of pad by name.
struct pad_operands {
  required_operand<struct pad_needs_data> data;
  required_operand<struct pad_needs_pads> pads;
  operand constant_value = {};
  operand axes = {};
};
/// Takes the operands by name: `pad({.data = data, .pads = pads})`.
inline value pad(const pad_operands& given, const pad_attributes& attributes = {}) {
  return pad(given.data, given.pads, given.constant_value, given.axes, attributes);
}

/// The operands of slice by name.
struct slice_operands {
  required_operand<struct slice_needs_data> data;
  required_operand<struct slice_needs_starts> starts;
  required_operand<struct slice_needs_ends> ends;
  operand axes = {};
  operand steps = {};
};
/// Takes the operands by name: `slice({.data = data, .starts = starts, ...})`.
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
/// Takes the operands by name: `non_max_suppression({.boxes = boxes, .scores = scores})`.
inline value non_max_suppression(const non_max_suppression_operands& given,
                                 const non_max_suppression_attributes& attributes = {}) {
  return non_max_suppression(given.boxes, given.scores, given.max_output_boxes_per_class, given.iou_threshold,
                             given.score_threshold, attributes);
}

/// The operands of matmul_integer by name.
struct matmul_integer_operands {
  required_operand<struct matmul_integer_needs_a> a;
  required_operand<struct matmul_integer_needs_b> b;
  operand a_zero_point = {};
  operand b_zero_point = {};
};
/// Takes the operands by name: `matmul_integer({.a = a, .b = b})`.
inline value matmul_integer(const matmul_integer_operands& given) {
  return matmul_integer(given.a, given.b, given.a_zero_point, given.b_zero_point);
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
/// Takes the operands by name: `qlinear_matmul({.a = a, .a_scale = a_scale, ...})`.
inline value qlinear_matmul(const qlinear_matmul_operands& given) {
  return qlinear_matmul(given.a, given.a_scale, given.a_zero_point, given.b, given.b_scale, given.b_zero_point,
                        given.y_scale, given.y_zero_point);
}

/// The operands of causal_conv_with_state by name.
struct causal_conv_with_state_operands {
  required_operand<struct causal_conv_with_state_needs_input> input;
  required_operand<struct causal_conv_with_state_needs_weight> weight;
  operand bias = {};
  operand past_state = {};
};
/// Takes the operands by name: `causal_conv_with_state({.input = input, .weight = weight})`.
inline causal_conv_with_state_outputs causal_conv_with_state(const causal_conv_with_state_operands& given,
                                                             const causal_conv_with_state_attributes& attributes = {}) {
  return causal_conv_with_state(given.input, given.weight, given.bias, given.past_state, attributes);
}

/// The operands of conv_integer by name.
struct conv_integer_operands {
  required_operand<struct conv_integer_needs_x> x;
  required_operand<struct conv_integer_needs_w> w;
  operand x_zero_point = {};
  operand w_zero_point = {};
};
/// Takes the operands by name: `conv_integer({.x = x, .w = w})`.
inline value conv_integer(const conv_integer_operands& given, const conv_integer_attributes& attributes = {}) {
  return conv_integer(given.x, given.w, given.x_zero_point, given.w_zero_point, attributes);
}

/// The operands of deform_conv by name.
struct deform_conv_operands {
  required_operand<struct deform_conv_needs_x> x;
  required_operand<struct deform_conv_needs_w> w;
  required_operand<struct deform_conv_needs_offset> offset;
  operand b = {};
  operand mask = {};
};
/// Takes the operands by name: `deform_conv({.x = x, .w = w, ...})`.
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
/// Takes the operands by name: `qlinear_conv({.x = x, .x_scale = x_scale, ...})`.
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
/// Takes the operands by name: `batch_normalization({.x = x, .scale = scale, ...})`.
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
/// Takes the operands by name: `gru({.x = x, .w = w, ...})`.
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
/// Takes the operands by name: `lstm({.x = x, .w = w, ...})`.
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
/// Takes the operands by name: `rnn({.x = x, .w = w, ...})`.
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
/// Takes the operands by name: `attention({.q = q, .k = k, ...})`.
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
/// Takes the operands by name: `linear_attention({.query = query, .key = key, ...})`.
inline linear_attention_outputs linear_attention(const linear_attention_operands& given,
                                                 const linear_attention_attributes& attributes = {}) {
  return linear_attention(given.query, given.key, given.value_, given.past_state, given.decay, given.beta, attributes);
}

/// The operands of rotary_embedding by name.
struct rotary_embedding_operands {
  required_operand<struct rotary_embedding_needs_x> x;
  required_operand<struct rotary_embedding_needs_cos_cache> cos_cache;
  required_operand<struct rotary_embedding_needs_sin_cache> sin_cache;
  operand position_ids = {};
};
/// Takes the operands by name: `rotary_embedding({.x = x, .cos_cache = cos_cache, ...})`.
inline value rotary_embedding(const rotary_embedding_operands& given,
                              const rotary_embedding_attributes& attributes = {}) {
  return rotary_embedding(given.x, given.cos_cache, given.sin_cache, given.position_ids, attributes);
}

/// The operands of mel_weight_matrix by name.
struct mel_weight_matrix_operands {
  required_operand<struct mel_weight_matrix_needs_num_mel_bins> num_mel_bins;
  required_operand<struct mel_weight_matrix_needs_dft_length> dft_length;
  required_operand<struct mel_weight_matrix_needs_sample_rate> sample_rate;
  required_operand<struct mel_weight_matrix_needs_lower_edge_hertz> lower_edge_hertz;
  required_operand<struct mel_weight_matrix_needs_upper_edge_hertz> upper_edge_hertz;
};
/// Takes the operands by name: `mel_weight_matrix({.num_mel_bins = num_mel_bins, .dft_length = dft_length, ...})`.
inline value mel_weight_matrix(const mel_weight_matrix_operands& given,
                               const mel_weight_matrix_attributes& attributes = {}) {
  return mel_weight_matrix(given.num_mel_bins, given.dft_length, given.sample_rate, given.lower_edge_hertz,
                           given.upper_edge_hertz, attributes);
}

/// The operands of resize by name.
struct resize_operands {
  required_operand<struct resize_needs_x> x;
  operand roi = {};
  operand scales = {};
  operand sizes = {};
};
/// Takes the operands by name: `resize({.x = x})`.
inline value resize(const resize_operands& given, const resize_attributes& attributes = {}) {
  return resize(given.x, given.roi, given.scales, given.sizes, attributes);
}

/// The operands of stft by name.
struct stft_operands {
  required_operand<struct stft_needs_signal> signal;
  required_operand<struct stft_needs_frame_step> frame_step;
  operand window = {};
  operand frame_length = {};
};
/// Takes the operands by name: `stft({.signal = signal, .frame_step = frame_step})`.
inline value stft(const stft_operands& given, const stft_attributes& attributes = {}) {
  return stft(given.signal, given.frame_step, given.window, given.frame_length, attributes);
}

}  // namespace jax2onnx
