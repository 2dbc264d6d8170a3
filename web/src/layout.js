// SPDX-License-Identifier: Apache-2.0
// Places boxes. Every open scope is laid out separately, as one box of the scope around it; unchanged scopes keep their
// layout.
import { layout as dagre_layout, Graph } from "@dagrejs/dagre";

const width_of = (text) => Math.min(260, Math.max(70, text.length * 7.2 + 22));
const header = 26;
const margin = 14;

export const label_of = (item) => (item.kind === "node" ? item.op : item.name);

function measure(item) {
  const label = item.kind === "group" ? `${item.name} (${item.count})` : label_of(item);
  item.width = width_of(label);
  item.height = item.kind === "group" ? 36 : 28;
}

/** The two children of the innermost common scope that contain a and b; null if one of the boxes contains the other. */
function siblings(a, b) {
  const up = new Set();
  for (let g = a; g; g = g.parent) up.add(g);
  let inner = b;
  while (inner && !up.has(inner.parent)) inner = inner.parent;
  if (!inner || up.has(inner)) return null;
  let outer = a;
  while (outer.parent !== inner.parent) outer = outer.parent;
  return [outer, inner];
}

/** Records for each scope which of its children are connected. Call this function once for each model. */
export function connect(model) {
  const seen = new Map();
  for (const edge of model.edges) {
    const pair = siblings(edge.from, edge.to);
    if (!pair) continue;
    const [from, to] = pair;
    const scope = from.parent;
    scope.links ??= [];
    if (!seen.has(from)) seen.set(from, new Map());
    const ends = seen.get(from);
    if (!ends.has(to)) {
      const link = { from, to, points: [] };
      ends.set(to, link);
      scope.links.push(link);
    }
    edge.link = ends.get(to);
  }
}

function place(scope) {
  for (const child of scope.children) {
    if (child.kind === "group" && child.open) arrange(child);
    else measure(child);
  }
  const g = new Graph();
  g.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 30, marginx: margin, marginy: margin, ranker: "longest-path" });
  g.setDefaultEdgeLabel(() => ({}));
  scope.children.forEach((child, i) => {
    child.place = String(i);
    g.setNode(child.place, { width: child.width, height: child.height });
  });
  for (const link of scope.links ?? []) g.setEdge(link.from.place, link.to.place, {});
  dagre_layout(g);
  for (const child of scope.children) {
    const at = g.node(child.place);
    child.dx = at.x - child.width / 2;
    child.dy = at.y - child.height / 2 + header;
  }
  for (const link of scope.links ?? [])
    link.points = (g.edge(link.from.place, link.to.place).points ?? []).map((p) => ({ x: p.x, y: p.y + header }));
  const { width, height } = g.graph();
  scope.width = Math.max(width || 0, width_of(scope.name), 80);
  scope.height = (height || 0) + header;
}

/** Lays out an open scope and the open scopes in it, as far as they have changed. */
export function arrange(scope) {
  if (scope.arranged) return;
  place(scope);
  scope.arranged = true;
}

/** Marks `scope` and the scopes around it for a new layout, after `scope` or a scope in it was opened or closed. */
export function invalidate(scope) {
  for (let g = scope; g; g = g.parent) g.arranged = false;
}

/** All visible boxes with their absolute positions, outer boxes first, and the lines between the boxes. */
export function visible(model) {
  const boxes = [];
  const visit = (scope, x, y) => {
    for (const child of scope.children) {
      child.x = x + child.dx;
      child.y = y + child.dy;
      child.shown = model.stamp;
      boxes.push(child);
      if (child.kind === "group" && child.open) visit(child, child.x, child.y);
    }
  };
  model.stamp = (model.stamp ?? 0) + 1;
  arrange(model.root);
  model.root.x = 0;
  model.root.y = -header;
  visit(model.root, 0, -header);
  return { boxes, lines: lines_of(model) };
}

/** The box in which the end `item` of an edge is drawn: the outermost closed scope around it, or the item itself. */
export function shown_as(item) {
  let seen = item;
  for (let g = item; g; g = g.parent) if (g.parent && !g.parent.open) seen = g.parent;
  return seen;
}

function lines_of(model) {
  const lines = new Map();
  const seen = new Map();
  const see = (item) => {
    if (!seen.has(item)) seen.set(item, shown_as(item));
    return seen.get(item);
  };
  const number = new Map();
  const id = (item) => {
    if (!number.has(item)) number.set(item, number.size);
    return number.get(item);
  };
  for (const edge of model.edges) {
    const from = see(edge.from);
    const to = see(edge.to);
    if (from === to || !edge.link || from.shown !== model.stamp || to.shown !== model.stamp) continue;
    const key = id(from) * 1e7 + id(to);
    if (!lines.has(key)) lines.set(key, line(from, to, edge.link));
  }
  return [...lines.values()];
}

function line(from, to, link) {
  const scope = link.from.parent;
  const points = link.points.map((p) => ({ x: scope.x + p.x, y: scope.y + p.y }));
  if (link.from !== from) points.unshift({ x: from.x + from.width / 2, y: from.y + from.height });
  if (link.to !== to) points.push({ x: to.x + to.width / 2, y: to.y });
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return {
    from,
    to,
    points,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}
