// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

using namespace jax2onnx;

// The program extends every beam by one token and keeps the best three beams.
PROGRAM(beam_search_step) {
  constexpr std::int64_t beams = 3, vocabulary = 7;
  graph g(23);
  const auto scores = input<float, "batch"_d, beams>(g, "scores");
  const auto logits = input<float, "batch"_d, beams, vocabulary>(g, "logits");
  const auto history = input<std::int64_t, "batch"_d, beams, "steps"_d>(g, "history");
  const auto total = unsqueeze<2>(scores) + log_softmax<-1>(logits);
  const auto [best, place] = top_k<beams>(reshape<"batch"_d, beams * vocabulary>(total));
  const auto parent = place / vocabulary;
  const auto token = place % vocabulary;
  const auto rows = expand<"batch"_d, beams, "steps"_d>(unsqueeze<2>(parent));
  const auto kept = gather_elements<1>(history, rows);
  const tensor<std::int64_t, "batch"_d, beams, "steps"_d + 1> longer = concat<2>(kept, unsqueeze<2>(token));
  output(best, "best");
  output(longer, "longer");
  write_model(g, folder / "beam_search_step.onnx");
}

// The program decodes tokens greedily: up to the end token, but at most twelve.
PROGRAM(greedy_decode) {
  constexpr std::int64_t vocabulary = 9, width = 6;
  graph g(21);
  const value first = g.input({dtype::i64, {}}, "first");
  const value state0 = g.input({dtype::f32, {width}}, "state");
  const value sharp = g.input({dtype::boolean, {}}, "sharp");
  const value table = weight(g, {vocabulary, width}, 0.9), mix = weight(g, {width, width}, 0.4, 1);
  const value head = weight(g, {width, vocabulary}, 0.8, 2);
  const auto body = [&](const value& step, const value& token, const value& state) {
    const value row = gather(table, token);
    const value mixed = tanh(matmul(unsqueeze(row + state, {0}), mix));
    const value next_state = squeeze(mixed, {0});
    const value logits = squeeze(matmul(mixed, head), {0});
    const value scaled = if_(
        sharp, [&] { return logits * 4.0 + cast(step, {.to = dtype::f32}); }, [&] { return softmax(logits); });
    const value next = argmax(logits, {.keepdims = false});
    return go_on_while(next != 0, collect(std::tuple(next, next_state), std::pair(next, reduce_max(scaled, {0}))));
  };
  const auto [last, steps] = loop(12, std::tuple(first, state0), body);
  output(std::get<1>(last), "last_state");
  output(steps.first, "tokens");
  output(steps.second, "scores");
  write_model(g, folder / "greedy_decode.onnx");
}

// The program computes square roots by Newton's method, with the step count of the slowest element.
PROGRAM(newton_root) {
  graph g(23);
  const auto a = input<float, "n"_d>(g, "a");
  const auto count0 = constant<std::int32_t>(g, {0}, "no_steps");
  const auto far = [&](const auto& x, const auto&) { return reduce_max<0>(abs(x * x - a)) > 1e-3f; };
  const auto step = [&](const auto& x, const auto& count) { return std::tuple((x + a / x) * 0.5f, count + 1); };
  const auto [root, count] = while_(std::tuple(a + 1.0f, count0), far, step);
  const tensor<float, "n"_d> typed_root = root;
  output(typed_root, "root");
  output(count, "count");
  write_model(g, folder / "newton_root.onnx");
}

// The program runs two smoothing filters over a series, one forward and one backward, and joins the results.
PROGRAM(bidirectional_filter) {
  graph g(22);
  const auto series = input<float, "time"_d, "batch"_d, 4>(g, "series");
  const auto mask = input<bool, "time"_d, "batch"_d>(g, "mask");
  const auto zero = series * 0.0f;
  const auto start = reduce_sum<0>(zero);
  const auto peak = start - 10.0f;
  const auto rate = weight<4>(g, "rate", 0.5);
  const auto body = [&](const auto& smooth, const auto& top, const auto& x, const auto& keep) {
    const auto moved = smooth + (x - smooth) * abs(rate);
    const auto next = where(unsqueeze<1>(keep), moved, smooth);
    const auto higher = max(top, next);
    return std::pair(std::tuple(next, higher), std::tuple(next, next - x));
  };
  const auto forward = scan(std::tuple(start, peak), std::tuple(series, mask), body);
  const auto backward = scan(std::tuple(start, peak), std::tuple(series, mask), body, {.reverse = true});
  const auto both = concat<2>(std::get<0>(forward.second), std::get<0>(backward.second));
  const tensor<float, "time"_d, "batch"_d, 8> joined = both;
  output(joined, "joined");
  output(std::get<1>(forward.first), "highest");
  output(std::get<1>(backward.second), "errors");
  write_model(g, folder / "bidirectional_filter.onnx");
}

// The program routes the votes of lower capsules to upper ones by agreement, in a given number of rounds.
PROGRAM(dynamic_routing) {
  constexpr std::int64_t lower = 5, upper = 3, size = 4;
  graph g(20);
  const auto votes = input<float, "batch"_d, lower, upper, size>(g, "votes");
  const auto rounds = input<std::int64_t>(g, "rounds");
  const auto careful = input<bool>(g, "careful");
  const auto squash = [](const auto& s) {
    const auto squared = reduce_sum_square<reduce_sum_square_attributes_of{}>(s, known_integers<-1>());
    return s * (squared / (squared + 1.0f) / sqrt(squared + 1e-9f));
  };
  const auto bias0 = reduce_sum<3>(votes * 0.0f);
  const auto pose0 = reduce_sum<1>(votes * 0.0f);
  const auto [bias, pose] = loop(rounds, std::tuple(bias0, pose0), [&](const auto& round, const auto& b, const auto&) {
    const auto shares = unsqueeze<3>(softmax<2>(b));
    const auto mixed = squash(reduce_sum<1>(shares * votes));
    const auto agreed = reduce_sum<3>(votes * unsqueeze<1>(mixed));
    const auto grown = if_(
        careful, [&] { return b + agreed / (cast<float>(round) + 2.0f); }, [&] { return b + agreed; });
    return std::tuple(grown, mixed);
  });
  output(bias, "bias");
  output(pose, "pose");
  write_model(g, folder / "dynamic_routing.onnx");
}
