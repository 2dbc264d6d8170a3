// SPDX-License-Identifier: Apache-2.0
// Pictures of the site, of the example report and of the page that converts, light and dark, in docs/pictures. Needs
// scripts/site and `npm run build:converter`; CHROMIUM is the browser.
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const pages = {
  home: "site/html/index.html",
  tutorial: "site/html/docs/tutorial/index.html",
  report: "site/html/docs/examples/vit-report.html",
  converter: "converter/index.html",
};
const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css" };
const pictures = join(root, "docs/pictures");
mkdirSync(pictures, { recursive: true });

const server = createServer((request, response) => {
  const file = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  try {
    const content = readFileSync(join(root, "build", file));
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(undefined)));
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  const page = await browser.newPage({ viewport: { width: 1024, height: 640 }, colorScheme });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`http://127.0.0.1:${port}/${path}`, { waitUntil: "networkidle" });
    await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`), animations: "disabled" });
  }
  await page.close();
}
await browser.close();
server.close();
