// SPDX-License-Identifier: Apache-2.0
// The page of examples/deploy in a browser: its folder has the model and ONNX Runtime, `images` and `digits` what it
// must recognize.
//     node --test web/tests/deployment.test.js   as scripts/test-deployment calls it, with FOLDER, IMAGES and DIGITS
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { PNG } from "pngjs";

const types = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const side = 28;

/** The PNG of an image whose pixels are numbers from 0 to 1. */
function png_of(image) {
  const picture = new PNG({ width: side, height: side });
  for (const [i, pixel] of image.entries())
    picture.data.fill(Math.round(pixel * 255), 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4);
  return PNG.sync.write(picture);
}

test("the page recognizes digits", async () => {
  const server = createServer((request, response) => {
    const file = join(process.env.FOLDER, basename(request.url));
    if (!existsSync(file)) return response.writeHead(404).end();
    response
      .writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" })
      .end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.stack));
    await page.goto(`http://127.0.0.1:${server.address().port}/digits.html`);
    await page.waitForSelector("body[data-ready]");
    const pixels = new Float32Array(new Uint8Array(readFileSync(process.env.IMAGES)).buffer);
    for (const [i, digit] of readFileSync(process.env.DIGITS, "utf8").trim().split("\n").entries()) {
      const image = pixels.subarray(i * side * side, (i + 1) * side * side);
      await page.setInputFiles("input", { name: "digit.png", mimeType: "image/png", buffer: png_of(image) });
      await page.waitForFunction(
        (text) => document.querySelector("output").textContent === text,
        `This is a ${digit}`,
        { timeout: 10000 },
      );
      await page.evaluate(() => (document.querySelector("output").textContent = ""));
    }
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
    server.close();
  }
});
