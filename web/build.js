// SPDX-License-Identifier: Apache-2.0
// Makes dist/report.html: one file with the program, the style and the licences. The tool inserts the data at the
// marks. `node build.js --check` fails if the file differs from the output for the current sources.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const most_bytes = 1_500_000;
const libraries = ["@dagrejs/dagre", "@dagrejs/graphlib"];

const bundle = async (file) =>
  (
    await build({
      entryPoints: [join(here, "src", file)],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2022",
      charset: "ascii",
      legalComments: "none",
    })
  ).outputFiles[0].text.trim();

const license = (name) => {
  const folder = join(here, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
};

const script = (await bundle("main.js")).replaceAll("</script", "<\\/script");
const style = await bundle("style.css");
const licenses = libraries.map(license).join("\n");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*licenses*/", () => `\n${licenses}`)
  .replace("/*script*/", () => script);

if (page.length > most_bytes) throw new Error(`the page has ${page.length} bytes, more than ${most_bytes}`);
const file = join(here, "dist/report.html");
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== page) {
    console.error("web/dist/report.html is out of date: cd web && npm ci && npm run build");
    process.exit(1);
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
  console.log(`dist/report.html: ${page.length} bytes`);
}
