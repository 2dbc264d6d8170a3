// SPDX-License-Identifier: Apache-2.0
// The page's interface for a WASI program: arguments, the clock, and one folder of files in memory, "/". The user's
// files are read in pieces when the program asks for them; files that it writes are kept in memory.

const ok = 0, bad_descriptor = 8, exists = 20, invalid = 28, is_folder = 31, no_entry = 44, unsupported = 58;
const kind = { other: 0, folder: 3, file: 4 };
const create = 1, folder_only = 2, exclusive = 4, truncate = 8; // flags of path_open

/** Thrown by proc_exit. */
class Exit extends Error {
  constructor(code) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** A file that the program writes. */
export class WrittenFile {
  bytes = new Uint8Array(0);
  size = 0;
  read(offset, to) {
    const piece = this.bytes.subarray(offset, Math.min(this.size, offset + to.length));
    to.set(piece);
    return piece.length;
  }
  write(offset, piece) {
    const end = offset + piece.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.bytes.length));
      grown.set(this.bytes.subarray(0, this.size));
      this.bytes = grown;
    }
    this.bytes.set(piece, offset);
    this.size = Math.max(this.size, end);
  }
  content() {
    return this.bytes.subarray(0, this.size);
  }
}

/** A file of the user. Only the parts that the program reads are loaded into memory. Workers only. */
export class BlobFile {
  constructor(blob) {
    this.blob = blob;
    this.size = blob.size;
  }
  read(offset, to) {
    const piece = this.blob.slice(offset, offset + to.length);
    to.set(new Uint8Array(new FileReaderSync().readAsArrayBuffer(piece)));
    return piece.size;
  }
}

class Program {
  constructor(args, files) {
    this.args = args.map((a) => new TextEncoder().encode(`${a}\0`));
    this.files = files; // by name
    this.streams = [new WrittenFile(), new WrittenFile(), new WrittenFile()];
    this.open = [...this.streams, { folder: true }].map((file) => ({ file, at: 0 }));
  }

