// SPDX-License-Identifier: Apache-2.0
// Shows where time and memory go: a squarified treemap of one scope.
import { make } from "./dom.js";
import { hue } from "./view.js";

/** Rectangles with areas in proportion to the sizes. A row ends if another item would worsen its worst aspect ratio. */
export function squarify(items, x, y, width, height) {
  const total = items.reduce((sum, i) => sum + i.size, 0);
  const out = [];
  if (total <= 0) return out;
  const scale = (width * height) / total;
  const rest = [...items].sort((a, b) => b.size - a.size);
  while (rest.length) {
    const side = Math.min(width, height);
    const row = [];
    let area = 0;
    const worst = (list, sum) =>
      Math.max(
        ...list.map((i) =>
          Math.max((side * side * i.size * scale) / (sum * sum), (sum * sum) / (side * side * i.size * scale)),
        ),
      );
    while (rest.length) {
      const next = rest[0].size * scale;
      if (row.length && worst([...row, rest[0]], area + next) > worst(row, area)) break;
      row.push(rest.shift());
      area += next;
    }
    const thick = area / side;
    let at = 0;
    for (const item of row) {
      const long = (item.size * scale) / thick;
      out.push(
        width >= height
          ? { item, x, y: y + at, width: thick, height: long }
          : { item, x: x + at, y, width: long, height: thick },
      );
      at += long;
    }
    if (width >= height) {
      x += thick;
      width -= thick;
    } else {
      y += thick;
      height -= thick;
    }
  }
  return out;
}

/** The treemap of a scope by the cost `key`. `text(size)` prints an amount; a click calls `open(item)`. */
export function treemap(scope, key, text, open) {
  const items = scope.children.map((child) => ({ child, size: child[key] ?? 0 })).filter((i) => i.size > 0);
  if (scope.node?.[key]) items.push({ child: scope.node, size: scope.node[key] });
  const total = items.reduce((sum, i) => sum + i.size, 0);
  const place = make("div", { class: "treemap", role: "group", "aria-label": `Shares of ${scope.name}` });
  for (const r of squarify(items, 0, 0, 100, 100)) {
    const { child, size } = r.item;
    const name = child.kind === "group" ? child.name : `${child.op} ${child.name}`;
    const label = `${name}: ${text(size)}, ${((100 * size) / total).toFixed(1)} %`;
    const style = {
      left: `${r.x}%`,
      top: `${r.y}%`,
      width: `${r.width}%`,
      height: `${r.height}%`,
      background: `hsl(${hue(child.kind === "group" ? child.name : child.op)} 55% 78%)`,
    };
    place.append(
      make(
        "button",
        { style, title: label, "aria-label": label, onclick: () => open(child) },
        r.width > 9 && r.height > 6 ? label : "",
      ),
    );
  }
  if (!items.length) place.append(make("p", { class: "soft" }, "Nothing is known of this."));
  return place;
}
