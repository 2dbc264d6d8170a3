// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef _WIN32

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cwctype>
#include <string_view>
#include <system_error>

#include <jax2onnx/platform/platform.hpp>

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// windows.h has to come first.
#include <fcntl.h>
#include <io.h>
// Sources of other projects use these words as names.
#undef near
#undef far

namespace jax2onnx::platform {

namespace detail {

/// Sets errno to the equivalent of GetLastError().
inline void set_errno() {
  struct row {
    DWORD code;
    int error;
  };
  constexpr row rows[] = {{ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT},
                          {ERROR_INVALID_DRIVE, ENOENT},     {ERROR_INVALID_NAME, ENOENT},
                          {ERROR_BAD_PATHNAME, ENOENT},      {ERROR_BAD_NETPATH, ENOENT},
                          {ERROR_DIRECTORY, ENOTDIR},        {ERROR_FILE_EXISTS, EEXIST},
                          {ERROR_ALREADY_EXISTS, EEXIST},    {ERROR_ACCESS_DENIED, EACCES},
                          {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_LOCK_VIOLATION, EACCES},
                          {ERROR_WRITE_PROTECT, EROFS},      {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                          {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_OUTOFMEMORY, ENOMEM},
                          {ERROR_DISK_FULL, ENOSPC},         {ERROR_HANDLE_DISK_FULL, ENOSPC},
                          {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_NO_DATA, EPIPE},
                          {ERROR_INVALID_HANDLE, EBADF},     {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
  const DWORD code = ::GetLastError();
  const auto found = std::ranges::find(rows, code, &row::code);
  errno = found == std::end(rows) ? EIO : found->error;
}

inline HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

/// Opens a file so that other processes may rename and remove it meanwhile, as under POSIX.
inline int open(const std::filesystem::path& file, DWORD access, DWORD creation, DWORD flags) {
  constexpr DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle = ::CreateFileW(file.c_str(), access, sharing, nullptr, creation, flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    set_errno();
    return -1;
  }
  const int number = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return number;
}

/// The result of a read: the number of bytes, or -1 for a failure. The end of a file or pipe is not a failure.
inline std::int64_t transferred(BOOL succeeded, DWORD count) {
  if (succeeded || ::GetLastError() == ERROR_HANDLE_EOF || ::GetLastError() == ERROR_BROKEN_PIPE) return count;
  set_errno();
  return -1;
}

inline DWORD at_most_a_gigabyte(std::size_t size) { return static_cast<DWORD>(std::min(size, std::size_t{1} << 30)); }

}  // namespace detail

JAX2ONNX_INLINE bool describe(int file, file_info& info) {
  const HANDLE handle = detail::handle_of(file);
  BY_HANDLE_FILE_INFORMATION found{};
  info = {};
  if (::GetFileType(handle) != FILE_TYPE_DISK) return handle != INVALID_HANDLE_VALUE;
  if (!::GetFileInformationByHandle(handle, &found)) {
    detail::set_errno();
    return false;
  }
  const bool folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  info.kind = folder ? file_kind::directory : file_kind::regular;
  info.size = (std::uint64_t{found.nFileSizeHigh} << 32) | found.nFileSizeLow;
  return true;
}

// FILE_FLAG_BACKUP_SEMANTICS makes it possible to open directories.
JAX2ONNX_INLINE int open_to_read(const std::filesystem::path& file, bool) {
  return detail::open(file, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
}

JAX2ONNX_INLINE int open_to_write(const std::filesystem::path& file) {
  const int open = detail::open(file, GENERIC_WRITE, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
  if (open >= 0) ::SetEndOfFile(detail::handle_of(open));  // fails for devices, which have no end
  return open;
}

JAX2ONNX_INLINE int create_file(const std::filesystem::path& file, bool) {
  return detail::open(file, GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
}

JAX2ONNX_INLINE int create_temporary(const std::filesystem::path& folder) {
  static std::atomic<unsigned> count{0};
  constexpr int attempts = 100;
  constexpr DWORD flags = FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE;
  for (int i = 0; i < attempts; ++i) {
    const std::string number = std::to_string(process_id()) + "-" + std::to_string(count++);
    const int file =
        detail::open(folder / ("jax2onnx-" + number + ".tmp"), GENERIC_READ | GENERIC_WRITE, CREATE_NEW, flags);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

JAX2ONNX_INLINE void close_file(int file) { ::_close(file); }

JAX2ONNX_INLINE std::int64_t read_some(int file, std::span<std::byte> to) {
  DWORD count = 0;
  const BOOL read =
      ::ReadFile(detail::handle_of(file), to.data(), detail::at_most_a_gigabyte(to.size()), &count, nullptr);
  return detail::transferred(read, count);
}

JAX2ONNX_INLINE std::int64_t read_some_at(int file, std::uint64_t offset, std::span<std::byte> to) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset & 0xffffffff);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD count = 0;
  const BOOL read =
      ::ReadFile(detail::handle_of(file), to.data(), detail::at_most_a_gigabyte(to.size()), &count, &place);
  return detail::transferred(read, count);
}

JAX2ONNX_INLINE std::int64_t write_some(int file, std::span<const std::byte> data) {
  DWORD count = 0;
  if (::WriteFile(detail::handle_of(file), data.data(), detail::at_most_a_gigabyte(data.size()), &count, nullptr))
    return count;
  detail::set_errno();
  return -1;
}

JAX2ONNX_INLINE bool seek(int file, std::uint64_t offset) {
  LARGE_INTEGER place{};
  place.QuadPart = static_cast<LONGLONG>(offset);
  if (::SetFilePointerEx(detail::handle_of(file), place, nullptr, FILE_BEGIN)) return true;
  detail::set_errno();
  return false;
}

JAX2ONNX_INLINE bool sync_file(int file) {
  if (::FlushFileBuffers(detail::handle_of(file))) return true;
  detail::set_errno();
  return false;
}

JAX2ONNX_INLINE void take_over_owner(int, const std::filesystem::path&) {}

JAX2ONNX_INLINE bool names_open_file(const std::filesystem::path&) { return false; }

// Folders cannot be locked. The lock is a named object, which exists as long as a process has it open: the process that
// creates it holds the lock. The object's name is made from the folder's path, with '/' for '\', which separates
// namespaces of objects.
JAX2ONNX_INLINE folder_lock::folder_lock(const std::filesystem::path& folder) {
  std::error_code failed;
  std::wstring path = std::filesystem::canonical(folder, failed).wstring();
  if (failed) return;
  std::ranges::replace(path, L'\\', L'/');
  std::ranges::transform(path, path.begin(), [](wchar_t c) { return static_cast<wchar_t>(std::towlower(c)); });
  name_ = L"Local\\jax2onnx:" + path.substr(path.size() - std::min<std::size_t>(path.size(), MAX_PATH - 32));
}

JAX2ONNX_INLINE folder_lock::~folder_lock() {
  if (handle_ != -1) ::CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

JAX2ONNX_INLINE lock_state folder_lock::try_lock() {
  if (name_.empty()) return lock_state::unavailable;
  const HANDLE object = ::CreateMutexW(nullptr, FALSE, name_.c_str());
  if (!object) return lock_state::unavailable;
  if (::GetLastError() == ERROR_ALREADY_EXISTS) {
    ::CloseHandle(object);
    return lock_state::busy;
  }
  handle_ = reinterpret_cast<std::intptr_t>(object);
  return lock_state::held;
}

JAX2ONNX_INLINE void folder_lock::sync() const {}

JAX2ONNX_INLINE bool run_to_end(bool (*work)(void*), void* argument) { return work(argument); }

JAX2ONNX_INLINE std::uint64_t process_id() { return ::GetCurrentProcessId(); }

JAX2ONNX_INLINE void wait_briefly() { ::Sleep(1); }

JAX2ONNX_INLINE bool is_terminal(int file) {
  DWORD mode = 0;  // _isatty returns true for every device
  return ::GetConsoleMode(detail::handle_of(file), &mode) != 0;
}

JAX2ONNX_INLINE std::size_t terminal_width(int file) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!::GetConsoleScreenBufferInfo(detail::handle_of(file), &info)) return 0;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

JAX2ONNX_INLINE void prepare_standard_streams() {
  for (const int stream : {standard_input, standard_output, standard_error}) {
    ::_setmode(stream, _O_BINARY);
    DWORD mode = 0;
    const HANDLE console = detail::handle_of(stream);
    if (stream != standard_input && ::GetConsoleMode(console, &mode))
      ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
  ::SetConsoleOutputCP(CP_UTF8);
}

}  // namespace jax2onnx::platform

#endif
