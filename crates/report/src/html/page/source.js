// The program's files: how hot each line is, what was found there, what feeds it.

/** What the heat can show. @type {Record<string, { title: string, of: (operation: Operation) => Num }>} */
const HEATS = {
  max: { title: "largest error", of: (operation) => operation.max },
  mean: { title: "mean error", of: (operation) => operation.mean },
  introduced: { title: "error introduced here", of: (operation) => operation.introduced },
};

/** @param {Address} address */
async function sourceView(address) {
  const files = index.files.map((file, number) => ({ ...file, number })).sort((a, b) => b.findings - a.findings || byText(a.path, b.path));
  if (files.length === 0) return [h("p", {}, "The report names no source file. Programs built with -g have lines.")];
  const file = files.find((one) => one.path === address.item) || files[0];
  const [source, { operations }] = await Promise.all([sourceOf(file.number), statistics()]);
  const measure = Object.hasOwn(HEATS, one(address, "heat", "max")) ? one(address, "heat", "max") : "max";
  const picked = Number(one(address, "line", "0"));
  const known = new Map(source.lines.map((line) => [line.line, line]));
  const chooser = h("select", { id: "file", onchange: () => { location.hash = writeAddress("source", /** @type {HTMLSelectElement} */ (chooser).value); } },
    files.map((one) => h("option", { value: one.path, selected: one === file }, one.path + (one.findings ? " (" + counted(one.findings, "finding") + ")" : ""))));
  const heats = h("select", { id: "heat", onchange: () => { set("heat", [/** @type {HTMLSelectElement} */ (heats).value]); show(); } },
    Object.entries(HEATS).map(([key, { title }]) => h("option", { value: key, selected: key === measure }, title)));
  const walk = await walkOf(address);
  const panel = h("aside.panel", { id: "panel", "aria-live": "polite", "aria-label": "The line" }, walk && walkPanel(walk),
    picked || walk ? linePanel(picked, known.get(picked), operations, file.number) : hottest(known, operations, measure, file.number));
  const code = codeOf(source, known, operations, measure, picked, file.number);
  if (walk) markSteps(code, walk, file.number);
  return [h("h2", {}, "Source"), h("div.controls", {}, h("label.grow", {}, "File ", chooser), h("label", {}, "Heat ", heats), legend()),
    h("div.columns.wide", {}, source.runs.length > 0 ? code : h("p", {}, "The file could not be read when the page was written."), panel)];
}

function legend() {
  return h("span.legend", { role: "img", "aria-label": "From cool, all digits right, to hot, none right" }, "right ",
    [0, 2, 4, 6, 8].map((level) => h("span.swatch.heat" + level, {}, " ")), " lost");
}

/**
 * @param {SourceText} source @param {Map<number, KnownLine>} known @param {Operation[]} operations @param {string} measure
 * @param {number} picked @param {number} file
 */
function codeOf(source, known, operations, measure, picked, file) {
  const code = h("div.source", { role: "region", "aria-label": "Source", tabindex: 0 });
  source.runs.forEach(([first, texts], run) => {
    if (run > 0) code.append(h("p.dim", {}, "…"));
    const pre = h("pre.code");
    texts.forEach((text, at) => pre.append(sourceLine(first + at, text, known.get(first + at), operations, measure, picked, file)));
    code.append(pre);
  });
  return code;
}

/**
 * @param {number} number @param {string} text @param {KnownLine | undefined} known @param {Operation[]} operations
 * @param {string} measure @param {number} picked @param {number} file
 */
