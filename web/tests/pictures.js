// SPDX-License-Identifier: Apache-2.0
// Pictures that the tests compare with those in data/pictures. They have no text, since fonts differ between machines.
// `npm run pictures` records them again.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const here = dirname(fileURLToPath(import.meta.url));
const recorded = join(here, "data/pictures");
const seen = join(here, "../../build/pictures");
const most_different = 0.01; // share of the drawn pixels: browser versions smooth edges differently
const plain = `
  header { height: 50px; overflow: hidden; }
  .hint { visibility: hidden; }
  #content { overflow: scroll; }
  .treemap button { color: transparent; }
`;

/** Makes a page draw without text, with a layout that does not depend on fonts. */
export async function without_text(page) {
  await page.addStyleTag({ content: plain });
  await page.evaluate(() => {
    CanvasRenderingContext2D.prototype.fillText = () => {};
  });
}

/** The number of pixels whose colour differs from that of the first one. */
function drawn(png) {
  const pixels = new Uint32Array(png.data.buffer, png.data.byteOffset, png.width * png.height);
  return pixels.reduce((count, pixel) => count + (pixel !== pixels[0]), 0);
}

/** Compares an element with the recorded picture of that name. */
export async function looks_like(name, locator) {
  const now = await locator.screenshot({ animations: "disabled" });
  const file = join(recorded, `${name}.png`);
  if (process.env.RECORD_PICTURES) {
    mkdirSync(recorded, { recursive: true });
    writeFileSync(file, now);
    return;
  }
  const [a, b] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(now)];
  assert.deepEqual([b.width, b.height], [a.width, a.height], name);
  const marked = new PNG({ width: a.width, height: a.height });
  const different = pixelmatch(a.data, b.data, marked.data, a.width, a.height, { threshold: 0.1 }) / drawn(a);
  if (different <= most_different) return;
  mkdirSync(seen, { recursive: true });
  writeFileSync(join(seen, `${name}.png`), now);
  writeFileSync(join(seen, `${name}.differs.png`), PNG.sync.write(marked));
  assert.fail(
    `${name}: ${(100 * different).toFixed(2)} % of the drawn pixels differ: build/pictures/${name}.differs.png`,
  );
}
