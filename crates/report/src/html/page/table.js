// A table that sorts by a click on a heading; the order is in the address.

/**
 * @template T
 * @typedef {{ key: string, title: string, number?: boolean, show: (row: T) => Child, sort?: (row: T) => number | string }} Column
 */

/**
 * @template T
 * @param {string} name @param {T[]} rows @param {Column<T>[]} columns @param {string} usual
 */
function sortable(name, rows, columns, usual) {
  const body = h("tbody");
  const head = h("tr");
  const draw = () => {
    const [key, way] = one(here(), name, usual).split(".");
    const column = columns.find((other) => other.key === key && other.sort) || columns.find((other) => other.sort);
    const by = column?.sort;
    const up = way === "up";
    const ordered = by ? rows.slice().sort((a, b) => (up ? 1 : -1) * order2(by(a), by(b))) : rows;
    body.replaceChildren();
    grow(body, ordered.length, (at) => h("tr", {}, columns.map((other) => h(other.number ? "td.number" : "td", {}, other.show(ordered[at])))));
    replace(head, columns.map((other) => {
      const now = other === column;
      const turn = other.key + (now && !up ? ".up" : "");
      const button = h("button", { type: "button", id: name + "-" + other.key, onclick: () => { set(name, [turn]); draw(); document.getElementById(name + "-" + other.key)?.focus(); } }, other.title + (now ? (up ? " ▲" : " ▼") : ""));
      return h(other.number ? "th.number" : "th", { scope: "col", "aria-sort": now ? (up ? "ascending" : "descending") : undefined }, other.sort ? button : other.title);
    }));
  };
  draw();
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Table" }, h("table", { id: name }, h("thead", {}, head), body));
}

/** What is no number comes last. @param {number | string} a @param {number | string} b */
function order2(a, b) {
  if (typeof a === "string" || typeof b === "string") return -byText(String(a), String(b));
  const [x, y] = [Number.isNaN(a) ? -Infinity : a, Number.isNaN(b) ? -Infinity : b];
  return x < y ? -1 : x > y ? 1 : 0;
}