function sourceLine(number, text, known, operations, measure, picked, file) {
  const own = (known?.operations || []).map((at) => operations[at]);
  const worst = own.reduce((most, operation) => Math.max(most, real(HEATS[measure].of(operation)) || 0), 0);
  const level = own.length ? heat(worst) : 0;
  const found = known?.findings || [];
  const words = own.length ? HEATS[measure].title + " " + rough(worst) + ", " + counted(own.length, "operation") : "";
  const label = found.length ? counted(found.length, "finding") + " on line " + number : "";
  const gutter = h("span.gutter", {}, found.length > 0 && h("a", { href: findingAddress(index.findings[found[0]].id), title: found.map((at) => index.findings[at].headline).join("\n"), "aria-label": label },
    h("span.dot." + index.findings[found[0]].severity, {}, found.length > 1 ? found.length : "●")));
  const is = known && (own.length || found.length || known.feeds || known.fed_by);
  const place = is ? h("a.number", { href: lineAddress(file, number), title: words, "aria-label": "Line " + number + (words && ": " + words) }, number) : h("span.number", {}, number);
  const classes = "span.line.heat" + level + (number === picked ? ".hit" : "");
  const left = own.length > 0 && worst > 0 ? Math.floor(digitsLeft(worst)) : null;
  return h(classes, { id: "L" + number, title: words || undefined }, gutter, place,
    h("span.left", { "aria-hidden": true }, left === null || left >= 15 ? "" : left), h("span.text", {}, text || " "));
}

const HOTTEST = 12;

/** The lines to look at first. @param {Map<number, KnownLine>} known @param {Operation[]} operations @param {string} measure @param {number} file */
function hottest(known, operations, measure, file) {
  const lines = [...known.values()].flatMap((line) => {
    const worst = (line.operations || []).reduce((most, at) => Math.max(most, real(HEATS[measure].of(operations[at])) || 0), 0);
    return heat(worst) > 0 ? [{ line: line.line, worst }] : [];
  });
  const first = lines.sort((a, b) => b.worst - a.worst).slice(0, HOTTEST);
  // The worst come first.
  const worst = (/** @type {KnownLine} */ line) => Math.min(...(line.findings || []));
  const found = [...known.values()].filter((line) => line.findings).sort((a, b) => worst(a) - worst(b));
  return [h("p.dim", {}, "The colour says how wrong results were on a line, the number beside it how many digits were right at worst; a dot is a finding. Choose a line number to see what ran there."),
    first.length > 0 && section("Hottest lines", h("ol.hottest", {}, first.map(({ line, worst }) => h("li", {}, h("a", { href: lineAddress(file, line) }, "line " + line),
      " ", h("span.cell.heat" + heat(worst), {}, rough(worst)))))),
    found.length > 0 && section("Lines with findings", h("ul.hottest", {}, found.slice(0, HOTTEST).map((line) => h("li", {}, h("a", { href: lineAddress(file, line.line) }, "line " + line.line),
      " ", index.findings[worst(line)].headline))), found.length > HOTTEST && h("p.dim", {}, grouped(found.length - HOTTEST) + " more"))];
}

/** What is known of a line. @param {number} line @param {KnownLine | undefined} known @param {Operation[]} operations @param {number} file */
function linePanel(line, known, operations, file) {
  if (!line) return h("p.dim", {}, "Choose a line number to see what ran there. The colour says how wrong results were there; a dot is a finding.");
  if (!known) return h("p", {}, "Nothing is known of line " + line + ".");
  const lines = (/** @type {string} */ title, /** @type {[number, number][] | undefined} */ places) => places && section(title, h("ul", {}, places.map(([to, at]) =>
    h("li", {}, h("a", { href: lineAddress(to, at) }, (to === file ? "line " : index.files[to].path + ":") + at)))));
  return [
    h("h2", {}, "Line " + line),
    known.findings && section("Findings", h("ul", {}, known.findings.map((at) => h("li", {}, h("a", { href: findingAddress(index.findings[at].id) }, index.findings[at].headline))))),
    known.operations && section("Operations", known.operations.map((at) => operationFacts(operations[at]))),
    lines("Errors come from", known.fed_by), lines("Errors go on to", known.feeds),
  ];
}

/** @param {Operation} operation */
function operationFacts(operation) {
  const facts = { times: grouped(operation.count), "largest error": rough(operation.max), "mean error": rough(operation.mean), "introduced here": rough(operation.introduced),
    "digits left": Math.round(digitsLeft(operation.max)) + " of 16", "cancellation badness": operation.badness + " bits" };
  return h("dl", {}, h("dt.name", {}, operation.operation), Object.entries(facts).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    operation.samples && operation.samples.errors.length > 1 && [h("dt", {}, "over time"), h("dd", {}, sparkline(operation.samples))]);
}
