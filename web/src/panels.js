// SPDX-License-Identifier: Apache-2.0
// The contents of the panel: the model, a node, a scope, a weight, costs, rewrites, problems. `go` has the functions
// that navigate to a node, a scope, a weight or a line.

import { nodes_in, scopes_of } from "./data.js";
import { count_text, counted, facts, link, make, number_text, size_text, table } from "./dom.js";
import { treemap } from "./treemap.js";

const most_rows = 300;

function crumbs(item, go) {
  const scopes = scopes_of(item).filter((g) => !g.part);
  return make(
    "nav",
    { class: "crumbs", "aria-label": "Scopes" },
    scopes.map((g, i) => [i ? " / " : "", link(g.name, () => go.item(g))]),
  );
}
const node_link = (node, go) => link(`${node.op} ${node.name}`, () => go.item(node));
const line_link = (line, end, go) =>
  link(end > line ? `lines ${line}–${end}` : `line ${line}`, () => go.line(line, end));

// ---- the model

export function summary(model, go) {
  const { report } = model;
  const m = report.model;
  const parts = [make("h2", {}, report.input)];
  if (!m)
    parts.push(
      make("p", { class: "error" }, "This text was not converted."),
      link("What is wrong", () => go.tab("Problems")),
    );
  parts.push(
    facts([
      ["Converter", report.converter],
      ["Result", report.result],
    ]),
  );
  if (!m) return parts;
  const symbols = report.graph.symbols;
  parts.push(
    facts([
      ["Opset", String(m.opset)],
      ["IR version", String(m.ir_version)],
      ["Symbolic dims", symbols.length ? symbols.join(", ") : "none"],
      ["Size", `${counted(m.equations, "equation")}, ${counted(m.nodes, "node")}`],
      ["Weights", `${counted(m.weights.arrays, "array")}, ${size_text(m.weights.bytes)}`],
      ["Closed-over inputs", m.weights.as_inputs || null],
      ["Written", m.output ? `${m.output}, ${size_text(m.bytes.model)}` : "nothing"],
      ["Data", m.data_file && `${m.data_file}, ${size_text(m.bytes.data)}`],
      ["FLOPs", `${count_text(model.root.flops)}${model.nodes.some((n) => n.symbolic) ? " with symbols at 1" : ""}`],
      [
        "Time",
        Object.entries(m.seconds)
          .map(([k, v]) => `${k} ${(1000 * v).toFixed(1)} ms`)
          .join(", "),
      ],
    ]),
  );
  const interface_ = (list) =>
    table(
      ["name", "type"],
      list.map((v) => [make("code", {}, v.name), make("code", {}, v.type)]),
    );
  parts.push(make("h3", {}, "Inputs"), interface_(m.inputs), make("h3", {}, "Outputs"), interface_(m.outputs));
  const counts = (name, list, find) => [
    make("h3", {}, name),
    table(
      ["name", "count"],
      Object.entries(list ?? {}).map(([k, v]) => [find(k), String(v)]),
      [1],
    ),
  ];
  parts.push(
    counts("Operators", m.operators, (k) => link(k, () => go.search(k))),
    counts("Primitives", m.primitives, (k) => make("code", {}, k)),
  );
  return parts;
}

// ---- nodes and scopes

function value_rows(values, go, by) {
  return values.map((v, i) => {
    if (!v) return [String(i), make("span", { class: "soft" }, "absent"), "", ""];
    const name = v.weight ? link(v.name, () => go.item(v.weight)) : make("code", {}, v.name);
    const ends = by === "from" ? [v.from].filter(Boolean) : v.users;
    return [
      String(i),
      name,
      make("code", {}, v.type),
      make(
        "ul",
        { class: "plain" },
        ends.slice(0, 12).map((n) => make("li", {}, node_link(n, go))),
        ends.length > 12 ? make("li", { class: "soft" }, `and ${ends.length - 12} more`) : null,
      ),
    ];
  });
}

