// SPDX-License-Identifier: Apache-2.0
// The text of the jaxpr. Only the visible lines and a few around them are in the document.
import { make } from "./dom.js";

const height = 18;
const margin = 30; // the number of lines that are drawn above and below the visible lines

export class Source {
  /** `on_line(number)` is called if a line that has nodes is clicked, or chosen by Enter. */
  constructor(title, element, model, on_line) {
    this.element = element;
    this.model = model;
    this.marked = new Set();
    this.problems = new Set();
    title.textContent = model.report.source?.name ?? model.report.input;
    for (const p of model.report.problems) for (let l = p.line; l <= (p.end_line ?? p.line); ++l) this.problems.add(l);
    this.room = make("div", { style: { height: `${model.lines.length * height}px`, width: "1px" } });
    this.shown = make("div");
    element.append(this.room, this.shown);
    element.addEventListener("scroll", () => this.render());
    element.addEventListener("click", (e) => {
      const row = e.target.closest(".linked");
      if (row) on_line(Number(row.dataset.line));
    });
    new ResizeObserver(() => this.render()).observe(element);
    this.keys(on_line);
  }
  /** The arrows move the first mark by a line; Enter goes to the nodes of the marked line. */
  keys(on_line) {
    this.element.addEventListener("keydown", (e) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      const at = Math.min(...this.marked);
      if (by) {
        this.mark(Number.isFinite(at) ? at + by : 1);
        e.preventDefault();
      } else if (e.key === "Enter" && this.model.by_line[at]) on_line(at);
    });
  }
  mark(first, last = first) {
    this.marked.clear();
    for (let line = Math.max(1, first); line <= Math.min(last, this.model.lines.length); ++line) this.marked.add(line);
    const { element } = this;
    const top = (Math.max(1, first) - 1) * height;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 3 * height)
      element.scrollTop = top - element.clientHeight / 3;
    this.render();
  }
  render() {
    const { element, model } = this;
    const from = Math.max(0, Math.floor(element.scrollTop / height) - margin);
    const to = Math.min(model.lines.length, Math.ceil((element.scrollTop + element.clientHeight) / height) + margin);
    const rows = [];
    for (let i = from; i < to; ++i) {
      const line = i + 1;
      const classes = [
        "row",
        model.by_line[line] && "linked",
        this.marked.has(line) && "marked",
        this.problems.has(line) && "problem",
      ];
      rows.push(
        make(
          "div",
          { class: classes.filter(Boolean).join(" "), "data-line": line, style: { top: `${i * height}px` } },
          make("span", {}, String(line)),
          model.lines[i],
        ),
      );
    }
    this.shown.replaceChildren(...rows);
  }
}
