// SPDX-License-Identifier: Apache-2.0
// Small helpers for elements. Text is always inserted as text: nothing in a report is read as HTML.

/**
 * Finds an element by its id. The result has any type, since the caller knows what kind of element the page has there.
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(element.style, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const link = (text, action, title) =>
  make("button", { class: "link", type: "button", onclick: action, title }, text);

export function table(head, rows, numbers = []) {
  const cell = (tag) => (content, i) =>
    make(tag, { class: numbers.includes(i) ? "number" : undefined, scope: tag === "th" ? "col" : undefined }, content);
  return make(
    "table",
    {},
    head ? make("thead", {}, make("tr", {}, head.map(cell("th")))) : null,
    make(
      "tbody",
      {},
      rows.map((r) => make("tr", {}, r.map(cell("td")))),
    ),
  );
}

/** A table of names and contents. */
export const facts = (rows) =>
  table(
    null,
    rows
      .filter((r) => r[1] !== undefined && r[1] !== null)
      .map(([name, content]) => [make("span", { class: "soft" }, name), content]),
  );

const scaled = (n, units, step) => {
  let i = 0;
  for (; n >= step && i + 1 < units.length; ++i) n /= step;
  return `${i === 0 ? n : n.toFixed(n < 10 ? 2 : 1)} ${units[i]}`.trim();
};
/** `1 node`, `2 nodes`. */
export const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
export const size_text = (n) => scaled(n, ["bytes", "KB", "MB", "GB", "TB"], 1000);
export const count_text = (n) => scaled(n, ["", "K", "M", "G", "T", "P"], 1000);
export const number_text = (x) =>
  x === null || x === undefined
    ? "–"
    : Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3)
      ? x.toExponential(3)
      : String(Number(x.toPrecision(5)));