function attribute_text(value) {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.slice(0, 64).join(", ")}${value.length > 64 ? ", …" : ""}]`;
  if (value.tensor !== undefined) return `${value.tensor}${value.content ? ` = ${value.content.join(", ")}` : ""}`;
  if (value.block !== undefined) return "a body";
  return value.type ?? JSON.stringify(value);
}

/** An equation, followed by its callers. */
function origin(model, number, go) {
  const rows = [];
  for (let e = model.equations[number], first = true; e; e = model.equations[e.caller], first = false)
    rows.push(
      make(
        "li",
        {},
        make("span", { class: "soft" }, first ? "" : "called by "),
        make("code", {}, e.primitive ?? "?"),
        e.calls ? ` ${e.calls}` : "",
        ", ",
        line_link(e.line, e.end_line, go),
        e.source ? [make("br"), make("code", { class: "python" }, e.source)] : null,
        e.scope ? [make("br"), make("span", { class: "soft" }, e.scope)] : null,
      ),
    );
  return make("ul", { class: "plain" }, rows);
}

function rewrites_of(model, node) {
  const { events } = model.report.graph;
  const made = [];
  for (let e = node.made_by; e !== undefined; e = events[e].after) made.push(events[e]);
  const parts = [];
  if (made.length)
    parts.push(
      make("h3", {}, "Made by the rules"),
      make(
        "ul",
        { class: "plain" },
        made.map((e) =>
          make(
            "li",
            {},
            make("code", {}, e.rule),
            e.replaced ? make("span", { class: "soft" }, ` in place of ${e.replaced}`) : null,
          ),
        ),
      ),
    );
  if (node.declined)
    parts.push(
      make("h3", {}, "Rules that declined"),
      make(
        "ul",
        { class: "plain" },
        node.declined.map((d) => make("li", {}, make("code", {}, d.rule), `: ${d.reason}`)),
      ),
    );
  return parts;
}

export function node_details(model, node, go) {
  const parts = [make("h2", {}, `${node.op} ${node.name}`), crumbs(node, go)];
  if (node.kind !== "node") {
    parts.push(facts([["Type", make("code", {}, node.value.type)]]));
    if (node.kind === "input")
      parts.push(
        make("h3", {}, "Read by"),
        make(
          "ul",
          { class: "plain" },
          node.value.users.map((u) => make("li", {}, node_link(u, go))),
        ),
      );
    else if (node.value.from) parts.push(make("h3", {}, "Made by"), node_link(node.value.from, go));
    return parts;
  }
  const at_one = node.symbolic ? " with symbols at 1" : "";
  parts.push(
    facts([
      ["Domain", node.domain],
      ["FLOPs", node.known_cost ? `${count_text(node.flops)}${at_one}` : "unknown"],
      ["Bytes read and written", `${size_text(node.bytes)}${at_one}`],
    ]),
  );
  if (node.equation !== undefined) parts.push(make("h3", {}, "From the text"), origin(model, node.equation, go));
  if (node.attributes)
    parts.push(
      make("h3", {}, "Attributes"),
      facts(Object.entries(node.attributes).map(([k, v]) => [k, make("code", {}, attribute_text(v))])),
    );
  parts.push(make("h3", {}, "Inputs"), table(["", "name", "type", "from"], value_rows(node.inputs, go, "from")));
  parts.push(make("h3", {}, "Outputs"), table(["", "name", "type", "to"], value_rows(node.outputs, go, "to")));
  parts.push(rewrites_of(model, node));
  return parts;
}

export function scope_details(model, group, go) {
  const at_one = model.nodes.some((n) => n.symbolic) ? " with symbols at 1" : "";
  const parts = [make("h2", {}, group.name), crumbs(group, go)];
  if (group.node) parts.push(link(`The node ${group.node.op} ${group.node.name}`, () => go.details(group.node)));
  if (group.parent)
    parts.push(
      make(
        "p",
        {},
        make(
          "button",
          { onclick: () => go.toggle(group) },
          group.open ? "Close in the picture" : "Open in the picture",
        ),
      ),
    );
  parts.push(
    facts([
      ["Nodes", String(group.count)],
      ["FLOPs", `${count_text(group.flops)}${at_one}`],
      ["Bytes read and written", `${size_text(group.bytes)}${at_one}`],
      ["Weights", size_text(group.weight_bytes)],
    ]),
  );
  parts.push(make("h3", {}, "In it"));
  parts.push(
    make(
      "ul",
      { class: "plain" },
      group.children.map((c) =>
        make("li", {}, c.kind === "group" ? link(`▸ ${c.name} (${c.count})`, () => go.item(c)) : node_link(c, go)),
      ),
    ),
  );
  return parts;
}

// ---- weights

function histogram(h, label) {
  const svg = (tag, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  };
  const n = h.counts.length;
  const most = Math.max(...h.counts);
  const chart = svg("svg", {
    class: "histogram",
    viewBox: `0 0 ${n * 10} 90`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": label,
  });
  h.counts.forEach((c, i) => {
    const tall = c ? Math.max(1, (c / most) * 88) : 0;
    const bar = svg("rect", { x: i * 10 + 0.5, y: 90 - tall, width: 9, height: tall });
    const title = svg("title", {});
    title.textContent = `${number_text(h.begin + i * h.width)} … ${number_text(h.begin + (i + 1) * h.width)}: ${c}`;
    bar.append(title);
    chart.append(bar);
  });
  return chart;
}

export function weight_details(w, go) {
  const parts = [
    make("h2", {}, w.name),
    facts([
      ["Type", make("code", {}, w.type)],
      ["Elements", String(w.elements)],
      ["Bytes", size_text(w.bytes)],
      ["File", w.file],
    ]),
  ];
  if (w.content) parts.push(make("h3", {}, "Elements"), make("code", {}, w.content.join(", ")));
  if (w.least !== undefined)
    parts.push(
      facts([
        ["Least", number_text(w.least)],
        ["Greatest", number_text(w.greatest)],
        ["Mean", number_text(w.mean)],
        ["Zeros", String(w.zeros)],
        ["NaN", w.nans],
        ["Infinite", w.infinities],
      ]),
    );
  if (w.histogram) {
    const end = w.histogram.begin + w.histogram.counts.length * w.histogram.width;
    parts.push(
      make("h3", {}, "How its elements are distributed"),
      histogram(w.histogram, `Histogram of ${w.name} from ${number_text(w.histogram.begin)} to ${number_text(end)}`),
    );
    parts.push(
      make(
        "div",
        { class: "soft", style: { display: "flex", justifyContent: "space-between" } },
        make("span", {}, number_text(w.histogram.begin)),
        make("span", {}, number_text(end)),
      ),
    );
  }
  parts.push(
    make("h3", {}, "Read by"),
    make(
      "ul",
      { class: "plain" },
      w.value.users.slice(0, most_rows).map((u) => make("li", {}, node_link(u, go))),
    ),
  );
  return parts;
}

export function weights(model, go) {
  const sorted = [...model.weights].sort((a, b) => b.bytes - a.bytes);
  const total = sorted.reduce((sum, w) => sum + w.bytes, 0);
  const parts = [make("h2", {}, `${sorted.length} weights and constants, ${size_text(total)}`)];
  parts.push(
    table(
      ["name", "type", "bytes"],
      sorted
        .slice(0, most_rows)
        .map((w) => [link(w.name, () => go.item(w)), make("code", {}, w.type), size_text(w.bytes)]),
      [2],
    ),
  );
  if (sorted.length > most_rows)
    parts.push(make("p", { class: "soft" }, `The largest ${most_rows}; search finds the others.`));
  return parts;
}

// ---- costs

const metrics = {
  FLOPs: ["flops", count_text],
  "Bytes read and written": ["bytes", size_text],
  "Bytes of weights": ["weight_bytes", size_text],
  Nodes: ["count", count_text],
};

/** The outermost scope whose cost is not due to a single scope in it. */
function first_divided(scope, key) {
  const only = scope.children.find((c) => c.kind === "group" && c[key] === scope[key]);
  return only && scope[key] > 0 ? first_divided(only, key) : scope;
}

export function costs(model, go, state) {
  const [key, text] = metrics[state.metric ?? "FLOPs"];
  const scope = state.scope ?? first_divided(model.root, key);
  const again = (change) => {
    Object.assign(state, change);
    go.tab("Cost");
  };
  const choose = make(
    "select",
    { "aria-label": "What is shown", onchange: (e) => again({ metric: e.target.value }) },
    Object.keys(metrics).map((m) => make("option", { selected: m === (state.metric ?? "FLOPs") }, m)),
  );
  const parts = [make("h2", {}, "Where time and memory go"), make("p", {}, choose)];
  parts.push(
    make(
      "nav",
      { class: "crumbs", "aria-label": "Scopes" },
      [...scopes_of(scope), scope].map((g, i) => [i ? " / " : "", link(g.name, () => again({ scope: g }))]),
    ),
  );
  parts.push(
    treemap(scope, key, text, (child) =>
      child.kind === "group" && child.children.length ? again({ scope: child }) : go.item(child),
    ),
  );
  const unknown = model.nodes.filter((n) => !n.known_cost).length;
  const symbolic = model.nodes.some((n) => n.symbolic) ? ", symbolic dims as 1" : "";
  const without = unknown ? `; the extents of ${counted(unknown, "node")} are not known` : "";
  parts.push(make("p", { class: "soft" }, `By formula: bodies of loops count once${symbolic}${without}.`));
  const largest = nodes_in(scope)
    .filter((n) => n[key] > 0)
    .sort((a, b) => b[key] - a[key])
    .slice(0, 20);
  parts.push(
    make("h3", {}, "Largest nodes"),
    table(
      ["node", state.metric ?? "FLOPs"],
      largest.map((n) => [node_link(n, go), text(n[key])]),
      [1],
    ),
  );
  return parts;
}

// ---- changes

const effect = (a, b) => (a && b ? "changed" : a ? "gone" : "new");
const text_of = (value) => (value === undefined ? "" : String(value));

/** A list of differing pairs. `tell` describes a node or weight, `label` is the text of its link. */
function change_list(title, pairs, go, label, tell) {
  if (!pairs.length) return null;
  const entry = ([a, b]) =>
    make(
      "li",
      {},
      make("strong", { class: effect(a, b) }, effect(a, b)),
      " ",
      link(label(b ?? a), () => go.item(b ?? a)),
      make("br"),
      make("span", { class: "soft" }, a && b ? `${tell(a)} → ${tell(b)}` : tell(a ?? b)),
    );
  const more = pairs.length > most_rows ? make("p", { class: "soft" }, `and ${pairs.length - most_rows} more`) : null;
  return [
    make("h3", {}, `${title}: ${pairs.length}`),
    make("ul", { class: "plain" }, pairs.slice(0, most_rows).map(entry)),
    more,
  ];
}

export function changes(comparison, go) {
  const { before, nodes, weights } = comparison;
  const rows = (title, list) =>
    list.length
      ? [
          make("h3", {}, title),
          table(
            ["name", "before", "after"],
            list.map(([name, a, b]) => [make("code", {}, name), text_of(a), text_of(b)]),
          ),
        ]
      : null;
  const types = (outputs) => outputs.map((v) => v?.type ?? "–").join(", ");
  const parts = [
    rows("Totals", comparison.totals),
    rows("Inputs", comparison.inputs),
    rows("Outputs", comparison.outputs),
    rows("Operators", comparison.operators),
    change_list(
      "Nodes",
      nodes,
      go,
      (n) => n.name,
      (n) => `${n.op} ${types(n.outputs)}`,
    ),
    change_list(
      "Weights",
      weights,
      go,
      (w) => w.name,
      (w) => {
        const mean = w.mean === undefined ? "" : ` of mean ${number_text(w.mean)}`;
        return w.type + (w.content ? ` ${w.content.join(", ")}` : mean);
      },
    ),
  ];
  return [
    make("h2", {}, `Changes from ${before.report.input}`),
    parts.some(Boolean) ? parts : make("p", {}, "Nothing differs."),
  ];
}

// ---- rewrites and problems

export function rewrites(model) {
  const rules = model.report.graph.rules;
  return [
    make("h2", {}, "Rewrite rules that matched"),
    table(
      ["rule", "applied", "declined because"],
      rules.map((r) => [make("code", {}, r.rule), String(r.applied), r.declined.join("; ")]),
      [1],
    ),
  ];
}

export function problems(model, go) {
  const list = model.report.problems;
  if (!list.length) return [make("h2", {}, "No problems")];
  return [
    make("h2", {}, `${list.length} ${list.length === 1 ? "problem" : "problems"}`),
    make(
      "ul",
      { class: "plain" },
      list.map((p) =>
        make(
          "li",
          { class: "entry" },
          make(
            "p",
            {},
            make("strong", { class: p.level }, p.level),
            " ",
            make("code", {}, p.code),
            " ",
            p.line ? line_link(p.line, p.end_line ?? p.line, go) : null,
            make("br"),
            p.message,
            p.help ? [make("br"), make("span", { class: "help" }, p.help)] : null,
            (p.notes ?? []).map((n) => [make("br"), n.message, " ", n.line ? line_link(n.line, n.line, go) : null]),
          ),
        ),
      ),
    ),
  ];
}
