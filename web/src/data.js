// SPDX-License-Identifier: Apache-2.0
// The report in the form that the page uses: nodes with their neighbours, the tree of scopes, the nodes of each line.

const most_children = 120; // if a scope has more children, they are divided into groups, in the order of the model

/** The scopes and calls around an equation, outermost first, as {key, name}. */
function steps_of(equations, number, known) {
  if (number === undefined) return [];
  if (known[number]) return known[number];
  const equation = equations[number];
  const steps = [...steps_of(equations, equation.caller, known)];
  if (equation.caller !== undefined) {
    const caller = equations[equation.caller];
    const name = caller.calls ?? caller.primitive;
    if (name) steps.push({ key: `call ${equation.caller}`, name });
  }
  for (const name of (equation.scope ?? "").split("/")) if (name) steps.push({ key: `scope ${name}`, name });
  known[number] = steps;
  return steps;
}

function new_group(name, parent, node) {
  return {
    kind: "group",
    name,
    parent,
    node,
    children: [],
    by_key: new Map(),
    open: false,
    count: 0,
    flops: 0,
    bytes: 0,
    weight_bytes: 0,
  };
}

function child_group(parent, step) {
  let group = parent.by_key.get(step.key);
  if (!group) {
    group = new_group(step.name, parent);
    parent.by_key.set(step.key, group);
    parent.children.push(group);
  }
  return group;
}

/** If a scope in `group`, at any depth, contains nothing except one other scope, merges the two scopes. */
function join_single(group) {
  for (let i = 0; i < group.children.length; ++i) {
    let child = group.children[i];
    if (child.kind !== "group") continue;
    while (
      !child.node &&
      child.children.length === 1 &&
      child.children[0].kind === "group" &&
      !child.children[0].node
    ) {
      const only = child.children[0];
      only.name = `${child.name}/${only.name}`;
      only.parent = group;
      group.children[i] = child = only;
    }
    join_single(child);
  }
}

function divide(group) {
  for (const child of group.children) if (child.kind === "group") divide(child);
  while (group.children.length > most_children) {
    const size = Math.max(60, Math.ceil(group.children.length / most_children));
    const parts = [];
    for (let i = 0; i < group.children.length; i += size) {
      const children = group.children.slice(i, i + size);
      const part = new_group(`${children[0].name} … ${children.at(-1).name}`, group);
      part.part = true;
      part.children = children;
      for (const child of children) child.parent = part;
      parts.push(part);
    }
    group.children = parts;
  }
}

function sum_up(group) {
  for (const child of group.children) {
    if (child.kind === "group") sum_up(child);
    group.count += child.count;
    group.flops += child.flops;
    group.bytes += child.bytes;
    group.weight_bytes += child.weight_bytes;
  }
  const own = group.node;
  if (!own) return;
  group.count += 1;
  group.flops += own.flops;
  group.bytes += own.bytes;
}

/**
 * Reads a report into the model that the page shows.
 * @param report the JSON of jax2onnx --report=FILE.json
 */
