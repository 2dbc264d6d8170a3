// SPDX-License-Identifier: Apache-2.0
// The picture: a canvas that can be moved and zoomed. Only visible parts are drawn.
import { invalidate, label_of, visible } from "./layout.js";

const least_scale = 0.002;
const most_scale = 4;
const least_height = 0.4; // the least height of a box, in pixels
const font = "13px system-ui, sans-serif";

/** A colour for each operator. The hue is derived from the name, so that it is the same in every report. */
const hues = new Map();
export function hue(name) {
  if (!hues.has(name)) {
    let h = 0;
    for (const c of name) h = (h * 31 + c.charCodeAt(0)) % 3600;
    hues.set(name, h / 10);
  }
  return hues.get(name);
}

export class View {
  /** `on_select(item)` is called on clicks; null for the background. */
  constructor(canvas, model, on_select) {
    this.canvas = canvas;
    this.model = model;
    this.on_select = on_select;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.selected = null;
    this.found = new Set();
    this.frames = 0;
    this.context = canvas.getContext("2d");
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.listen();
    this.update();
  }

  // ---- contents

  /** Lays out the open scopes. */
  update() {
    const { boxes, lines } = visible(this.model);
    this.boxes = boxes;
    this.lines = lines;
    this.draw();
  }
  set_open(group, open) {
    if (!group.parent || group.open === open) return;
    const before = { x: group.x, y: group.y };
    group.open = open;
    group.arranged = false;
    invalidate(group.parent);
    this.update();
    if (group.shown !== this.model.stamp) return;
    this.x += (group.x - before.x) * this.scale; // the clicked box keeps its position
    this.y += (group.y - before.y) * this.scale;
    this.draw();
  }
  set_all(open) {
    const visit = (group) => {
      for (const child of group.children) {
        if (child.kind !== "group") continue;
        child.open = open;
        child.arranged = false;
        visit(child);
      }
    };
    visit(this.model.root);
    this.model.root.arranged = false;
    this.update();
    this.fit();
  }
  /** Opens outer scopes first. Once there are six boxes, opens no scope that would make more than `most` boxes. */
  open_some(most) {
    const least = 6;
    let level = this.model.root.children.filter((c) => c.kind === "group");
    let shown = this.model.root.children.length;
    while (level.length) {
      const next = [];
      for (const group of level) {
        if (shown >= least && shown + group.children.length - 1 > most) continue;
        group.open = true;
        shown += group.children.length - 1;
        next.push(...group.children.filter((c) => c.kind === "group"));
      }
      level = next;
    }
    this.model.root.arranged = false;
    this.update();
    this.fit();
  }
  /** Opens all scopes around an item and centres the item. */
  show(item) {
    let opened = false;
    for (let g = item.parent; g; g = g.parent) {
      if (g.open) continue;
      g.open = true;
      g.arranged = false;
      opened = true;
    }
    if (opened) {
      invalidate(item.parent);
      this.update();
    }
    this.scale = Math.max(this.scale, item.kind === "group" && item.open ? this.scale : 0.7);
    const { width, height } = this.size();
    this.x = width / 2 - (item.x + item.width / 2) * this.scale;
    this.y = height / 2 - (item.y + Math.min(item.height / 2, height / 2 / this.scale)) * this.scale;
    this.draw();
  }
  select(item) {
    this.selected = item;
    this.draw();
  }
  mark(items) {
    this.found = new Set(items);
    this.draw();
  }
  fit() {
    const { width, height } = this.size();
    const { width: w, height: h } = this.model.root;
    this.scale = Math.min(1.2, Math.max(least_scale, Math.min((width - 40) / w, (height - 40) / h)));
    this.x = (width - w * this.scale) / 2;
    this.y = (height - h * this.scale) / 2 + 8;
    this.draw();
  }

  // ---- drawing

