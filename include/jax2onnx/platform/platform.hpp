// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <jaxpr/config.hpp>

/// The differences between operating systems. Nothing outside of this folder includes a system's headers or uses a
/// compiler's extensions. posix.inl.hpp implements these functions with processes.inl.hpp, which needs linux.inl.hpp or
/// unix.inl.hpp (macOS, BSD), or with wasi.inl.hpp (WebAssembly). windows.inl.hpp implements them for Windows.
///
/// Open files are referred to by numbers, which are descriptors of the C runtime on Windows. A function that fails
/// returns -1 or false and sets errno on every system. Interrupted reads and writes are repeated.
namespace jax2onnx::platform {

inline constexpr int standard_input = 0, standard_output = 1, standard_error = 2;

/// The system's description of a value of errno.
std::string error_text(int error);

enum class file_kind : std::uint8_t { regular, directory, other };

struct file_info {
  file_kind kind = file_kind::other;
  std::uint64_t size = 0;  ///< the size of a regular file, in bytes
};

/// Describes an open file.
bool describe(int file, file_info& info);

/// Opens a file for reading. If `wait` is true, opening a named pipe waits for the writer of the pipe. A directory can
/// also be opened, but not read.
int open_to_read(const std::filesystem::path& file, bool wait);
/// Opens an existing file, device or pipe for writing, and truncates it.
int open_to_write(const std::filesystem::path& file);
/// Creates a file and opens it for writing. Fails if the file exists. If `secret` is true, only the owner can open it.
int create_file(const std::filesystem::path& file, bool secret);
/// Creates a file without a name for name_file(). Fails if the folder's file system does not support such files.
int create_unnamed(const std::filesystem::path& folder, bool secret);
/// Names a file of create_unnamed(). Replaces no file: errno is EEXIST if the name is taken.
bool name_file(int file, const std::filesystem::path& name);
/// Creates a file for reading and writing that vanishes when its last user closes it.
int create_temporary(const std::filesystem::path& folder);
void close_file(int file);

/// Reads at most to.size() bytes. Returns the number of bytes, 0 at the end.
/// @{
std::int64_t read_some(int file, std::span<std::byte> to);
std::int64_t read_some_at(int file, std::uint64_t offset, std::span<std::byte> to);
/// @}
/// Writes as many of the first bytes of `data` as the system accepts, and returns the number of these bytes.
std::int64_t write_some(int file, std::span<const std::byte> data);
/// Sets the offset of the next write; skipped bytes read as zeros.
bool seek(int file, std::uint64_t offset);
/// Waits until all written bytes are on disk.
bool sync_file(int file);
/// Gives an open file the owner and the permissions of the regular file `like`, as far as the system allows it. If
/// `like` is a link, only the permissions of its target are copied.
/// On Windows, this does nothing: files have the permissions of their folder.
void take_over_owner(int file, const std::filesystem::path& like);
/// Returns whether a path leads to an open file of this process, like /dev/stdout.
bool names_open_file(const std::filesystem::path& file);

enum class lock_state : std::uint8_t { held, busy, unavailable };

/// A lock on a folder between processes. The constructor does not take the lock. The lock leaves no file, and is
/// released when the process ends.
class folder_lock {
 public:
  explicit folder_lock(const std::filesystem::path& folder);
  ~folder_lock();
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

  /// Tries to take the lock, without waiting. The result is `unavailable` if the folder or its file system has no
  /// locks.
  lock_state try_lock();
  /// Waits until the folder's new names are on disk, if the file system supports that.
  void sync() const;

 private:
  [[maybe_unused]] std::intptr_t handle_ = -1;  // WASI has no locks
  std::wstring name_;                           // on Windows, the name of the object that is the lock
};

/// Runs `work(argument)`, a few system calls, to its end, even if the user or the system kills this process meanwhile.
/// Returns the result of `work`, or false if `work` was killed nevertheless. `work` does not throw. On Linux, not even
/// SIGKILL interrupts `work`; on macOS, SIGKILL does. On Windows and WebAssembly, `work` is not protected.
bool run_to_end(bool (*work)(void*), void* argument);

/// A number that no other running process has.
std::uint64_t process_id();
/// Lets other processes run for a millisecond or more.
void wait_briefly();

bool is_terminal(int file);
/// The number of columns of a terminal; 0 if unknown.
std::size_t terminal_width(int file);
/// Programs call this when they start. On POSIX systems it opens a substitute for each closed standard stream, so that
/// no file that is opened later becomes that stream. On Windows, output is binary, and consoles get UTF-8 and escape
/// sequences.
void prepare_standard_streams();

}  // namespace jax2onnx::platform

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/platform/platform.inl.hpp>
#endif
