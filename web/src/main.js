// SPDX-License-Identifier: Apache-2.0
import { compare, report_in } from "./compare.js";
import { read_report } from "./data.js";
import { byId, counted, make } from "./dom.js";
import { connect } from "./layout.js";
import * as panels from "./panels.js";
import { search_box } from "./search.js";
import { Source } from "./source.js";
import { View } from "./view.js";

const first_boxes = 24;

const model = read_report(JSON.parse(byId("data").textContent));
const { report } = model;
const converted = Boolean(report.graph);
let view = null;
let comparison = null; // the comparison with another report, which is drawn in a second view
let view_before = null;
let current = null; // the item that the tab Selection describes
let current_tab = "Summary";
const cost_state = {};

document.title = `${report.input}: jax2onnx report`;
byId("title").textContent = report.input;
byId("result").textContent = report.result;
byId("result").className = report.result;

// ---- navigation

const go = {
  /** Shows a node, scope or weight in the panel, in the picture and in the text. */
  item(item) {
    go.details(item);
    if (item.kind === "weight") return;
    const shown_in = view_of(item);
    if (item.parent) shown_in?.show(item.box ?? item);
    else shown_in?.fit();
  },
  /** Shows the details of an item without moving the picture. */
  details(item) {
    current = item;
    const box = item.kind === "weight" ? null : (item.box ?? item);
    view_of(item)?.select(box);
    if (comparison) show_counterpart(item);
    const e = item.kind === "node" && model_of(item) === model ? model.equations[item.equation] : undefined;
    if (e) source.mark(e.line, e.end_line);
    go.tab("Selection");
  },
  line(line, end = line) {
    show_source(true);
    source.mark(line, end);
  },
  toggle(group) {
    view_of(group)?.set_open(group, !group.open);
    go.details(group);
  },
  search(words) {
    search(words);
  },
  tab(name) {
    current_tab = name;
    const content = byId("content");
    content.replaceChildren(...[tabs[name]()].flat(Infinity).filter(Boolean));
    content.scrollTop = 0;
    for (const button of byId("tabs").children) {
      const chosen = button.textContent === name;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
    content.setAttribute("aria-labelledby", `tab-${name}`);
  },
};

function selection() {
  const item = current ?? model.root;
  const of = model_of(item);
  if (item.kind === "weight") return panels.weight_details(item, go);
  if (item.kind === "group") return panels.scope_details(of, item, go);
  return panels.node_details(of, item, go);
}

const tabs = { Summary: () => panels.summary(model, go) };
if (converted) {
  tabs.Selection = selection;
  tabs.Weights = () => panels.weights(model, go);
  tabs.Cost = () => panels.costs(model, go, cost_state);
  tabs.Rewrites = () => panels.rewrites(model);
}
tabs.Problems = () => panels.problems(model, go);

const tab_button = (name) =>
  make("button", { role: "tab", id: `tab-${name}`, "aria-controls": "content", onclick: () => go.tab(name) }, name);
byId("tabs").append(...Object.keys(tabs).map(tab_button));
byId("tabs").addEventListener("keydown", (e) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!by) return;
  const names = Object.keys(tabs);
  go.tab(names[(names.indexOf(current_tab) + by + names.length) % names.length]);
  byId(`tab-${current_tab}`).focus();
});

// ---- the text

const source = new Source(byId("source-title"), byId("lines"), model, (line) => {
  const nodes = model.by_line[line];
  source.mark(line);
  const next = nodes[(nodes.indexOf(current) + 1) % nodes.length];
  go.item(next); // another click shows the next node of the line
});
function show_source(shown) {
  byId("source").hidden = !shown;
  byId("show-source").setAttribute("aria-pressed", String(shown));
}
byId("show-source").addEventListener("click", () => show_source(byId("source").hidden));

// ---- the picture

