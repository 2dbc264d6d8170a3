// SPDX-License-Identifier: Apache-2.0
// The page that converts: files in, model and report out. All work is done by worker.js and ONNX Runtime Web.
import { byId, make, number_text, size_text, table } from "../src/dom.js";
import { run_model } from "./model_run.js";
import { read_npy } from "./npy.js";

const is_index = (name) => /\.safetensors\.index\.json$/i.test(name);
const is_weights = (name) => /\.(npz|npy|safetensors)$/i.test(name) || is_index(name);
const argument = (name) => (name.startsWith("-") ? `./${name}` : name);
const example = ["mnist_cnn.jaxpr", "weights.npz"];

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
let chosen = []; // files
let runs = 0;
let model; // the model converted last

// ---- files

/** Adds files. A jaxpr replaces the previous one; weights replace those of the same name. */
function choose(files) {
  for (const file of files) {
    const same = (other) => other.name === file.name || (!is_weights(file.name) && !is_weights(other.name));
    chosen = [...chosen.filter((other) => !same(other)), file];
  }
  show_chosen();
  if (chosen.some((f) => !is_weights(f.name))) convert();
}

function show_chosen() {
  byId("chosen").replaceChildren(
    ...chosen.map((file) =>
      make(
        "li",
        {},
        `${file.name}, ${size_text(file.size)}`,
        make("button", { type: "button", "aria-label": `Remove ${file.name}`, onclick: () => remove(file) }, "Remove"),
      ),
    ),
  );
  byId("convert").disabled = !chosen.some((f) => !is_weights(f.name));
}

function remove(file) {
  chosen = chosen.filter((other) => other !== file);
  show_chosen();
}

byId("files").addEventListener("change", () => {
  choose(byId("files").files);
  byId("files").value = ""; // so that the same file can be chosen again
});
addEventListener("dragover", (e) => {
  e.preventDefault();
  byId("drop").classList.add("over");
});
addEventListener("dragleave", () => byId("drop").classList.remove("over"));
addEventListener("drop", (e) => {
  e.preventDefault();
  byId("drop").classList.remove("over");
  choose(e.dataTransfer.files);
});
byId("example").addEventListener("click", async () => {
  const fetched = example.map(
    async (name) => new File([await (await fetch(new URL(name, import.meta.url))).blob()], name),
  );
  chosen = [];
  choose(await Promise.all(fetched));
});

// ---- conversion

/** The options that the controls set: the id of each is the key of an option, an empty value is the default. */
function option_arguments() {
  return Array.from(byId("options").elements).flatMap(({ id, type, checked, value, dataset }) => {
    if (type === "checkbox") return checked ? [`--${id}`] : [];
    const values = "repeats" in dataset ? value.split(/[\s,]+/) : [value.trim()];
    return values.filter(Boolean).map((text) => `--${id}=${text}`);
  });
}

function tool_arguments() {
  const text = chosen.find((f) => !is_weights(f.name));
  const weights = chosen.filter((f) => f !== text);
  const indexed = weights.some((f) => is_index(f.name)); // the index names the files of its parts
  const args = [argument(text.name), "-o", "model.onnx", "--report=report.html"];
  for (const { name } of weights) if (!indexed || !/\.safetensors$/i.test(name)) args.push("-w", argument(name));
  return [...args, ...option_arguments()];
}

function convert() {
  show_state("Converting…");
  worker.postMessage({ number: ++runs, given: chosen, args: tool_arguments() });
}
byId("form").addEventListener("submit", (e) => {
  e.preventDefault();
  convert();
});
worker.addEventListener("message", ({ data }) => data.number === runs && show(data));
worker.addEventListener("error", (e) => show_state(`The converter could not be loaded: ${e.message}`, true));

function show_state(text, failed = false) {
  byId("state").textContent = text;
  byId("state").classList.toggle("failed", failed);
}

/** Shows the tool's result, a model or problems, with its report. */
function show(result) {
  const { code, messages, report, milliseconds } = result;
  model = code === 0 ? result.model : undefined;
  show_state(
    code === 0
      ? `Converted in ${milliseconds.toFixed(0)} ms: ${size_text(model.length)}`
      : `Not converted (exit code ${code})`,
    code !== 0,
  );
  byId("messages").textContent = messages;
  byId("messages").hidden = messages === "";
  byId("results").replaceChildren();
  byId("run").hidden = byId("given").hidden = byId("download").hidden = !model;
  URL.revokeObjectURL(byId("download").href);
  if (model) {
    byId("download").href = URL.createObjectURL(new Blob([model], { type: "application/octet-stream" }));
    const stem = chosen.find((f) => !is_weights(f.name)).name.replace(/\.[^.]*$/, "");
    byId("download").download = `${stem}.onnx`;
  }
  byId("report").hidden = !report;
  byId("report").srcdoc = report ?? "";
  window.jax2onnx_converter = result; // tests wait for this
}

// ---- runs

const shown_numbers = 8;
const numbers_text = (data) => {
  const text = Array.from(data.slice(0, shown_numbers), (x) =>
    typeof x === "bigint" ? String(x) : number_text(x),
  ).join(", ");
  return data.length > shown_numbers ? `${text}, …` : text;
};
const tensor_rows = (list) => list.map((t) => [t.name, `${t.type}[${t.shape.join(",")}]`, numbers_text(t.data)]);

byId("run").addEventListener("click", async () => {
  byId("run").disabled = true;
  try {
    const given = await Promise.all(Array.from(byId("inputs").files, read_npy));
    const { inputs, outputs, milliseconds } = await run_model(model, given);
    byId("results").replaceChildren(
      make("h2", {}, `One run: ${milliseconds.toFixed(1)} ms`),
      table(["Input", "Type", "Numbers"], tensor_rows(inputs)),
      table(["Output", "Type", "Numbers"], tensor_rows(outputs)),
    );
  } catch (e) {
    byId("results").replaceChildren(make("p", { class: "failed", role: "alert" }, `ONNX Runtime Web: ${e.message}`));
  } finally {
    byId("run").disabled = false;
  }
});
