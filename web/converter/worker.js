// SPDX-License-Identifier: Apache-2.0
// Converts in the background, so that the page stays responsive. Receives {files, args} and answers with the tool's
// output.
import { BlobFile, run, WrittenFile } from "./wasi.js";

const module = WebAssembly.compileStreaming(fetch(new URL("jax2onnx.wasm", import.meta.url)));
const written = (files, name) => {
  const file = files.get(name);
  return file instanceof WrittenFile ? file.data : undefined;
};

self.onmessage = async ({ data: { number, given, args } }) => {
  try {
    const tool = await module;
    const files = new Map(given.map((file) => [file.name, new BlobFile(file)]));
    const begin = performance.now();
    const result = run(tool, ["jax2onnx", ...args], files);
    const milliseconds = performance.now() - begin;
    const report = written(files, "report.html");
    const model = written(files, "model.onnx");
    const answer = { number, ...result, milliseconds, model, report: report && new TextDecoder().decode(report) };
    self.postMessage(answer, { transfer: model ? [model.buffer] : [] });
  } catch (e) {
    postMessage({ number, code: 70, printed: "", messages: `jax2onnx: ${e.name}: ${e.message}\n` });
  }
};
