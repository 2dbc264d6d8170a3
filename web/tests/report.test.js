// SPDX-License-Identifier: Apache-2.0
// The page in a browser: JAX2ONNX is the tool, CHROMIUM the browser. Timings are the best of three, since the machine
// may be busy.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import Ajv from "ajv/dist/2020.js";
import { chromium } from "playwright-core";
import { tower, weights_for } from "./models.js";
import { looks_like, without_text } from "./pictures.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const tool = process.env.JAX2ONNX ?? join(root, "build/release/jax2onnx");
const folder = mkdtempSync(join(tmpdir(), "report-"));
const axe = readFileSync(join(here, "../node_modules/axe-core/axe.min.js"), "utf8");
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Converts a jaxpr and writes a report beside its file; the conversion may fail. */
function report_of(name, text, ...options) {
  const file = join(folder, `${name}.html`);
  if (text) writeFileSync(join(folder, `${name}.jaxpr`), text);
  try {
    execFileSync(
      tool,
      [
        ...(text ? [join(folder, `${name}.jaxpr`)] : []),
        ...options,
        "-q",
        "-o",
        join(folder, `${name}.onnx`),
        `--report=${file}`,
      ],
      { stdio: "pipe" },
    );
  } catch (error) {
    if (!(error.status > 0)) throw error;
  }
  return file;
}

