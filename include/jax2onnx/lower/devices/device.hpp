// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/batching/mesh_text.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

/// The model of one device out of several. The device has parts of arrays and exchanges values with the other devices.
namespace jax2onnx::lower::devices {

using axis_names = std::vector<std::string_view>;

/// The devices that differ only along some axes of a mesh, in the order of these axes; the first axis varies slowest.
struct device_group {
  ints members;          ///< indices of the devices
  std::int64_t own = 0;  ///< the position in `members` of the device whose model is made
  std::int64_t size() const { return std::ssize(members); }
};

/// The device's part along one axis of an array: part `number` of `count` equal parts.
struct array_part {
  std::int64_t number = 0, count = 1;
  friend bool operator==(const array_part&, const array_part&) = default;
};
using array_parts = std::vector<array_part>;
/// A value that is part of an array, with the position of the part.
struct own_part {
  value_id part;
  array_parts where;
};

/// The device whose model is made: device `index` of `count`, counted along the axes of the mesh; the last axis varies
/// fastest. Outside of shard_map and pmap, all devices compute the same values. Records which values are parts of
/// arrays. Used for one conversion.
class device {
 public:
  device(std::int64_t index, std::int64_t count) : index_(index), count_(count) {}

  /// Computes `inside` in a mesh, given by the names and sizes of its axes; s is the shard_map or pmap. Refuses an
  /// outermost mesh with another number of devices than the model's, and an inner mesh with an axis of several devices
  /// that the enclosing mesh lacks.
  jax_values in_mesh(const site& s, std::span<const batching::mesh_axes::value_type> mesh,
                     function_ref<jax_values()> inside) {
    if (!axes_.empty()) {
      for (const auto& [name, size] : mesh)
        if (size > 1 && find(name) == nullptr)
          s.unsupported(detail::message("its axis '{}' is not an axis of the enclosing mesh", name), index_help);
      return inside();
    }
    if (const std::int64_t devices = batching::devices_of(mesh); devices != count_)
      s.unsupported(detail::message("its mesh has {} device{|s}, but the model is for one of {}", devices, count_),
                    index_help);
    entered_ = true;
    std::int64_t stride = count_;
    for (const auto& [name, size] : mesh) {
      stride /= size;
      axes_.push_back({name, size, stride});
    }
    const left_mesh leaves{axes_};
    return inside();
  }
  /// Returns whether a mesh was entered.
  bool has_entered() const { return entered_; }
  /// Returns whether an enclosing mesh has this axis.
  bool has_axis(std::string_view name) const { return find(name) != nullptr; }
  /// The devices along these axes. The mesh must have the axes.
  device_group along(const axis_names& names) const {
    device_group out{{index_}, 0};
    for (const std::string_view name : names) {
      const axis& a = *find(name);
      const std::int64_t own = index_ / a.stride % a.size;
      ints wider;
      for (const std::int64_t first : out.members)
        for (std::int64_t k = 0; k < a.size; ++k) wider.push_back(first + (k - own) * a.stride);
      out = {std::move(wider), out.own * a.size + own};
    }
    return out;
  }

  /// A channel number for an exchange; all devices use the same number for the same exchange.
  std::int64_t next_channel() { return channels_++; }

  /// Records that `part` is the part `where` of an array.
  void note_cut(const value& part, array_parts where) { note(cut_, part.id(), {part.id(), std::move(where)}); }
  /// Records that `whole` is gathered from the devices, and that this device has `part`, the part `where` of `whole`.
  void note_gathered(const value& whole, const value& part, array_parts where) {
    note(gathered_, whole.id(), {part.id(), std::move(where)});
  }
  /// The part of an array that the value `v` was recorded to be; null if none was recorded.
  const array_parts* cut(value_id v) const {
    const std::uint32_t i = cut_.find(static_cast<std::int64_t>(v));
    return i == jax2onnx::detail::key_map::none ? nullptr : &parts_[i].where;
  }
  /// The part of a gathered value that this device has; null for any other value.
  const own_part* gathered(value_id v) const {
    const std::uint32_t i = gathered_.find(static_cast<std::int64_t>(v));
    return i == jax2onnx::detail::key_map::none ? nullptr : &parts_[i];
  }

 private:
  static constexpr const char* index_help =
      "option shard=I/N selects one of the N devices of the mesh of a shard_map or pmap";
  struct axis {
    std::string_view name;
    std::int64_t size, stride;
  };
  struct left_mesh {
    std::vector<axis>& axes;
    ~left_mesh() { axes.clear(); }
  };
  void note(jax2onnx::detail::key_map& to, value_id v, own_part part) {
    to.set(static_cast<std::int64_t>(v), static_cast<std::uint32_t>(parts_.size()));
    parts_.push_back(std::move(part));
  }
  const axis* find(std::string_view name) const {
    const auto at = std::ranges::find(axes_, name, &axis::name);
    return at == axes_.end() ? nullptr : &*at;
  }

  std::int64_t index_, count_, channels_ = 0;
  bool entered_ = false;
  std::vector<axis> axes_;
  std::deque<own_part> parts_;
  jax2onnx::detail::key_map cut_, gathered_;  // index into `parts_` by value_id
};

}  // namespace jax2onnx::lower::devices
