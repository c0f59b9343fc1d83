// What of the run was looked at, and what was left out.

function runView() {
  const { run } = index;
  const { coverage } = run;
  const table = (/** @type {string[]} */ heads, /** @type {string[][]} */ rows) => h("table", {}, h("thead", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, at) => h(at ? "td.number" : "td", {}, cell))))));
  return [
    h("h2", {}, "The run"), h("p", {}, run.totals), howItRan(), run.remarks.map((remark) => h("p.remark", {}, remark)),
    section("What was shadowed", h("p", {}, coverage.sentence + " An error that passes through what is not shadowed is lost."), table(["what", "shadowed", "of", "share"], coverage.rows)),
    coverage.unknown.length > 0 && section("What came from code without shadows, most first", table(["from", "how", "times"], coverage.unknown)),
    coverage.left_alone.map((line) => h("p", {}, line)),
    Object.entries(index.further).map(([name, rows]) => furtherTable(name, rows)),
    run.folded.length > 0 && section("What the text report folds", h("ul", {}, run.folded.map((line) => h("li", {}, line)))),
    run.suppressions.length > 0 && section("Suppressions", h("ul", {}, run.suppressions.map((one) => h("li", {}, h("code", {}, one.entry), " " + one.reason,
      h("span.dim", {}, " (" + one.place + ", " + (one.count ? counted(one.count, "time") : "unused: it can go") + ")"))))),
  ];
}

/** A list that has no view of its own, by its fields. @param {string} name @param {any[]} rows */
function furtherTable(name, rows) {
  const fields = [...new Set(rows.flatMap((row) => (row && typeof row === "object" ? Object.keys(row) : [])))];
  const body = h("tbody");
  grow(body, rows.length, (at) => h("tr", {}, fields.map((field) => h("td", {}, plainText(rows[at]?.[field])))));
  return section(name[0].toUpperCase() + name.slice(1), h("div.scroll", { tabindex: 0, role: "region", "aria-label": name },
    h("table", { id: "further-" + name }, h("thead", {}, h("tr", {}, fields.map((field) => h("th", { scope: "col" }, field.replaceAll("_", " "))))), body)));
}

/** A value in words: places as file:line, all else by its fields. @param {any} value @returns {string} */
function plainText(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  if (typeof value !== "object") return String(value);
  if (typeof value.file === "string" && typeof value.line === "number") return value.file.split("/").pop() + ":" + value.line;
  return Object.entries(value).map(([name, one]) => name.replaceAll("_", " ") + " " + plainText(one)).join(", ");
}
