// SPDX-License-Identifier: Apache-2.0
// Reads arrays that numpy.save wrote.

const types = {
  f4: "float32",
  f8: "float64",
  i1: "int8",
  u1: "uint8",
  i2: "int16",
  u2: "uint16",
  i4: "int32",
  u4: "uint32",
  i8: "int64",
  u8: "uint64",
  b1: "bool",
  f2: "float16",
};

/** {type, shape, bytes} of a file. Throws unless it is an array of numbers in C order and this machine's byte order. */
export async function read_npy(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fail = (why) => {
    throw new Error(`${file.name}: ${why}`);
  };
  if (bytes.length < 12 || String.fromCharCode(...bytes.subarray(1, 6)) !== "NUMPY") fail("is not a .npy file");
  const view = new DataView(bytes.buffer);
  const [size, begin] = bytes[6] === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  const header = new TextDecoder("latin1").decode(bytes.subarray(begin, begin + size));
  const type = types[header.match(/'descr': *'[<|]([a-z]\d+)'/)?.[1]] ?? fail("has elements that are not numbers");
  if (!/'fortran_order': *False/.test(header)) fail("is in Fortran order");
  const shape = (header.match(/'shape': *\(([\d, ]*)\)/) ?? fail("has no shape"))[1]
    .split(",")
    .filter((d) => d.trim())
    .map(Number);
  return { type, shape, bytes: bytes.slice(begin + size) };
}