export function read_report(report) {
  const graph = report.graph;
  const model = { report, nodes: [], values: [], weights: [], root: new_group("model", null), edges: [] };
  model.root.open = true;
  const closer = (line) => line.replace(/ {4,}# /, "    # "); // JAX puts all comments right of the longest line
  model.lines = (report.source?.text ?? "").split("\n").map(closer);
  model.equations = graph?.equations ?? [];
  model.by_line = [];
  if (!graph) return model;

  model.values = graph.values.map((v) => ({ ...v, type: graph.types[v.type], users: [], from: null }));
  model.weights = graph.weights.map((w, number) => ({
    ...w,
    kind: "weight",
    number,
    name: model.values[w.value].name,
    type: model.values[w.value].type,
    value: model.values[w.value],
  }));
  for (const w of model.weights) w.value.weight = w;
  const known = [];
  const group_of_block = [model.root];

  const terminal = (value, name, op) => {
    const leaf = {
      kind: op,
      name,
      op,
      value,
      parent: model.root,
      inputs: [],
      outputs: [],
      count: 0,
      flops: 0,
      bytes: 0,
      weight_bytes: 0,
    };
    model.root.children.push(leaf);
    return leaf;
  };
  for (const v of graph.blocks[0].inputs)
    model.values[v].from = terminal(model.values[v], model.values[v].name, "input");
  const inner = new Map(); // blocks by the node that owns them
  for (const [i, b] of graph.blocks.entries())
    if (b.node !== undefined) inner.set(b.node, [...(inner.get(b.node) ?? []), i]);

  graph.nodes.forEach((n, number) => {
    const node = {
      ...n,
      kind: "node",
      number,
      count: 1,
      flops: n.flops ?? 0,
      bytes: n.bytes ?? 0,
      known_cost: n.flops !== undefined,
      weight_bytes: 0,
      inputs: n.inputs.map((v) => (v === null ? null : model.values[v])),
      outputs: n.outputs.map((v) => (v === null ? null : model.values[v])),
    };
    node.steps = steps_of(model.equations, n.equation, known);
    const around = group_of_block[n.block] ?? model.root;
    let scope = around;
    // In a body, skip the steps that the owner of the body has as well.
    const owner = around.owner_steps ?? [];
    let shared = 0;
    while (shared < owner.length && owner[shared].key === node.steps[shared]?.key) ++shared;
    for (const step of node.steps.slice(shared)) scope = child_group(scope, step);
    node.parent = scope;
    if (inner.has(number)) {
      const group = new_group(`${n.op} ${n.name}`, scope, node);
      group.owner_steps = node.steps;
      node.box = group;
      scope.children.push(group);
      for (const b of inner.get(number)) {
        group_of_block[b] = new_group(graph.blocks[b].attribute, group);
        group_of_block[b].owner_steps = node.steps;
        group.children.push(group_of_block[b]);
      }
    } else scope.children.push(node);
    for (const v of node.inputs) if (v) v.users.push(node);
    for (const v of node.outputs) if (v) v.from = node;
    for (const v of node.inputs) if (v?.weight && v.users[0] === node) node.weight_bytes += v.weight.bytes;
    model.nodes.push(node);
  });
  for (const o of graph.blocks[0].outputs) {
    const leaf = terminal(model.values[o.value], o.name, "output");
    leaf.inputs = [model.values[o.value]];
    model.values[o.value].users.push(leaf);
  }
  join_single(model.root);
  divide(model.root);
  sum_up(model.root);
  model.edges = edges_of(model);
  model.by_line = nodes_by_line(model);
  return model;
}

/** The box of a node in the picture if all scopes around it are open. */
export const box_of = (node) => node.box ?? node;

function edges_of(model) {
  const edges = [];
  for (const value of model.values) {
    if (!value.from) continue;
    for (const user of new Set(value.users)) edges.push({ from: box_of(value.from), to: box_of(user), value });
  }
  return edges;
}

/** For each line, the nodes of the innermost equation that covers the line. */
function nodes_by_line(model) {
  const spans = new Map();
  for (const node of model.nodes) {
    if (node.equation === undefined) continue;
    const e = model.equations[node.equation];
    const key = `${e.line} ${e.end_line}`;
    if (!spans.has(key)) spans.set(key, { line: e.line, end: e.end_line, nodes: [] });
    spans.get(key).nodes.push(node);
  }
  const lines = [];
  for (const span of [...spans.values()].sort((a, b) => b.end - b.line - (a.end - a.line)))
    for (let line = span.line; line <= span.end; ++line) lines[line] = span.nodes;
  return lines;
}

/** The scopes around an item, outermost first. */
export function scopes_of(item) {
  const scopes = [];
  for (let g = item.parent; g; g = g.parent) scopes.unshift(g);
  return scopes;
}

export function nodes_in(group) {
  const nodes = group.node ? [group.node] : [];
  for (const child of group.children)
    if (child.kind === "group") nodes.push(...nodes_in(child));
    else if (child.kind === "node") nodes.push(child);
  return nodes;
}
