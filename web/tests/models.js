// SPDX-License-Identifier: Apache-2.0
// The models of the tests.
import { writeFileSync } from "node:fs";

/** a, b, …, z, ba, bb, … as JAX names variables. */
const letters = (n) => (n < 26 ? "" : letters(Math.floor(n / 26))) + String.fromCharCode(97 + (n % 26));

/** A tower of layers with scopes, or without any. */
export function tower(layers, scopes) {
  const equations = [];
  let last = letters(0);
  for (let layer = 0; layer < layers; ++layer)
    ["sin", "tanh", "mul", "exp", "add"].forEach((op, i) => {
      const next = letters(1 + 5 * layer + i);
      const others = { mul: ` ${last} ${letters(1 + 5 * layer)}`, add: ` ${last} ${letters(2 + 5 * layer)}` };
      const comment = scopes ? `    # [net/stage_${Math.floor(layer / 25)}/layer_${layer}]` : "";
      equations.push(`    ${next}:f32[8,16] = ${op}${others[op] ?? ` ${last}`}${comment}`);
      last = next;
    });
  return `{ lambda ; a:f32[8,16]. let\n${equations.join("\n")}\n  in (${last},) }\n`;
}

/** Writes numbers for all constvars of a jaxpr to a safetensors file. */
export function weights_for(text, file) {
  const arrays = [...text.split(";")[0].matchAll(/(\w+):f32\[([\d,]*)\]/g)].map(([, name, dims]) => ({
    name,
    shape: dims.split(",").filter(Boolean).map(Number),
  }));
  const header = { __metadata__: { "jax2onnx.constvars": JSON.stringify(arrays.map((a) => a.name)) } };
  const numbers = [];
  for (const { name, shape } of arrays) {
    const begin = numbers.length * 4;
    const count = shape.reduce((a, b) => a * b, 1);
    for (let i = 0; i < count; ++i) numbers.push(Math.sin(i * 12.9898 + begin));
    header[name] = { dtype: "F32", shape, data_offsets: [begin, numbers.length * 4] };
  }
  let head = JSON.stringify(header);
  head += " ".repeat((8 - (head.length % 8)) % 8);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  writeFileSync(file, Buffer.concat([length, Buffer.from(head), Buffer.from(new Float32Array(numbers).buffer)]));
  return file;
}
