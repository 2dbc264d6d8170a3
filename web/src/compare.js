// SPDX-License-Identifier: Apache-2.0
// The differences between two reports. As in --report-diff, nodes, weights, inputs and outputs are compared by name.

/** A node's operator, attributes and result types. Bodies are compared by the nodes in them. */
const signature = (node) =>
  JSON.stringify([node.op, node.domain, node.attributes, node.outputs.map((v) => v?.type)], (_, value) =>
    value?.block === undefined ? value : "a body",
  );
/** The type of a weight, and its numbers or a summary of them. Different numbers can have the same summary. */
const content = (w) => JSON.stringify([w.type, w.content, w.least, w.greatest, w.mean]);

const by_name = (list) => new Map(list.map((item) => [item.name, item]));

/** Pairs [before, after] of items that differ. If a report lacks an item, that side of the pair is undefined. */
function differing(before, after, key) {
  const [old_ones, new_ones] = [by_name(before), by_name(after)];
  const pairs = [];
  for (const [name, item] of old_ones)
    if (!new_ones.has(name) || key(item) !== key(new_ones.get(name))) pairs.push([item, new_ones.get(name)]);
  for (const [name, item] of new_ones) if (!old_ones.has(name)) pairs.push([undefined, item]);
  return pairs;
}

/** Counts, for every scope, the nodes in it that differ. */
function count_changes(group) {
  group.changes = group.node?.change ? 1 : 0;
  for (const child of group.children)
    group.changes += child.kind === "group" ? count_changes(child) : child.change ? 1 : 0;
  return group.changes;
}

const totals = (model) => {
  const m = model.report.model;
  return {
    Converter: model.report.converter,
    Opset: m.opset,
    "IR version": m.ir_version,
    Equations: m.equations,
    Nodes: m.nodes,
    "Bytes of the model": m.bytes.model,
    "Bytes of weights": m.weights.bytes,
    FLOPs: model.root.flops,
  };
};
const types = (side) => (model) => Object.fromEntries(model.report.model[side].map((v) => [v.name, v.type]));

/** Rows [name, before, after] of the differences between the objects that `of` makes from two models. */
function rows(of, before, after) {
  const [a, b] = [of(before), of(after)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name] !== b[name])
    .map((name) => [name, a[name], b[name]]);
}

/** Compares two models of read_report(). Marks nodes as "new", "gone" or "changed", and counts them in each scope. */
export function compare(before, after) {
  const nodes = differing(before.nodes, after.nodes, signature);
  for (const [a, b] of nodes)
    if (a && b) a.change = b.change = "changed";
    else if (a) a.change = "gone";
    else b.change = "new";
  count_changes(before.root);
  count_changes(after.root);
  const counterparts = new Map();
  const [old_ones, new_ones] = [by_name(before.nodes), by_name(after.nodes)];
  for (const [name, node] of old_ones)
    if (new_ones.has(name)) counterparts.set(node, new_ones.get(name)).set(new_ones.get(name), node);
  return {
    before,
    nodes,
    counterparts,
    weights: differing(before.weights, after.weights, content),
    totals: rows(totals, before, after),
    inputs: rows(types("inputs"), before, after),
    outputs: rows(types("outputs"), before, after),
    operators: rows((model) => model.report.model.operators ?? {}, before, after),
  };
}

/** The report in the content of a file of --report=FILE.json or FILE.html. Throws an error for any other content. */
export function report_in(text) {
  const data = text.trimStart().startsWith("<")
    ? new DOMParser().parseFromString(text, "text/html").getElementById("data")?.textContent
    : text;
  const report = JSON.parse(data ?? "null");
  if (report?.format !== 1) throw new Error("is not a report of --report=FILE.json or FILE.html");
  if (!report.graph) throw new Error("is the report of a conversion that failed");
  return report;
}
