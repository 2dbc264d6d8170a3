// SPDX-License-Identifier: Apache-2.0
// Makes ../build/converter: the page that converts, as files for any static server. It uses the tool of
// scripts/build-wasm.

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const out = join(root, "build/converter");
const runtime = "node_modules/onnxruntime-web/dist";

/** The report's script in a content security policy: the frame of the report inherits this page's policy. */
function report_script() {
  const script = readFileSync(join(here, "dist/report.html"), "utf8").match(
    /<script>([\s\S]*)<\/script>\s*<\/body>/,
  )[1];
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** The licences of the tool's parts and of ONNX Runtime. */
function licenses() {
  const python = readdirSync(join(root, "build/zig/lib"))[0];
  const zig = join(root, "build/zig/lib", python, "site-packages/ziglang/lib");
  const files = {
    jax2onnx: join(root, "LICENSE"),
    "libc++, libc++abi, libunwind": join(zig, "libcxx/LICENSE.TXT"),
    "wasi-libc": join(zig, "libc/wasi/LICENSE"),
    "wasi-libc, MIT": join(zig, "libc/wasi/LICENSE-MIT"),
    musl: join(zig, "libc/musl/COPYRIGHT"),
    browser_wasi_shim: join(here, "node_modules/@bjorn3/browser_wasi_shim/LICENSE-MIT"),
    ...Object.fromEntries(
      ["zlib", "fmt", "CLI11", "nlohmann", "rapidjson"].map((name) => [
        name,
        join(root, "third_party", name, "LICENSE"),
      ]),
    ),
  };
  const texts = Object.entries(files).map(([name, file]) => `${name}\n\n${readFileSync(file, "utf8").trim()}\n`);
  const { version, license } = JSON.parse(
    readFileSync(join(here, "node_modules/onnxruntime-web/package.json"), "utf8"),
  );
  return [...texts, `onnxruntime-web ${version}: Copyright (c) Microsoft Corporation, ${license} License\n`].join(
    `\n${"-".repeat(80)}\n`,
  );
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
/** @type {import("esbuild").BuildOptions} */
const options = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  absWorkingDir: here,
};
for (const [name, source] of [
  ["converter.js", "page.js"],
  ["worker.js", "worker.js"],
  ["converter.css", "style.css"],
])
  await build({ ...options, entryPoints: [`converter/${source}`], outfile: join(out, name) });
const page = readFileSync(join(here, "converter/page.html"), "utf8");
writeFileSync(join(out, "index.html"), page.replace("@report-script@", report_script));
const copies = [
  join(root, "build/platforms/wasm32-wasi/tool/jax2onnx.wasm"),
  ...["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"].map((name) =>
    join(here, runtime, name),
  ),
  ...["mnist_cnn.jaxpr", "weights.npz"].map((name) => join(root, "examples/mnist_cnn", name)),
];
writeFileSync(join(out, "licenses.txt"), licenses());
for (const file of copies) copyFileSync(file, join(out, file.split("/").at(-1)));
console.log(`build/converter: ${copies.map((f) => `${f.split("/").at(-1)} ${statSync(f).size}`).join(", ")} bytes`);