/** Opens a report; fails for errors on the console and for every request except that of the file. */
async function open(file, check) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 850 } });
  const wrong = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && wrong.push(m.text()));
  page.on("pageerror", (e) => wrong.push(e.stack));
  page.on("request", (r) => r.url() !== pathToFileURL(file).href && wrong.push(`request: ${r.url()}`));
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => window.jax2onnx_report);
    await check(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

const state = (page) =>
  page.evaluate(() => {
    const { model, view } = window.jax2onnx_report;
    return {
      nodes: model.nodes.length,
      boxes: view.boxes.length,
      lines: view.lines.length,
      groups: view.boxes.filter((b) => b.kind === "group").length,
    };
  });
/** The number of different colours in the picture. */
const colors = (page) =>
  page.evaluate(() => {
    const { width, height } = window.jax2onnx_report.view.canvas;
    const pixels = new Uint32Array(window.jax2onnx_report.view.context.getImageData(0, 0, width, height).data.buffer);
    return new Set(pixels).size;
  });
const panel = (page) => page.locator("#content").innerText();
/** The position of the centre of a box on the screen. */
const place = (page, find) =>
  page.evaluate(
    ([body]) => {
      const { model, view } = window.jax2onnx_report;
      const item = new Function("model", "view", `return ${body}`)(model, view);
      const box = view.canvas.getBoundingClientRect();
      return {
        x: box.x + view.x + (item.x + item.width / 2) * view.scale,
        y: box.y + view.y + (item.y + Math.min(14, item.height / 2)) * view.scale,
      };
    },
    [find],
  );

const failing = "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n    c:f32[3] = no_such_primitive b\n  in (c,) }\n";
const malformed = "{ lambda ; a:f32[3]. let\n    b:f32[3] = sin\n <script>alert(1)</script> in (b,) }\n";
const scan = `{ lambda ; z:f32[3] a:f32[50,3]. let
    b:f32[3] c:f32[50,3] = scan[
      _split_transpose=False
      jaxpr={ lambda ; d:f32[3] e:f32[3]. let
          f:f32[3] = add d e
          g:f32[3] = jit[name=wave jaxpr={ lambda ; h:f32[3]. let i:f32[3] = sin h in (i,) }] f
        in (g, f) }
      length=50
      linear=(False, False)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] z a
  in (b, c) }
`;

const mnist = (name) =>
  report_of(
    name,
    null,
    join(root, "examples/mnist_cnn/mnist_cnn.jaxpr"),
    "-w",
    join(root, "examples/mnist_cnn/weights.npz"),
  );

function vit(name) {
  const text = join(here, "data/vit.jaxpr");
  return report_of(name, null, text, "-w", weights_for(readFileSync(text, "utf8"), join(folder, "vit.safetensors")));
}

describe("the data", () => {
  const schema = JSON.parse(readFileSync(join(root, "docs/report.schema.json"), "utf8"));
  const validate = new Ajv({ allowUnionTypes: true, strictRequired: true }).compile(schema);
  const reports = {
    mnist,
    vit,
    scan: (name) => report_of(name, scan),
    failed: (name) => report_of(name, failing),
    malformed: (name) => report_of(name, malformed),
  };
  for (const [name, make] of Object.entries(reports))
    test(`of ${name} is what docs/report.schema.json says`, () => {
      const page = readFileSync(make(`data_${name}`), "utf8");
      const data = JSON.parse(page.split('id="data">')[1].split("</script>")[0]);
      validate(data);
      assert.deepEqual(validate.errors ?? [], []);
    });
});

describe("the MNIST network", () => {
  let file;
  before(() => (file = mnist("mnist")));
  test("is drawn, with a summary", () =>
    open(file, async (page) => {
      const s = await state(page);
      assert.ok(s.nodes > 5 && s.boxes >= 5 && s.lines >= 4, JSON.stringify(s));
      assert.ok((await colors(page)) > 20);
      assert.match(await panel(page), /Opset\s+22/);
      assert.match(await panel(page), /Conv/);
    }));
  test("tells of weights and their histograms", () =>
    open(file, async (page) => {
      await page.click("#tab-Weights");
      await page.locator("#content button.link").first().click();
      assert.match(await panel(page), /Greatest/);
      assert.ok((await page.locator("svg.histogram rect").count()) > 5);
    }));
  test("tells where FLOPs go", () =>
    open(file, async (page) => {
      await page.click("#tab-Cost");
      assert.ok((await page.locator(".treemap button").count()) > 3);
      await page.locator("#content select").selectOption("Bytes of weights");
      assert.match(await page.locator(".treemap button").first().getAttribute("aria-label"), /[KM]B, \d/);
    }));
  test("has no serious findings of axe, light and dark", () =>
    open(file, async (page) => {
      await page.evaluate(axe);
      for (const tab of ["Summary", "Selection", "Weights", "Cost", "Rewrites", "Problems"]) {
        await page.click("#theme");
        await page.click("#show-source");
        await page.click(`#tab-${tab}`);
        const { violations } = await page.evaluate(() => window.axe.run());
        const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
        assert.deepEqual(
          serious.map((v) => [tab, v.id, v.nodes.slice(0, 3).map((n) => n.html)]),
          [],
        );
      }
    }));
  test("prints", () => open(file, async (page) => assert.ok((await page.pdf()).length > 10_000)));
});

describe("a ViT", () => {
  let file;
  before(() => (file = vit("vit")));
  test("opens and closes scopes", () =>
    open(file, async (page) => {
      const first = await state(page);
      await page.click("#expand");
      const all = await state(page);
      assert.ok(all.boxes > first.boxes && all.boxes - all.groups >= all.nodes, JSON.stringify([first, all]));
      await page.click("#collapse");
      const none = await state(page);
      assert.ok(none.boxes < 8, JSON.stringify(none));
      const at = await place(page, "model.root.children.find(c => c.kind === 'group')");
      await page.mouse.dblclick(at.x, at.y);
      assert.ok((await state(page)).boxes > none.boxes);
      await page.locator("#canvas").press("Enter");
      assert.equal((await state(page)).boxes, none.boxes);
    }));
  test("goes from a node to the text and back", () =>
    open(file, async (page) => {
      await page.click("#show-source");
      await page.click("#expand");
      await page.evaluate(() =>
        window.jax2onnx_report.view.show(window.jax2onnx_report.model.nodes.find((n) => n.op === "LayerNormalization")),
      );
      const at = await place(page, "model.nodes.find(n => n.op === 'LayerNormalization')");
      await page.mouse.click(at.x, at.y);
      assert.match(await panel(page), /^LayerNormalization/);
      assert.match(await panel(page), /normalization\.py:\d+/);
      assert.match(await panel(page), /Made by the rules/);
      assert.match(await page.locator("#lines .marked").first().innerText(), / = add /);
      await page.click("#tab-Summary");
      await page.locator("#lines .marked").first().click(); // the next node of the line
      assert.match(await panel(page), /^Reshape/);
      await page.locator("#lines .marked").first().click();
      assert.match(await panel(page), /^LayerNormalization/);
    }));
  test("finds nodes, weights and lines", () =>
    open(file, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("gelu block_1");
      assert.equal(
        await page.locator("#results li").first().innerText(),
        await page.evaluate(() => {
          const n = window.jax2onnx_report.model.nodes.filter((m) => m.op === "Gelu")[1];
          return `${n.op} ${n.name}`;
        }),
      );
      await page.keyboard.press("Enter");
      assert.match(await panel(page), /^Gelu/);
      assert.match(await panel(page), /block_1/);
      await page.keyboard.press("Escape");
      await page.fill("#search", "conv_general_dilated");
      await page.keyboard.press("Enter");
      assert.match(await page.locator("#lines .marked").first().innerText(), /conv_general_dilated/);
    }));
  test("is moved and zoomed by keys", () =>
    open(file, async (page) => {
      const before = await page.evaluate(() => ({ ...window.jax2onnx_report.view, context: 0 }).x);
      await page.locator("#canvas").press("ArrowRight");
      await page.locator("#canvas").press("+");
      await page.locator("#canvas").press("]");
      const { x, selected } = await page.evaluate(() => ({
        x: window.jax2onnx_report.view.x,
        selected: window.jax2onnx_report.view.selected?.name,
      }));
      assert.notEqual(x, before);
      assert.equal(selected, "input_0");
    }));
});

