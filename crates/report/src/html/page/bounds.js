// What abstract execution proved for a range of inputs, assertions, and tasks: by the fields of the report.

/** @param {Place | undefined} place */
function placeCell(place) {
  return place && place.text ? placeLink(place) : "";
}

function boundsView() {
  const { bounds = [], assertions = [], tasks = [] } = index.further;
  return [
    h("h2", {}, "Bounds"),
    assertions.length > 0 && assertionTable(assertions),
    bounds.length > 0 && section("What variables can be", h("p.dim", {}, "For ranges of inputs that the program declares, by abstract execution."), bounds.map(boundCard)),
    tasks.length > 0 && taskTable(tasks),
  ];
}

/** Whether there is anything to show. */
function hasBounds() {
  return Object.keys(index.further).length > 0;
}

/** @type {Record<string, string>} */
const HOLDS = {
  "all-inputs": "holds for all inputs of the declared ranges", "this-path": "holds only for inputs that take this run's way through every test",
  nothing: "an estimate",
};

/** @param {any} bound */
function boundCard(bound) {
  const sources = (bound.sources || []).filter((/** @type {any} */ source) => real(source.error) > 0);
  const ranges = [["float", bound.value], ["real", bound.real], ["error", bound.error], ["relative error", bound.relative_error]];
  const holds = Object.hasOwn(HOLDS, bound.holds_for) ? HOLDS[bound.holds_for] : bound.holds_for;
  const known = bound.is_known !== false || bound.common_digits !== undefined;
  return h("article.card.bound", {},
    h("h3", {}, h("code", {}, bound.name), " ", placeCell(bound.location), bound.count > 1 && h("span.dim", {}, " ×" + grouped(bound.count))),
    !known && h("p", {}, "Nothing is known: something that it was computed of has no domain."),
    known && [
      h("p", {}, h(bound.holds_for === "all-inputs" ? "span.tag.proved" : "span.tag", {}, bound.common_digits === undefined ? holds : rough(bound.common_digits) + " digits in common, by randomly rounded runs")),
      h("div.pair.even", {},
        h("div", {}, rangeLine(bound), h("table", {}, h("tbody", {}, ranges.filter(([, range]) => Array.isArray(range)).map(([name, range]) => h("tr", {}, h("th", { scope: "row" }, name),
          h("td.number", {}, intervalWords(range))))))),
        sources.length > 0 && h("div", {}, h("h3", {}, "Where its error comes from"), h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Sensitivity of " + bound.name },
          h("table.sensitivity", {}, h("thead", {}, h("tr", {}, ["share", "by", "place", "at most"].map((name) => h("th", { scope: "col" }, name)))),
            h("tbody", {}, sources.map(sourceRow)))))),
    ]);
}

/** @param {any} source */
function sourceRow(source) {
  const share = Math.round(real(source.share) * 100);
  return h("tr", {}, h("td.share", {}, bar(real(source.share), share + "% of the error"), " " + share + "%"), h("td", {}, source.operation),
    h("td", {}, placeCell(source.location)), h("td.number", {}, rough(source.error)));
}

/** @param {[Num, Num]} range */
function intervalWords([low, high]) {
  if (real(low) === -Infinity && real(high) === Infinity) return "not bounded";
  const words = (/** @type {Num} */ x) => (typeof x === "number" ? String(x) : x);
  return low === high ? words(low) : "[" + words(low) + ", " + words(high) + "]";
}

