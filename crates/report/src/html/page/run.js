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
    run.folded.length > 0 && section("What the text report folds", h("ul", {}, run.folded.map((line) => h("li", {}, line)))),
    run.suppressions.length > 0 && section("Suppressions", h("ul", {}, run.suppressions.map((one) => h("li", {}, h("code", {}, one.entry), " " + one.reason,
      h("span.dim", {}, " (" + one.place + ", " + (one.count ? counted(one.count, "time") : "unused: it can go") + ")"))))),
  ];
}
