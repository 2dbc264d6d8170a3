// SPDX-License-Identifier: Apache-2.0
// The page that converts, in a browser: JAX2ONNX is the tool, CHROMIUM the browser, build/converter the page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { weights_for } from "./models.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const built = join(root, "build/converter");
const tool = process.env.JAX2ONNX ?? join(root, "build/release/jax2onnx");
const folder = mkdtempSync(join(tmpdir(), "converter-"));
const axe = readFileSync(join(here, "../node_modules/axe-core/axe.min.js"), "utf8");
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
let browser, server, address;

before(async () => {
  server = createServer((request, response) => {
    const file = join(built, basename(request.url) || "index.html");
    if (!existsSync(file)) return response.writeHead(404).end();
    response
      .writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" })
      .end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the page; fails for errors on the console and for requests to elsewhere. */
async function open(check) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const wrong = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && wrong.push(m.text()));
  page.on("pageerror", (e) => wrong.push(e.stack));
  page.on(
    "request",
    (r) => r.url().startsWith(address) || /^(blob|data):/.test(r.url()) || wrong.push(`request: ${r.url()}`),
  );
  try {
    await page.goto(address);
    await check(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

/** Calls `start` and waits for the result. Its model is a buffer. */
async function result_of(page, start) {
  await page.evaluate(() => (window.jax2onnx_converter = undefined));
  await start();
  await page.waitForFunction(() => window.jax2onnx_converter);
  const { model, ...rest } = await page.evaluate(() => {
    const { model: bytes, ...others } = window.jax2onnx_converter;
    let text = "";
    for (const byte of bytes ?? []) text += String.fromCharCode(byte);
    return { ...others, model: btoa(text) };
  });
  return { ...rest, model: Buffer.from(model, "base64") };
}

/** The tool's output for a jaxpr and its weights. */
function by_tool(files, ...options) {
  const [text, weights] = files.map((f) => basename(f));
  const args = [
    text.startsWith("-") ? `./${text}` : text,
    "-o",
    "model.onnx",
    "--report=report.html",
    ...(weights ? ["-w", weights] : []),
    ...options,
  ];
  const begin = performance.now();
  const { status, stderr } = spawnSync(tool, args, { cwd: dirname(files[0]), encoding: "utf8" });
  const milliseconds = performance.now() - begin;
  const written = (name) => join(dirname(files[0]), name);
  return {
    code: status,
    messages: stderr,
    milliseconds,
    report: readFileSync(written("report.html"), "utf8"),
    model: status === 0 ? readFileSync(written("model.onnx")) : Buffer.alloc(0),
  };
}

/** The data of a report, without times. */
function data_of(report) {
  const data = JSON.parse(report.split('id="data">')[1].split("</script>")[0]);
  delete data.model?.seconds;
  return data;
}

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const copy = (path) => file(basename(path), readFileSync(path));
const mnist = () => ["mnist_cnn.jaxpr", "weights.npz"].map((name) => copy(join(root, "examples/mnist_cnn", name)));
const vit = () => {
  const text = copy(join(here, "data/vit.jaxpr"));
  return [text, weights_for(readFileSync(text, "utf8"), join(folder, "vit.safetensors"))];
};
const choose = (page, files) => () => page.setInputFiles("#files", files);
const failing = "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n    c:f32[3] = no_such_primitive b\n  in (c,) }\n";
const unicode = "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin é\n  in (b,) }\n";
const nested = (depth) => {
  let text = "{ lambda ; x:f32[3]. let y:f32[3] = sin x in (y,) }";
  for (let i = 0; i < depth; ++i) text = `{ lambda ; x:f32[3]. let y:f32[3] = jit[name=f jaxpr=${text}] x in (y,) }`;
  return text;
};

describe("what the tool makes, the page makes", () => {
  for (const [name, files] of Object.entries({ mnist, vit }))
    test(`of ${name}`, () =>
      open(async (page) => {
        const chosen = files();
        const expected = by_tool(chosen);
        const made = await result_of(page, choose(page, chosen));
        assert.equal(made.code, 0, made.messages);
        assert.ok(made.model.equals(expected.model));
        assert.deepEqual(data_of(made.report), data_of(expected.report));
        const times = { page: [made.milliseconds], tool: [expected.milliseconds] };
        for (let i = 0; i < 9; ++i) {
          times.page.push((await result_of(page, () => page.click("#convert"))).milliseconds);
          times.tool.push(by_tool(chosen).milliseconds);
        }
        const [best, tools] = [Math.min(...times.page), Math.min(...times.tool)];
        console.log(
          `${name}: the page ${best.toFixed(1)} ms (first ${times.page[0].toFixed(0)} ms), ` +
            `the tool ${tools.toFixed(1)} ms: ${(best / tools).toFixed(2)} times`,
        );
      }));
  test("with options", () =>
    open(async (page) => {
      const chosen = mnist();
      await result_of(page, choose(page, chosen));
      await page.selectOption("#opset", "18");
      await page.selectOption("#target", "generic");
      await page.fill("#dim", "B=2");
      await page.fill("#inputs-as-nchw", "0");
      await page.check("#no-fuse");
      await page.check("#assume-finite");
      const made = await result_of(page, () => page.click("#convert"));
      assert.ok(
        made.model.equals(
          by_tool(
            chosen,
            "--opset",
            "18",
            "--target",
            "generic",
            "--dim",
            "B=2",
            "--inputs-as-nchw",
            "0",
            "--no-fuse",
            "--assume-finite",
          ).model,
        ),
      );
    }));
  test("of weights in two parts, from a text whose name begins with a dash", () =>
    open(async (page) => {
      const [source, weights] = vit();
      const bytes = readFileSync(weights);
      const begin = 8 + Number(bytes.readBigUInt64LE(0));
      const { __metadata__, ...arrays } = JSON.parse(bytes.subarray(8, begin));
      const names = Object.keys(arrays);
      const parts = [names.slice(0, 10), names.slice(10)].map((in_part, i) => {
        let at = 0;
        const pieces = in_part.map((name) => bytes.subarray(...arrays[name].data_offsets.map((o) => begin + o)));
        const header = Object.fromEntries(
          in_part.map((name, k) => {
            const from = at;
            at += pieces[k].length;
            return [name, { ...arrays[name], data_offsets: [from, at] }];
          }),
        );
        const head = Buffer.from(JSON.stringify(i === 0 ? { __metadata__, ...header } : header));
        const length = Buffer.alloc(8);
        length.writeBigUInt64LE(BigInt(head.length));
        return file(`part_${i}.safetensors`, Buffer.concat([length, head, ...pieces]));
      });
      const weight_map = Object.fromEntries(names.map((name, i) => [name, `part_${i < 10 ? 0 : 1}.safetensors`]));
      const index = file("model.safetensors.index.json", JSON.stringify({ metadata: __metadata__, weight_map }));
      const text = file("-vit.jaxpr", readFileSync(source));
      const made = await result_of(page, choose(page, [text, ...parts, index]));
      assert.equal(made.code, 0, made.messages);
      assert.ok(made.model.equals(by_tool([text, index]).model));
    }));
  const texts = {
    "without a lowering": failing,
    "that is malformed": unicode,
    "nested too deep": nested(300),
    "nested as deep as allowed": nested(240),
  };
  for (const [name, text] of Object.entries(texts))
    test(`of a text ${name}`, () =>
      open(async (page) => {
        const chosen = [file("text.jaxpr", text)];
        const expected = by_tool(chosen);
        const made = await result_of(page, choose(page, chosen));
        assert.equal(made.code, expected.code);
        assert.equal(made.messages, expected.messages);
        assert.deepEqual(data_of(made.report), data_of(expected.report));
      }));
  test("of damaged weights", () =>
    open(async (page) => {
      const [text, weights] = mnist();
      writeFileSync(weights, readFileSync(weights).subarray(0, 50_000));
      const made = await result_of(page, choose(page, [text, weights]));
      const { status, stderr } = spawnSync(tool, ["mnist_cnn.jaxpr", "-w", "weights.npz"], {
        cwd: folder,
        encoding: "utf8",
      });
      assert.deepEqual([made.code, made.messages], [status, stderr]);
      assert.match(await page.locator("#messages").innerText(), /weights\.npz/);
    }));
});

describe("the page", () => {
  test("shows the report, runs the model and gives it away", () =>
    open(async (page) => {
      await result_of(page, () => page.click("#example"));
      assert.match(await page.locator("#state").innerText(), /^Converted in \d+ ms/);
      const report = page.frameLocator("#report");
      await report.locator("#content").getByText("Conv").first().waitFor();
      await page.click("#run");
      await page.locator("#results table").nth(1).waitFor();
      assert.match(await page.locator("#results").innerText(), /float32\[1,28,28,1\][\s\S]*float32\[1,10\]/);
      const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
      assert.equal(saved.suggestedFilename(), "mnist_cnn.onnx");
      assert.ok(readFileSync(await saved.path()).equals(by_tool(mnist()).model));
    }));
  test("runs the model on a given array", () =>
    open(async (page) => {
      await result_of(page, choose(page, [file("sin.jaxpr", "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }")]));
      const header = `${"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }".padEnd(117)}\n`;
      const head = Buffer.from(
        [0x93, ..."NUMPY"].map((c) => (typeof c === "number" ? c : c.charCodeAt(0))).concat(1, 0, header.length, 0),
      );
      const array = (numbers) =>
        Buffer.concat([head, Buffer.from(header), Buffer.from(new Float32Array(numbers).buffer)]);
      await page.setInputFiles("#inputs", file("a.npy", array([0.5, 1, -2])));
      await page.click("#run");
      await page.locator("#results table").nth(1).waitFor();
      assert.match(await page.locator("#results").innerText(), /0\.5, 1, -2[\s\S]*0\.47943, 0\.84147, -0\.9093/);
      await page.setInputFiles("#inputs", file("a.npy", array([0.5, 1])));
      await page.click("#run");
      await page.locator("#results [role=alert]").waitFor();
    }));
  test("shows problems in the text", () =>
    open(async (page) => {
      await result_of(page, choose(page, [file("text.jaxpr", failing)]));
      assert.match(await page.locator("#state").innerText(), /exit code 3/);
      assert.match(await page.locator("#messages").innerText(), /no_such_primitive/);
      assert.match(await page.frameLocator("#report").locator("#lines .problem").innerText(), /no_such_primitive/);
      assert.ok(await page.locator("#run").isHidden());
    }));
  test("takes files that are dropped, and leaves some again", () =>
    open(async (page) => {
      const [text, weights] = mnist();
      const drop = (path) =>
        page.evaluate(
          ([name, bytes]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
            document.body.dispatchEvent(
              new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }),
            );
          },
          [basename(path), readFileSync(path).toString("base64")],
        );
      await drop(weights);
      assert.ok(await page.locator("#convert").isDisabled());
      const made = await result_of(page, () => drop(text));
      assert.ok(made.model.equals(by_tool([text, weights]).model));
      await page.getByLabel("Remove weights.npz").click();
      const without = await result_of(page, () => page.click("#convert"));
      assert.ok(without.model.equals(by_tool([text]).model));
    }));
  test("has no serious findings of axe", () =>
    open(async (page) => {
      for (const scheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: scheme });
        await result_of(page, () => page.click("#example"));
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
        assert.deepEqual(
          violations
            .filter((v) => ["serious", "critical"].includes(v.impact))
            .map((v) => [v.id, v.nodes.map((n) => n.html)]),
          [],
        );
      }
    }));
});
