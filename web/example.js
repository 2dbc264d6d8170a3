// SPDX-License-Identifier: Apache-2.0
// Makes docs/examples/vit-report.html and its picture: JAX2ONNX is the tool, CHROMIUM the browser.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { weights_for } from "./tests/models.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const tool = process.env.JAX2ONNX ?? join(root, "build/release/jax2onnx");
const folder = mkdtempSync(join(tmpdir(), "example-"));
const examples = join(root, "docs/examples");
mkdirSync(examples, { recursive: true });
const text = join(folder, "vit.jaxpr");
copyFileSync(join(here, "tests/data/vit.jaxpr"), text);
weights_for(readFileSync(text, "utf8"), join(folder, "vit.safetensors"));
const options = [
  "vit.jaxpr",
  "-w",
  "vit.safetensors",
  "-q",
  "-o",
  "vit.onnx",
  `--report=${join(examples, "vit-report.html")}`,
];
execFileSync(tool, options, { cwd: folder });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(pathToFileURL(join(examples, "vit-report.html")).href);
await page.waitForFunction(() => window.jax2onnx_report);
await page.click("#show-source");
await page.evaluate(() => {
  const { go, model, view } = window.jax2onnx_report;
  go.item(model.nodes.find((n) => n.op === "LayerNormalization"));
  view.zoom(0.85);
});
await page.waitForTimeout(300);
await page.screenshot({ path: join(examples, "vit-report.png") });
await browser.close();
rmSync(folder, { recursive: true });
