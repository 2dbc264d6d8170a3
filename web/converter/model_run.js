// SPDX-License-Identifier: Apache-2.0
// Runs a model in ONNX Runtime Web, in one thread, on given arrays or random numbers.

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};
const loaded = () => (runtime ??= import(new URL("ort.wasm.min.mjs", import.meta.url).href));
let runtime;

/** Floating-point numbers between -1 and 1; integers are 0 or 1, which are valid indices for most arrays. */
function random(type, count) {
  const array = arrays[type];
  if (!array) throw new Error(`no random numbers of type ${type}`);
  if (type.startsWith("float")) return array.from({ length: count }, () => 2 * Math.random() - 1);
  const convert = type.endsWith("64") ? BigInt : Number;
  return array.from({ length: count }, () => convert(Math.random() < 0.5));
}

const size = (shape) => shape.reduce((a, b) => a * b, 1);

/** The elements of read_npy(). */
function elements({ type, bytes }) {
  const array = arrays[type] ?? Uint16Array; // float16
  if (bytes.length % array.BYTES_PER_ELEMENT) throw new Error("an array ends in the middle of an element");
  return new array(bytes.buffer);
}

/**
 * Runs a model on arrays of read_npy(), in the order of its inputs; further inputs are random, with every symbolic
 * dimension at 1. Returns {inputs, outputs, milliseconds}, where both are lists of {name, type, shape, data}.
 */
export async function run_model(model, given) {
  const ort = await loaded();
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL("./", import.meta.url).href;
  const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
  try {
    const feeds = {};
    for (const [i, { name, type, shape }] of session.inputMetadata.entries()) {
      if (given[i]) {
        feeds[name] = new ort.Tensor(given[i].type, elements(given[i]), given[i].shape);
        continue;
      }
      const numbers = shape.map((d) => (typeof d === "number" ? d : 1));
      feeds[name] = new ort.Tensor(type, random(type, size(numbers)), numbers);
    }
    const begin = performance.now();
    const results = await session.run(feeds);
    const milliseconds = performance.now() - begin;
    const list = (tensors) =>
      Object.entries(tensors).map(([name, t]) => ({ name, type: t.type, shape: t.dims, data: t.data }));
    return { inputs: list(feeds), outputs: list(results), milliseconds };
  } finally {
    await session.release();
  }
}