  size() {
    return { width: this.canvas.clientWidth || 800, height: this.canvas.clientHeight || 600 };
  }
  resize() {
    const { width, height } = this.size();
    const ratio = window.devicePixelRatio || 1;
    const first = !this.sized;
    this.sized = true;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    if (first) this.fit();
    this.paint();
  }
  colors() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(`--${name}`).trim();
    this.theme = {
      back: get("back"),
      ink: get("ink"),
      soft: get("soft"),
      line: get("line"),
      group: get("group"),
      box: get("box"),
      edge: get("edge"),
      accent: get("accent"),
      mark: get("mark"),
      new: get("new"),
      gone: get("gone"),
      changed: get("changed"),
      dark: document.documentElement.dataset.theme === "dark",
    };
  }
  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.paint();
    });
  }
  paint() {
    if (!this.theme) this.colors();
    const c = this.context;
    const { width, height } = this.size();
    const ratio = window.devicePixelRatio || 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = this.theme.back;
    c.fillRect(0, 0, width, height);
    c.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.x, ratio * this.y);
    const sight = { left: -this.x / this.scale, top: -this.y / this.scale };
    sight.right = sight.left + width / this.scale;
    sight.bottom = sight.top + height / this.scale;
    const groups = this.boxes.filter((b) => b.kind === "group" && b.open && this.in_sight(b, sight));
    for (const group of groups) this.paint_group(c, group);
    this.paint_lines(c, sight);
    for (const box of this.boxes)
      if (!(box.kind === "group" && box.open) && this.in_sight(box, sight)) this.paint_box(c, box);
    ++this.frames;
  }
  /** Returns whether a box is in sight and large enough to be seen; found and selected boxes count as large enough. */
  in_sight(b, s) {
    const seen = b.height * this.scale > least_height || this.found.has(b) || this.selected === b;
    return seen && b.x < s.right && b.x + b.width > s.left && b.y < s.bottom && b.y + b.height > s.top;
  }
  paint_group(c, g) {
    c.fillStyle = this.theme.group;
    c.fillRect(g.x, g.y, g.width, g.height);
    c.lineWidth = (this.selected === g ? 2.5 : 1) / Math.min(1, this.scale * 2);
    c.strokeStyle = this.selected === g ? this.theme.accent : this.found.has(g) ? "#e0a800" : this.theme.line;
    c.strokeRect(g.x, g.y, g.width, g.height);
    if (this.scale * 13 > 5) this.text(c, g.name, g.x + 8, g.y + 14, g.width - 16, this.theme.soft, "left");
  }
  text(c, text, x, y, room, color, align) {
    c.font = font;
    c.textBaseline = "middle";
    c.textAlign = align;
    c.fillStyle = color;
    const most = Math.max(1, Math.floor(room / 6.6));
    c.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text, x, y);
  }
  paint_box(c, b) {
    const closed = b.kind === "group";
    const name = closed ? b.name.replace(/\d+/g, "") : b.op;
    const chosen = this.selected === b || (closed && this.selected?.box === b);
    c.fillStyle = closed
      ? this.theme.group
      : b.kind === "node"
        ? `hsl(${hue(name)} ${this.theme.dark ? "35% 27%" : "65% 88%"})`
        : this.theme.box;
    if (b.height * this.scale < 5) {
      if (this.change_of(b)) c.fillStyle = this.theme[this.change_of(b)];
      if (this.found.has(b)) c.fillStyle = "#e0a800";
      if (chosen) c.fillStyle = this.theme.accent;
      c.fillRect(b.x, b.y, b.width, b.height);
      return;
    }
    c.beginPath();
    c.roundRect(b.x, b.y, b.width, b.height, b.kind === "node" ? 5 : closed ? 3 : 14);
    c.fill();
    const change = this.change_of(b);
    c.lineWidth = chosen || change || this.found.has(b) ? 3 : 1;
    c.strokeStyle = chosen
      ? this.theme.accent
      : this.found.has(b)
        ? "#e0a800"
        : change
          ? this.theme[change]
          : this.theme.edge;
    c.setLineDash(change === "gone" ? [6, 3] : []);
    c.stroke();
    c.setLineDash([]);
    if (this.scale * 13 < 5) return;
    const label = closed ? `${b.name} (${b.count})` : label_of(b);
    this.text(c, label, b.x + b.width / 2, b.y + b.height / 2 + 0.5, b.width - 10, this.theme.ink, "center");
  }
  /** The change of a box from the other report: "new", "gone", "changed", or a false value. */
  change_of(b) {
    return b.kind === "group" ? b.changes > 0 && "changed" : b.change;
  }
  paint_lines(c, s) {
    const bright = [];
    const { selected } = this;
    c.lineWidth = Math.max(1, 0.5 / this.scale);
    c.strokeStyle = this.theme.edge;
    c.beginPath();
    for (const l of this.lines) {
      if (l.left > s.right || l.right < s.left || l.top > s.bottom || l.bottom < s.top) continue;
      if ((l.bottom - l.top) * this.scale < 1) continue;
      if (selected && (l.from === selected || l.to === selected)) bright.push(l);
      else this.trace(c, l);
    }
    c.stroke();
    c.lineWidth = Math.max(2, 1.2 / this.scale);
    c.strokeStyle = this.theme.accent;
    c.beginPath();
    for (const l of bright) this.trace(c, l);
    c.stroke();
    if (this.scale > 0.35)
      for (const l of this.lines)
        if (l.to.x < s.right && l.to.x + l.to.width > s.left && l.bottom < s.bottom && l.bottom > s.top)
          this.arrow(c, l, bright.includes(l));
  }
  trace(c, l) {
    const p = l.points;
    if (p.length < 2) return;
    c.moveTo(p[0].x, p[0].y);
    if (this.scale < 0.15) {
      c.lineTo(p.at(-1).x, p.at(-1).y);
      return;
    }
    for (let i = 1; i + 1 < p.length; ++i)
      c.quadraticCurveTo(p[i].x, p[i].y, (p[i].x + p[i + 1].x) / 2, (p[i].y + p[i + 1].y) / 2);
    c.lineTo(p.at(-1).x, p.at(-1).y);
  }
  arrow(c, l, bright) {
    const end = l.points.at(-1);
    const before = l.points.at(-2) ?? end;
    const angle = Math.atan2(end.y - before.y, end.x - before.x);
    c.fillStyle = bright ? this.theme.accent : this.theme.edge;
    c.beginPath();
    c.moveTo(end.x, end.y);
    for (const side of [-0.45, 0.45]) c.lineTo(end.x - 7 * Math.cos(angle + side), end.y - 7 * Math.sin(angle + side));
    c.fill();
  }

  // ---- input

  /** The innermost box at a position on the canvas. */
  at(px, py) {
    const x = (px - this.x) / this.scale;
    const y = (py - this.y) / this.scale;
    for (let i = this.boxes.length - 1; i >= 0; --i) {
      const b = this.boxes[i];
      if (x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height) return b;
    }
    return null;
  }
  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }
  zoom(factor, px = this.size().width / 2, py = this.size().height / 2) {
    const scale = Math.min(most_scale, Math.max(least_scale, this.scale * factor));
    this.x = px - ((px - this.x) * scale) / this.scale;
    this.y = py - ((py - this.y) * scale) / this.scale;
    this.scale = scale;
    this.draw();
  }
  listen() {
    const { canvas } = this;
    const pointers = new Map();
    let moved = 0;
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.offsetX, e.offsetY);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (e) => {
      pointers.set(e.pointerId, e);
      canvas.setPointerCapture(e.pointerId);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (e) => {
      const last = pointers.get(e.pointerId);
      if (!last) return;
      if (pointers.size === 2) {
        const other = [...pointers.values()].find((p) => p.pointerId !== e.pointerId);
        const apart = (p) => Math.hypot(p.offsetX - other.offsetX, p.offsetY - other.offsetY);
        this.zoom(apart(e) / Math.max(1, apart(last)), other.offsetX, other.offsetY);
      } else this.move(e.offsetX - last.offsetX, e.offsetY - last.offsetY);
      moved += Math.abs(e.offsetX - last.offsetX) + Math.abs(e.offsetY - last.offsetY);
      pointers.set(e.pointerId, e);
    });
    const up = (e) => {
      if (pointers.delete(e.pointerId) && e.type === "pointerup" && moved < 4)
        this.on_select(this.at(e.offsetX, e.offsetY));
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("dblclick", (e) => {
      const box = this.at(e.offsetX, e.offsetY);
      if (box?.kind === "group") this.set_open(box, !box.open);
    });
    canvas.addEventListener("keydown", (e) => this.key(e));
  }
  key(e) {
    const step = 60;
    const actions = {
      ArrowLeft: () => this.move(step, 0),
      ArrowRight: () => this.move(-step, 0),
      ArrowUp: () => this.move(0, step),
      ArrowDown: () => this.move(0, -step),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
      "]": () => this.step(1),
      "[": () => this.step(-1),
      Enter: () => this.selected?.kind === "group" && this.set_open(this.selected, !this.selected.open),
    };
    if (e.ctrlKey || e.metaKey || e.altKey || !actions[e.key]) return;
    actions[e.key]();
    e.preventDefault();
  }
  /** Selects the next or previous box in the picture. */
  step(by) {
    const at = this.boxes.indexOf(this.selected);
    const next = this.boxes[(at + by + this.boxes.length) % this.boxes.length];
    if (!next) return;
    this.on_select(next);
    this.show(next);
  }
}
