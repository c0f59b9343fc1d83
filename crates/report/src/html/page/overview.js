// What is wrong, at a glance.

const FIRST = 8;

function overview() {
  const { run } = index;
  const found = index.findings.filter((row) => row.state === "found");
  return [
    h("p.sentence", {}, run.sentence),
    tiles(found),
    run.remarks.map((remark) => h("p.remark", {}, remark)),
    found.length > 0 && section("First to look at", h("ol.findings", {}, found.slice(0, FIRST).map((row, at) => findingItem(row, at))),
      found.length > FIRST && h("p", {}, h("a", { href: "#findings" }, "All " + grouped(found.length) + " findings"))),
    outputs(), folded(found), baseline(), howItRan(),
  ];
}

/** @param {Row[]} found */
function tiles(found) {
  const { run } = index;
  const output = found.filter((row) => row.reach === "output").length;
  const seen = found.reduce((sum, row) => sum + (row.symptoms || 0), 0);
  const operations = run.coverage.rows[0];
  const tile = (/** @type {Child} */ number, /** @type {string} */ label, /** @type {string} */ href, bad = false) =>
    h(bad ? "a.tile.bad" : "a.tile", { href }, h("strong", {}, number), h("span", {}, label));
  return h("div.tiles", {},
    tile(grouped(found.length), found.length === 1 ? "finding" : "findings", "#findings", found.length > 0),
    tile(grouped(output), "reached an output", "#findings?reach=output", output > 0),
    seen > 0 && tile(grouped(seen), "more places where they were seen", "#findings?sort=symptoms"),
    run.baseline && tile(grouped(run.baseline.known), "in the baseline", "#findings?state=known"),
    run.suppressed > 0 && tile(grouped(run.suppressed), "suppressed", "#run"),
    tile(operations[2] === "0" ? "0" : operations[3], operations[2] === "0" ? "operations to shadow" : "of operations shadowed", "#run", operations[2] === "0"),
    index.operations > 0 && tile(grouped(index.operations), "operations measured", "#statistics"));
}

function outputs() {
  if (index.outputs.length === 0) return null;
  const row = (/** @type {Output} */ output) => h("tr", {}, h("td", {}, placeLink(output.place)),
    h("td", {}, bar(output.digits / 16, output.digits + " digits right"), " " + counted(Math.round(output.digits), "digit") + " right"),
    h("td.number", {}, output.error), h("td.number", {}, grouped(output.count)), h("td.number", {}, output.open ? grouped(output.open) : ""));
  const body = h("tbody");
  grow(body, index.outputs.length, (at) => row(index.outputs[at]));
  return section("What was printed, the worst first", h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Outputs" },
    h("table", {}, h("thead", {}, h("tr", {}, ["output", "at its worst", "largest error", "values", "open"].map((name) => h("th", { scope: "col" }, name)))), body)));
}

/** Classes, with a way to see them. @param {Row[]} found */
function folded(found) {
  const classes = new Map();
  for (const row of found) if (row.class) classes.set(row.class, (classes.get(row.class) || 0) + 1);
  const stored = found.filter((row) => row.reach === "stored" && !row.class).length;
  if (classes.size === 0 && stored === 0) return null;
  return section("Look at these later", h("p.dim", {}, "There is evidence that these do no harm, or they were not seen to reach an output."),
    h("ul", {}, [...classes].map(([name, count]) => h("li", {}, h("a", { href: "#findings?class=" + name }, name.replace("-", " ")), ": " + grouped(count))),
      stored > 0 && h("li", {}, h("a", { href: "#findings?reach=stored&class=none" }, "stored, passed or returned only"), ": " + grouped(stored))));
}

function baseline() {
  const { baseline } = index.run;
  if (!baseline) return null;
  return section("Against the baseline", h("p", {}, baseline.file + ": " + grouped(baseline.known) + " of its findings " + (baseline.known === 1 ? "is" : "are") + " still there, " +
    grouped(baseline.gone.length) + (baseline.gone.length === 1 ? " is gone." : " are gone.")), h("ul", {}, baseline.gone.map((line) => h("li", {}, line))));
}

/** What the page is about. */
function subject() {
  const { programs, command } = index.run;
  return programs.length > 0 ? counted(programs.length, "program") : h("code", {}, command);
}

function howItRan() {
  const { run } = index;
  const folder = run.folder && h("p.dim", {}, "Paths are below ", h("code", {}, run.folder), ".");
  const programs = run.programs.length > 0 && [h("p", {}, "These programs have findings; the first that reported is above."),
    h("ul.programs", {}, run.programs.map((name) => h("li", {}, h("a", { href: writeAddress("findings", "", new Map([["program", [name]]])) }, name))))];
  const command = "nonius run " + run.command;
  return section("How it was run", h("p", {}, "Oracle " + run.oracle + (run.settled_by ? ", a second run settled by " + run.settled_by : "") +
    ", process " + run.pid + (run.exit === null ? "" : ", exit status " + run.exit) + "."), copyable(command), programs, folder);
}

/** A command with a button to copy it. @param {string} command */
function copyable(command) {
  const button = h("button", { type: "button", onclick: () => {
    navigator.clipboard?.writeText(command).then(() => replace(button, "Copied"), () => replace(button, "Not copied"));
  } }, "Copy");
  return h("p.command", {}, h("code", {}, command), " ", button);
}
