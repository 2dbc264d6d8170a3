#!/usr/bin/env -S node --no-warnings
// SPDX-License-Identifier: Apache-2.0
// Runs the tool of scripts/build-wasm as a command, in the WASI of Node.js.
import { readFileSync, readdirSync } from "node:fs";
import { WASI } from "node:wasi";

const file = new URL("../../build/platforms/wasm32-wasi/tool/jax2onnx.wasm", import.meta.url);
const folders = readdirSync("/", { withFileTypes: true }).filter((f) => f.isDirectory());
// Programs start in /, which is mapped to this folder. Other paths must begin with a folder of the system's root.
const preopens = { ...Object.fromEntries(folders.map((f) => [`/${f.name}`, `/${f.name}`])), "/": process.cwd() };
const wasi = new WASI({ version: "preview1", args: ["jax2onnx", ...process.argv.slice(2)], preopens, returnOnExit: true });
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), wasi.getImportObject());
process.exitCode = wasi.start(instance);