if (converted) {
  connect(model);
  model.root.open = true;
  view = new View(byId("canvas"), model, (item) => go.details(item ?? model.root));
  view.open_some(first_boxes);
  byId("hint").textContent = "Double-click opens or closes a scope";
} else {
  byId("picture").hidden = true;
  for (const id of ["fit", "expand", "collapse"]) byId(id).hidden = true;
  byId("source").style.flex = "1";
  show_source(true);
}
const in_views = (action) => () => {
  for (const each of [view, view_before]) if (each) action(each);
};
byId("fit").addEventListener(
  "click",
  in_views((each) => each.fit()),
);
byId("expand").addEventListener(
  "click",
  in_views((each) => each.set_all(true)),
);
byId("collapse").addEventListener(
  "click",
  in_views((each) => each.set_all(false)),
);

// ---- another report beside this one

/** The model that contains a node, scope or weight. */
function model_of(item) {
  const { before } = comparison ?? {};
  if (item.kind === "weight") return before?.weights[item.number] === item ? before : model;
  while (item.parent) item = item.parent;
  return item === before?.root ? before : model;
}
function view_of(item) {
  return model_of(item) === model ? view : view_before;
}
/** Selects the node of the same name in the other picture. */
function show_counterpart(item) {
  const other = view_of(item) === view ? view_before : view;
  const same = comparison.counterparts.get(item.node ?? item);
  other.select(same ? (same.box ?? same) : null);
  if (same) other.show(same.box ?? same);
}
function compare_with(report) {
  comparison = compare(read_report(report), model);
  const { before } = comparison;
  connect(before);
  byId("before").hidden = false;
  const canvas = byId("before-canvas").cloneNode(); // drops the input handlers of another view
  byId("before-canvas").replaceWith(canvas);
  view_before = new View(canvas, before, (item) => go.details(item ?? before.root));
  view_before.open_some(first_boxes);
  byId("before-hint").textContent = `Before: ${report.input}, ${counted(before.nodes.length, "node")}`;
  byId("hint").textContent = `After: ${model.report.input}, ${counted(model.nodes.length, "node")}`;
  if (!tabs.Changes) byId("tabs").append(tab_button("Changes"));
  tabs.Changes = () => panels.changes(comparison, go);
  view.draw();
  go.tab("Changes");
}
async function open_other(file) {
  try {
    compare_with(report_in(await file.text()));
  } catch (e) {
    byId("content").replaceChildren(make("p", { class: "error", role: "alert" }, `${file.name}: ${e.message}`));
  }
}
byId("compare").hidden = !converted;
byId("compare").addEventListener("click", () => byId("other").click());
byId("other").addEventListener("change", () => {
  const [file] = byId("other").files;
  if (file) open_other(file);
  byId("other").value = ""; // so that the same file can be chosen again
});

// ---- search, theme, keys, printing

const search = search_box(byId("search"), byId("results"), model, {
  show: (r) => (r.kind === "line" ? go.line(r.line) : go.item(r)),
  mark: (nodes) => view?.mark(nodes.map((n) => n.box ?? n)),
});

function set_theme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const each of [view, view_before]) {
    each?.colors();
    each?.draw();
  }
}
const preferred = matchMedia("(prefers-color-scheme: dark)");
set_theme(preferred.matches ? "dark" : "light");
preferred.addEventListener("change", () => set_theme(preferred.matches ? "dark" : "light"));
byId("theme").addEventListener("click", () =>
  set_theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
);

document.addEventListener("keydown", (e) => {
  if (/** @type {Element} */ (e.target).matches("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey)
    return;
  if (e.key === "/") {
    byId("search").focus();
    e.preventDefault();
  } else if (e.key === "s") show_source(byId("source").hidden);
});

let before_print;
addEventListener("beforeprint", () => {
  before_print = document.documentElement.dataset.theme;
  set_theme("light");
  for (const each of [view, view_before]) {
    each?.resize();
    each?.fit();
    each?.paint();
  }
});
addEventListener("afterprint", () => set_theme(before_print));

go.tab(converted ? "Summary" : "Problems");
const before_data = JSON.parse(byId("before-data").textContent);
if (before_data) compare_with(before_data);
// Tests wait for this object, and inspect the canvas with it.
requestAnimationFrame(() =>
  requestAnimationFrame(
    () =>
      (window.jax2onnx_report = {
        model,
        view,
        go,
        source,
        compared: () => ({ comparison, view: view_before }),
        first_picture: performance.now(),
      }),
  ),
);
