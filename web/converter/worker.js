// SPDX-License-Identifier: Apache-2.0
// Converts in the background, so that the page stays responsive. Receives {files, args} and answers with the tool's
// output.
import { BlobFile, run } from "./wasi.js";

const module = WebAssembly.compileStreaming(fetch(new URL("jax2onnx.wasm", import.meta.url)));
const written = (files, name) => files.get(name)?.content?.();

onmessage = async ({ data: { number, given, args } }) => {
  try {
    const tool = await module;
    const files = new Map(given.map((file) => [file.name, new BlobFile(file)]));
    const begin = performance.now();
    const result = run(tool, ["jax2onnx", ...args], files);
    const milliseconds = performance.now() - begin;
    const report = written(files, "report.html");
    postMessage({
      number,
      ...result,
      milliseconds,
      model: written(files, "model.onnx"),
      report: report && new TextDecoder().decode(report),
    });
  } catch (e) {
    postMessage({ number, code: 70, printed: "", messages: `jax2onnx: ${e.name}: ${e.message}\n` });
  }
};