  get view() {
    return new DataView(this.memory.buffer);
  }
  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }
  /** The name of a path in the only folder; "" is the folder. */
  name(at, size) {
    return new TextDecoder().decode(this.bytes(at, size)).split("/").filter((part) => part && part !== ".").join("/");
  }
  /** The pieces of memory that a list of buffers refers to. */
  pieces(list, count) {
    return Array.from({ length: count }, (_, i) => this.bytes(this.view.getUint32(list + 8 * i, true), this.view.getUint32(list + 8 * i + 4, true)));
  }
  set(at, number) {
    this.view.setUint32(at, number, true);
    return ok;
  }
  set_size(at, number) {
    this.view.setBigUint64(at, BigInt(number), true);
    return ok;
  }
  describe(at, file) {
    this.bytes(at, 64).fill(0);
    this.view.setUint8(at + 16, file.folder ? kind.folder : this.streams.includes(file) ? kind.other : kind.file);
    this.set_size(at + 24, 1);
    return this.set_size(at + 32, file.size ?? 0);
  }
  /** Reads into buffers from an offset; returns the number of bytes. */
  read(file, offset, list, count) {
    let total = 0;
    for (const piece of this.pieces(list, count)) {
      const n = file.read(offset + total, piece);
      total += n;
      if (n < piece.length) break;
    }
    return total;
  }

  // Functions under their names in WASI, preview 1.
  args_sizes_get = (count, size) => this.set(count, this.args.length) || this.set(size, this.args.reduce((n, a) => n + a.length, 0));
  args_get = (list, at) => {
    for (const [i, arg] of this.args.entries()) {
      this.set(list + 4 * i, at);
      this.bytes(at, arg.length).set(arg);
      at += arg.length;
    }
    return ok;
  };
  environ_sizes_get = (count, size) => this.set(count, 0) || this.set(size, 0);
  environ_get = () => ok;
  clock_time_get = (_clock, _precision, at) => this.set_size(at, Math.round(performance.now() * 1e6));
  poll_oneoff = (_from, _to, count, events) => (count > 0 ? this.set(events, 0) : invalid);
  proc_exit = (code) => {
    throw new Exit(code);
  };

  fd_prestat_get = (fd, at) => (fd === 3 ? this.set(at, 0) || this.set(at + 4, 1) : bad_descriptor);
  fd_prestat_dir_name = (_fd, at) => (this.view.setUint8(at, "/".charCodeAt(0)), ok);
  fd_fdstat_get = (fd, at) => {
    const entry = this.open[fd];
    if (!entry) return bad_descriptor;
    this.bytes(at, 24).fill(0);
    this.view.setUint8(at, entry.file.folder ? kind.folder : fd < 3 ? kind.other : kind.file);
    return this.set_size(at + 8, -1n) || this.set_size(at + 16, -1n);
  };
  fd_fdstat_set_flags = () => ok;
  fd_filestat_get = (fd, at) => (this.open[fd] ? this.describe(at, this.open[fd].file) : bad_descriptor);
  fd_sync = () => ok;
  fd_close = (fd) => (this.open[fd] ? ((this.open[fd] = null), ok) : bad_descriptor);
  fd_seek = (fd, offset, from, at) => {
    const entry = this.open[fd];
    if (!entry || entry.file.folder) return bad_descriptor;
    entry.at = Number(offset) + [0, entry.at, entry.file.size][from];
    return this.set_size(at, entry.at);
  };
  fd_read = (fd, list, count, at) => {
    const entry = this.open[fd];
    if (!entry?.file.read) return entry ? is_folder : bad_descriptor;
    const n = this.read(entry.file, entry.at, list, count);
    entry.at += n;
    return this.set(at, n);
  };
  fd_pread = (fd, list, count, offset, at) => {
    const entry = this.open[fd];
    if (!entry?.file.read) return entry ? is_folder : bad_descriptor;
    return this.set(at, this.read(entry.file, Number(offset), list, count));
  };
  fd_write = (fd, list, count, at) => {
    const entry = this.open[fd];
    if (!entry?.file.write) return bad_descriptor;
    const begin = entry.at;
    for (const piece of this.pieces(list, count)) {
      entry.file.write(entry.at, piece);
      entry.at += piece.length;
    }
    return this.set(at, entry.at - begin);
  };
  fd_readdir = (_fd, at, size, cookie, used) => {
    const entries = [...this.files.keys()].slice(Number(cookie)).map((name, i) => {
      const text = new TextEncoder().encode(name);
      const entry = new Uint8Array(24 + text.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, cookie + BigInt(i + 1), true);
      view.setUint32(16, text.length, true);
      view.setUint8(20, kind.file);
      entry.set(text, 24);
      return entry;
    });
    let n = 0;
    for (const entry of entries) {
      const piece = entry.subarray(0, size - n);
      this.bytes(at + n, piece.length).set(piece);
      n += piece.length;
    }
    return this.set(used, n); // a full buffer means that there are more entries
  };

  path_open = (_fd, _follow, path, length, how, _rights, _inherited, _flags, at) => {
    const name = this.name(path, length);
    let file = name === "" ? { folder: true } : this.files.get(name);
    if (!file && !(how & create)) return no_entry;
    if (file && how & exclusive && how & create) return exists;
    if (file && !file.folder && how & folder_only) return invalid;
    if (!file || (how & truncate && file.write)) this.files.set(name, (file = new WrittenFile()));
    return this.set(at, this.open.push({ file, at: 0 }) - 1);
  };
  path_filestat_get = (_fd, _follow, path, length, at) => {
    const name = this.name(path, length);
    const file = name === "" ? { folder: true } : this.files.get(name);
    return file ? this.describe(at, file) : no_entry;
  };
  path_readlink = (_fd, path, length) => (this.files.has(this.name(path, length)) ? invalid : no_entry);
  path_rename = (_fd, from, from_length, _to_fd, to, to_length) => {
    const name = this.name(from, from_length);
    if (!this.files.has(name)) return no_entry;
    this.files.set(this.name(to, to_length), this.files.get(name));
    this.files.delete(name);
    return ok;
  };
  path_unlink_file = (_fd, path, length) => (this.files.delete(this.name(path, length)) ? ok : no_entry);
  path_remove_directory = () => unsupported;
}

/**
 * Runs a program to its end. `files` maps names to files; the program may add and remove files. Returns its exit code
 * and its output. Throws errors that end the program, such as a lack of memory.
 */
export function run(module, args, files) {
  const program = new Program(args, files);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: program });
  program.memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (e) {
    if (!(e instanceof Exit)) throw e;
    code = e.code;
  }
  const [, printed, messages] = program.streams.map((s) => new TextDecoder().decode(s.content()));
  return { code, printed, messages };
}