describe("two reports", () => {
  let reports, page_of_both;
  before(() => {
    const text = join(here, "data/vit.jaxpr");
    const json = (name, ...options) => {
      const file = join(folder, name);
      execFileSync(tool, [text, ...options, "-q", "--dry-run", `--report=${file}`]);
      return file;
    };
    reports = { before: json("before.json", "--no-fuse"), after: json("after.json"), html: vit("other") };
    page_of_both = join(folder, "both.html");
    execFileSync(tool, ["--report-diff", reports.before, reports.after, `--report=${page_of_both}`]);
  });
  test("are side by side, with what differs", () =>
    open(page_of_both, async (page) => {
      assert.match(await page.locator("#before-hint").innerText(), /Before: .*, \d+ nodes/);
      const text = await panel(page);
      assert.match(text, /Changes from .*vit\.jaxpr/);
      assert.match(text, /LayerNormalization\s+5/);
      assert.match(text, /changed ck\s+Add f32\[B,16,32\] → LayerNormalization f32\[16\*B,32\]/);
      const marked = await page.evaluate(() => {
        const { model, compared } = window.jax2onnx_report;
        const count = (nodes) => {
          const counts = {};
          for (const { change = "same" } of nodes) counts[change] = (counts[change] ?? 0) + 1;
          return counts;
        };
        return [count(compared().comparison.before.nodes), count(model.nodes)];
      });
      assert.ok(
        marked[0].gone > 80 && marked[0].same > 10 && marked[0].changed >= 5 && !marked[0].new,
        JSON.stringify(marked),
      );
      assert.ok(
        marked[1].same === marked[0].same && marked[1].changed === marked[0].changed && !marked[1].gone,
        JSON.stringify(marked),
      );
    }));
  test("show the nodes of one name together", () =>
    open(page_of_both, async (page) => {
      await page.locator("#content").getByRole("button", { name: "ck", exact: true }).click();
      const selected = () =>
        page.evaluate(() =>
          [window.jax2onnx_report.compared().view, window.jax2onnx_report.view].map(
            (v) => v.selected && `${v.selected.op} ${v.selected.name}`,
          ),
        );
      assert.deepEqual(await selected(), ["Add ck", "LayerNormalization ck"]);
      await page.evaluate(() => {
        const { compared, go } = window.jax2onnx_report;
        go.item(compared().comparison.before.nodes.find((n) => n.name === "bw"));
      });
      assert.deepEqual(await selected(), ["ReduceSum bw", null]);
      assert.match(await panel(page), /^ReduceSum bw/);
      assert.match(await panel(page), /normalization\.py:\d+/);
    }));
  test("can be opened in the page of one, as JSON or as a page", () =>
    open(vit("first"), async (page) => {
      for (const [file, changes] of [
        [reports.before, /LayerNormalization\s+5/],
        [reports.html, /Nothing differs/],
      ]) {
        await page.setInputFiles("#other", file);
        await page.waitForFunction(
          (pattern) => new RegExp(pattern).test(document.getElementById("content").innerText),
          changes.source,
        );
      }
      await page.setInputFiles("#other", join(here, "data/vit.jaxpr"));
      await page.locator("#content [role=alert]").waitFor();
    }));
  test("have no serious findings of axe", () =>
    open(page_of_both, async (page) => {
      await page.evaluate(axe);
      for (let i = 0; i < 2; ++i) {
        const { violations } = await page.evaluate(() => window.axe.run());
        const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
        assert.deepEqual(
          serious.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html)]),
          [],
        );
        await page.click("#theme");
      }
    }));
});

