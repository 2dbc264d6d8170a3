// SPDX-License-Identifier: Apache-2.0
// Runs a WASI program on one folder of files in memory, "/". browser_wasi_shim implements WASI. The classes here are
// its files, with two properties that its own files lack: large files of the user stay on the disk, and the time of
// writing is proportional to what is written.
import { File, OpenFile, PreopenDirectory, WASI, wasi } from "@bjorn3/browser_wasi_shim";

/** A file of the user, which the program may only read. The parts that it reads are loaded. Workers only. */
export class BlobFile extends File {
  constructor(blob) {
    super([], { readonly: true });
    const read = (piece) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(piece));
    const in_pieces = { byteLength: blob.size, slice: (begin, end) => read(blob.slice(begin, end)) };
    this.data = /** @type {any} */ (in_pieces); // the library's OpenFile uses no other member
  }
}

/** A file that the program writes. Its memory doubles when it is full. */
export class WrittenFile extends File {
  constructor() {
    super([]);
  }
  reserve(size) {
    const { data } = this;
    if (size <= data.length) return;
    const buffer = size <= data.buffer.byteLength ? data.buffer : new ArrayBuffer(Math.max(size, 2 * data.length));
    this.data = new Uint8Array(buffer, 0, size);
    if (buffer !== data.buffer) this.data.set(data);
  }
  path_open(flags, rights, fd_flags) {
    const opened = super.path_open(flags, rights, fd_flags);
    return { ...opened, fd_obj: new OpenWrittenFile(this) };
  }
}

class OpenWrittenFile extends OpenFile {
  /** @param {WrittenFile} file */
  constructor(file) {
    super(file);
    this.written = file;
  }
  fd_write(piece) {
    this.written.reserve(Number(this.file_pos) + piece.length);
    return super.fd_write(piece);
  }
}

class Folder extends PreopenDirectory {
  path_open(follow, path, flags, rights, inherited, fd_flags) {
    const creates = flags & wasi.OFLAGS_CREAT && !this.dir.contents.has(path);
    if (creates) this.dir.contents.set(path, new WrittenFile());
    const still = creates ? flags & ~wasi.OFLAGS_EXCL : flags;
    return super.path_open(follow, path, still, rights, inherited, fd_flags);
  }
  /** Nothing here is a link. */
  path_readlink(path) {
    return { ret: this.path_lookup(path, 0).inode_obj ? wasi.ERRNO_INVAL : wasi.ERRNO_NOENT, data: null };
  }
}

/**
 * Runs a program to its end. `files` maps names to files; the program may add and remove files, whose content is their
 * `data`. Returns its exit code and its output. Throws errors that end the program, such as a lack of memory.
 */
export function run(module, args, files) {
  const streams = [new WrittenFile(), new WrittenFile(), new WrittenFile()];
  const opened = streams.map((file) => new OpenWrittenFile(file));
  const program = new WASI(args, [], [...opened, new Folder("/", files)]);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: program.wasiImport });
  const code = program.start(/** @type {any} */ (instance));
  const [, printed, messages] = streams.map(({ data }) => new TextDecoder().decode(data));
  return { code, printed, messages };
}