/** Float and real as intervals on one line, and the value that the program had. @param {any} bound */
function rangeLine(bound) {
  const ends = [bound.value, bound.real].flatMap((range) => (Array.isArray(range) ? range.map(real) : []));
  if (ends.length < 4 || ends.some((end) => !Number.isFinite(end))) return null;
  const actual = real(bound.actual);
  const all = Number.isFinite(actual) ? [...ends, actual] : ends;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (/** @type {number} */ at) => 70 + ((at - low) / (high - low || 1)) * 480;
  const row = (/** @type {string} */ name, /** @type {number[]} */ [from, to], /** @type {number} */ y) => s("g." + name, {},
    s("text", { x: 62, y: y + 10, "text-anchor": "end" }, name), s("rect", { x: x(from), width: Math.max(2, x(to) - x(from)), y, height: 12, rx: 3 }));
  const words = bound.name + ": float " + intervalWords(bound.value) + ", real " + intervalWords(bound.real) + ", in this run " + rough(bound.actual);
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Ranges of " + bound.name },
    s("svg.ranges", { viewBox: "0 0 570 78", width: 570, height: 78, role: "img", "aria-label": words },
      row("float", ends.slice(0, 2), 8), row("real", ends.slice(2, 4), 28),
      Number.isFinite(actual) && s("g.actual", {}, s("line", { x1: x(actual), x2: x(actual), y1: 4, y2: 46 }), s("title", {}, "in this run " + actual)),
      s("text", { x: 70, y: 64 }, rough(low)), s("text", { x: 550, y: 64, "text-anchor": "end" }, rough(high))));
}

const VERDICTS = ["failed", "unknown", "proved"];

/** @param {any[]} assertions */
function assertionTable(assertions) {
  const rank = (/** @type {any} */ one) => VERDICTS.indexOf(one.verdict);
  const rows = assertions.slice().sort((a, b) => rank(a) - rank(b));
  const totals = VERDICTS.flatMap((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    return count ? [grouped(count) + " " + verdict] : [];
  });
  const body = h("tbody");
  grow(body, rows.length, (at) => h("tr", {}, h("td", {}, h("span.tag." + (VERDICTS.includes(rows[at].verdict) ? rows[at].verdict : "unknown"), {}, rows[at].verdict)),
    h("td", {}, h("code", {}, rows[at].text)), h("td", {}, placeCell(rows[at].location)), h("td", {}, otherFields(rows[at], ["verdict", "text", "location"]))));
  return section("Assertions", h("p", {}, totals.join(", ") + "."), h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Assertions" },
    h("table", { id: "assertions" }, h("thead", {}, h("tr", {}, ["verdict", "assertion", "place", ""].map((name) => h("th", { scope: "col" }, name)))), body)));
}

/** @param {any[]} tasks */
function taskTable(tasks) {
  const count = (/** @type {any} */ task) => (Array.isArray(task.findings) ? task.findings.length : Number(task.findings) || 0);
  const rows = tasks.slice().sort((a, b) => count(b) - count(a));
  const body = h("tbody");
  const found = (/** @type {any} */ task) => (Array.isArray(task.findings) ? task.findings.map((/** @type {any} */ id, /** @type {number} */ at) => [at > 0 && ", ", h("a", { href: findingAddress(String(id)) }, String(id))]) : grouped(count(task)));
  grow(body, rows.length, (at) => h("tr", {}, h("td", {}, plainText(rows[at].name)), h("td.number", {}, grouped(Number(rows[at].count) || 0)), h("td", {}, found(rows[at])),
    h("td", {}, otherFields(rows[at], ["name", "count", "findings"]))));
  return section("Tasks", h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Tasks" }, h("table", { id: "tasks" },
    h("thead", {}, h("tr", {}, ["task", "times", "findings", ""].map((name) => h("th", { scope: "col" }, name)))), body)));
}

/** What this page has no column for. @param {any} row @param {string[]} known */
function otherFields(row, known) {
  return Object.entries(row).filter(([name]) => !known.includes(name)).map(([name, value]) => name.replaceAll("_", " ") + " " + plainText(value)).join(", ");
}

/** A value in words: a place by its text, all else by its fields. @param {any} value @returns {string} */
function plainText(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  if (typeof value !== "object") return String(value);
  if (typeof value.text === "string" && typeof value.line === "number") return value.text;
  return Object.entries(value).map(([name, one]) => name.replaceAll("_", " ") + " " + plainText(one)).join(", ");
}