describe("5,000 nodes", () => {
  for (const scopes of [true, false])
    test(scopes ? "in scopes" : "without scopes", async () => {
      const file = report_of(`tower_${scopes}`, tower(1000, scopes));
      const times = [];
      for (let i = 0; i < 3; ++i)
        await open(file, async (page) => {
          times.push(await page.evaluate(() => window.jax2onnx_report.first_picture));
          const s = await state(page);
          assert.ok(s.nodes >= 5000 && s.boxes > 3 && s.boxes < 150, JSON.stringify(s));
          if (i > 0) return;
          await page.click("#expand");
          const all = await state(page);
          assert.ok(all.boxes - all.groups >= 5000, JSON.stringify(all));
          const rates = [];
          for (let run = 0; run < 3; ++run)
            rates.push(
              await page.evaluate(async (zoomed) => {
                const { view } = window.jax2onnx_report;
                if (zoomed) view.zoom(8);
                const [begin, frames] = [performance.now(), view.frames];
                while (performance.now() - begin < 500) {
                  view.move(3, 2);
                  await new Promise(requestAnimationFrame);
                }
                return ((view.frames - frames) * 1000) / (performance.now() - begin);
              }, run > 0),
            );
          console.log(`frames per second, everything in sight and nearer: ${rates.map(Math.round)}`);
          assert.ok(Math.max(rates[0]) >= 30 && Math.max(...rates.slice(1)) >= 30, String(rates));
        });
      console.log(`first picture after ${times.map(Math.round)} ms`);
      assert.ok(Math.min(...times) < 2000, String(times));
    });
});

describe("pictures", () => {
  /** Draws a page anew without text, waits until it is drawn, and compares its picture. */
  const compared = (name, file, prepare = () => {}, part = "main") =>
    test(name, () =>
      open(file(), async (page) => {
        await page.emulateMedia({ colorScheme: name.includes("dark") ? "dark" : "light" });
        await without_text(page);
        await page.waitForTimeout(100); // the canvas follows its size
        await prepare(page);
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        await looks_like(name.replaceAll(" ", "_"), page.locator(part));
      }),
    );
  // Recorded reports, so that what the tool makes of the network may change.
  const recorded = (name) => readFileSync(join(here, `data/mnist_${name}.json`), "utf8");
  const page_of = (data, before) => {
    const file = join(folder, "pictured.html");
    const page = readFileSync(join(here, "../dist/report.html"), "utf8");
    writeFileSync(
      file,
      page.replace("@jax2onnx-report@", () => data).replace("@jax2onnx-before@", () => before),
    );
    return file;
  };
  const one = () => page_of(recorded("after"), "null");
  const both = () => page_of(recorded("after"), recorded("before"));
  const expand = (page) => page.click("#expand");
  compared("one graph", one, expand, "#picture");
  compared("one graph in the dark", one, expand, "#picture");
  compared("two graphs before", both, expand, "#before");
  compared("two graphs after", both, expand, "#picture");
  compared("costs", one, (page) => page.click("#tab-Cost"), ".treemap");
});

describe("a conversion that failed", () => {
  test("shows what is wrong where", () =>
    open(report_of("failed", failing), async (page) => {
      assert.equal(await page.locator("#result").innerText(), "failed");
      assert.match(await panel(page), /no_such_primitive/);
      assert.match(await page.locator("#lines .problem").innerText(), /no_such_primitive/);
      await page.locator("#content").getByText("line 3").click();
      assert.match(await page.locator("#lines .marked").innerText(), /no_such_primitive/);
      await page.click("#tab-Summary");
      assert.match(await panel(page), /not converted/);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(
        violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id),
        [],
      );
    }));
  test("shows a text that is malformed", () =>
    open(report_of("malformed", malformed), async (page) => {
      assert.equal(await page.locator("#result").innerText(), "failed");
      assert.match(await page.locator("#lines").innerText(), /<script>alert/);
    }));
});

describe("bodies and calls", () => {
  test("are scopes, whose nodes know who called them", () =>
    open(report_of("scan", scan), async (page) => {
      await page.click("#expand");
      const names = await page.evaluate(() => {
        const { scopes, node } = {
          scopes: (i) => (i.parent ? [...scopes_of(i.parent), i.parent.name] : []),
          node: window.jax2onnx_report.model.nodes.find((n) => n.op === "Sin"),
        };
        function scopes_of(i) {
          return i.parent ? [...scopes_of(i.parent), i.name] : [i.name];
        }
        window.jax2onnx_report.go.item(node);
        return scopes(node);
      });
      assert.ok(names.some((n) => n.includes("wave")) && names.some((n) => /Scan|Loop/.test(n)), names.join(" / "));
      assert.match(await panel(page), /called by jit wave/);
      assert.match(await panel(page), /called by scan/);
    }));
});
