// SPDX-License-Identifier: Apache-2.0
// Search: nodes by operator, name and scope, weights by name, lines of the text.

import { scopes_of } from "./data.js";
import { make } from "./dom.js";

const most_results = 60;

export function find(model, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) return [];
  const has = (text) => wanted.every((w) => text.includes(w));
  const found = [];
  const names = (scopes) => scopes.map((g) => g.name).join("/");
  for (const n of model.nodes) {
    n.found_by ??= `${n.op} ${n.name} ${names(scopes_of(n))}`.toLowerCase();
    if (has(n.found_by)) found.push(n);
  }
  for (const w of model.weights) if (has(w.name.toLowerCase())) found.push(w);
  for (const [i, l] of model.lines.entries())
    if (has(l.toLowerCase())) found.push({ kind: "line", line: i + 1, name: l.trim() });
  return found;
}

export function search_box(input, list, model, { show, mark }) {
  let results = [];
  let at = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (i) => {
    if (!results.length) return;
    at = (i + results.length) % results.length;
    for (const [n, li] of [...list.children].entries()) li.setAttribute("aria-selected", String(n === at));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    if (list.children[at]) input.setAttribute("aria-activedescendant", list.children[at].id);
    show(results[at]);
  };
  const pick = (i) => {
    choose(i);
    close();
  };
  const label = (r) =>
    r.kind === "line"
      ? `line ${r.line}: ${r.name.slice(0, 120)}`
      : r.kind === "weight"
        ? `weight ${r.name} ${r.type}`
        : `${r.op} ${r.name}`;
  const update = () => {
    results = find(model, input.value);
    at = -1;
    mark(results.filter((r) => r.kind === "node"));
    list.replaceChildren(
      ...results
        .slice(0, most_results)
        .map((r, i) =>
          make("li", { role: "option", id: `result-${i}`, "aria-selected": "false", onclick: () => pick(i) }, label(r)),
        ),
    );
    if (results.length > most_results)
      list.append(make("li", { role: "option", "aria-selected": "false", class: "soft" }, `${results.length} in all`));
    list.hidden = !input.value.trim() || !results.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  input.addEventListener("input", update);
  input.addEventListener("keydown", (e) => {
    if (e.key === "Enter" || e.key === "ArrowDown") choose(at + (e.shiftKey ? -1 : 1));
    else if (e.key === "ArrowUp") choose(at - 1);
    else if (e.key === "Escape") close();
    else return;
    e.preventDefault();
  });
  input.addEventListener("blur", () => setTimeout(close, 200));
  return (words) => {
    input.value = words;
    input.focus();
    update();
  };
}
