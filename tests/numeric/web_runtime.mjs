// SPDX-License-Identifier: Apache-2.0
// Runs models in ONNX Runtime Web: web_runtime.mjs wasm|webgpu FIRST MODELS.json
//
// MODELS.json is a list of {model, feeds: [{name, type, dims, file}], results: file}. For each one from FIRST on,
// prints a line of JSON, {outputs: [{type, dims}]} or {problem}, and writes the elements of all outputs to the results
// file, one output after the other. WebAssembly runs in Node.js, in one thread. WebGPU runs in headless Chromium, with
// SwiftShader.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [provider, first, list] = process.argv.slice(2);
const web = new URL("../../web/", import.meta.url);
const dist = new URL("node_modules/onnxruntime-web/dist/", web);

/** Runs a model on feeds: {outputs: [{type, dims, bytes}]}. Must be self-contained: the page gets its source text. */
async function run_model(ort, provider, model, feeds) {
  const arrays = {
    float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array,
    int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
    uint64: BigUint64Array,
  };
  const session = await ort.InferenceSession.create(model, { executionProviders: [provider] });
  try {
    const tensors = feeds.map(({ name, type, dims, bytes }) => [name, new ort.Tensor(type, new arrays[type](bytes.buffer), dims)]);
    const outputs = await session.run(Object.fromEntries(tensors));
    return session.outputNames.map((name) => {
      const { type, dims, data } = outputs[name];
      return { type, dims, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
    });
  } finally {
    await session.release();
  }
}

async function in_node() {
  const ort = await import(new URL("ort.wasm.min.mjs", dist));
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "fatal";
  return (model, feeds) => run_model(ort, provider, model, feeds);
}

/** Serves the runtime, and everything else as an empty page. */
function serve() {
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    const kind = name.endsWith("mjs") ? "text/javascript" : name.endsWith("wasm") ? "application/wasm" : "text/html";
    response.writeHead(200, { "content-type": kind });
    response.end(kind === "text/html" ? "" : readFileSync(new URL(name, dist)));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`)));
}

async function in_chromium() {
  const { chromium } = createRequire(new URL("package.json", web))("playwright-core");
  const args = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  const page = await browser.newPage();
  await page.goto(await serve());
  await page.evaluate(async (run_text) => {
    const ort = await import("/ort.webgpu.min.mjs");
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = "fatal";
    const run = eval(`(${run_text})`);
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const text = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
    globalThis.run_encoded = async (provider, model, feeds) => {
      const decoded = feeds.map((feed) => ({ ...feed, bytes: bytes(feed.bytes) }));
      const outputs = await run(ort, provider, bytes(model), decoded);
      return outputs.map((output) => ({ ...output, bytes: text(output.bytes) }));
    };
  }, run_model.toString());
  return async (model, feeds) => {
    const encoded = feeds.map((feed) => ({ ...feed, bytes: Buffer.from(feed.bytes).toString("base64") }));
    const given = [provider, model.toString("base64"), encoded];
    const outputs = await page.evaluate((given) => globalThis.run_encoded(...given), given);
    return outputs.map((output) => ({ ...output, bytes: Buffer.from(output.bytes, "base64") }));
  };
}

const run = await (provider === "wasm" ? in_node() : in_chromium());

async function outcome({ model, feeds, results }) {
  try {
    const outputs = await run(readFileSync(model), feeds.map((feed) => ({ ...feed, bytes: new Uint8Array(readFileSync(feed.file)) })));
    writeFileSync(results, Buffer.concat(outputs.map(({ bytes }) => bytes)));
    return { outputs: outputs.map(({ type, dims }) => ({ type, dims })) };
  } catch (problem) {
    return { problem: String(problem.message ?? problem).replace(/\n\s+at .*/gs, "") };
  }
}

for (const entry of JSON.parse(readFileSync(list)).slice(Number(first)))
  process.stdout.write(JSON.stringify(await outcome(entry)) + "\n");
process.exit();
