// One finding: what happened, and where its error comes from.

/** @param {Address} address */
async function findingView(address) {
  const number = index.findings.findIndex((row) => row.id === address.item);
  if (number < 0) return [h("p", {}, "There is no finding " + address.item + " in this report. "), h("a", { href: "#findings" }, "All findings")];
  const row = index.findings[number];
  const detail = await detailOf(number);
  const path = blamePath(detail.causes);
  const sources = new Map();
  for (const { measured, place } of detail.causes) if (measured) sources.set(measured.node, await briefLine(place));
  const graph = causeGraph(row, detail.causes, sources);
  return [
    neighbours(number),
    h("article.finding-view." + row.severity, {},
      h("h2", {}, h("span.badge", {}, row.kind), " ", row.headline),
      h("p", {}, digitsBar(row), row.class && h("span.tag", {}, row.class), row.verdict && h("span.tag." + row.verdict, {}, row.verdict)),
      await Promise.all(detail.places.map(seenAt)),
      detail.values && numberLine(detail.values),
      h("ul.facts", {}, detail.facts.map((fact) => h("li", {}, fact))),
      h("p.advice", {}, detail.advice),
      seenElsewhere(detail), graph && section("Where the error comes from", h("p.dim", {}, "Errors flow downwards. The path that most of it took is bold; a box leads to its step."), h("div.graph-and-path", {}, graph, pathChart(path))),
      await steps(row, detail, path), await overTheRun(detail), stages(detail), lists(detail),
      section("In the terminal", copyable("nonius explain " + row.id), copyable("nonius suppress " + row.id + " --reason '...'"))),
  ];
}

/** @param {number} number */
function neighbours(number) {
  const link = (/** @type {number} */ to, /** @type {string} */ id, /** @type {string} */ text) =>
    to >= 0 && to < index.findings.length ? h("a", { href: findingAddress(index.findings[to].id), id }, text) : h("span.dim", {}, text);
  return h("nav.neighbours", { "aria-label": "Findings" }, link(number - 1, "before", "← before"),
    h("span", {}, "finding " + grouped(number + 1) + " of " + grouped(index.findings.length)), link(number + 1, "next", "next →"));
}

/** @param {{ role: string, place: Place, function: string }} seen */
async function seenAt({ role, place, function: name }) {
  return h("figure", {}, h("figcaption", {}, role + " at ", placeLink(place), name && place.file !== undefined && " in " + name), await excerpt(place));
}

/** The causes that most of the error took, from where it was introduced to the finding. @param {Cause[]} causes */
function blamePath(causes) {
  return causes.filter((cause) => cause.measured?.dominant).sort((a, b) => (b.measured?.node || 0) - (a.measured?.node || 0));
}

/** The causes as numbered steps with their source. @param {Row} row @param {Detail} detail @param {Cause[]} path */
async function steps(row, detail, path) {
  const rest = detail.causes.filter((cause) => !path.includes(cause));
  const step = async (/** @type {Cause} */ cause) => {
    const m = cause.measured;
    return h("li.step", m ? { id: "step-" + m.node, tabindex: -1 } : {}, h("p", {}, h("strong", {}, cause.operation), ": " + cause.effect.replace(/,$/, "") + ", at ", placeLink(cause.place),
      cause.function && " in " + cause.function),
    m?.values && h("p.dim", {}, m.values + ": relative error " + m.error_text + ", " + m.introduced_text + " of it added here" + (m.typical ? " (the operation's worst in the run)" : "")),
    await excerpt(cause.place, 1));
  };
  if (detail.causes.length === 0) return section("Where the error comes from", h("p", {}, "No engine has looked for its causes: 'nonius run' does, in a second run."));
  const walk = stepsOf(detail);
  return [
    path.length > 0 && section("Step by step", walk.length > 1 && h("p", {}, h("a", { href: stepAddress(row.id, walk, 0), id: "walk" }, "Walk through the source")), h("ol.steps", {}, await Promise.all(path.map(step)))),
    rest.length > 0 && h("details.rest", { open: path.length === 0 || rest.length < 6 }, h("summary", {}, counted(rest.length, "other cause")), h("ul.steps", {}, await Promise.all(rest.map(step)))),
  ];
}

/** @param {Detail} detail */
function seenElsewhere(detail) {
  if (detail.symptoms.length === 0) return null;
  const list = h("ul");
  grow(list, detail.symptoms.length, (at) => h("li", {}, placeLink(detail.symptoms[at].place), ": " + detail.symptoms[at].text.replace(" at " + detail.symptoms[at].place.text, "")));
  return h("details", { open: detail.symptoms.length <= 8 }, h("summary", {}, "The same error in " + counted(detail.symptoms.length, "more place") + ", outputs and decisions first"), list);
}

/** @param {Detail} detail */
async function overTheRun(detail) {
  return detail.measured === undefined ? null : histories((await statistics()).operations[detail.measured]);
}

/** @param {Detail} detail */
function stages(detail) {
  const grown = detail.causes.flatMap((cause) => (cause.growth ? [growthChart(cause.growth)] : []));
  return grown.length > 0 && section("Stages", grown);
}

/** @param {Detail} detail */
function lists(detail) {
  const list = (/** @type {string} */ title, /** @type {Place[]} */ places, first = 1) =>
    places.length > 0 && section(title, h("ol", { start: first }, places.map((place) => h("li", {}, placeLink(place)))));
  return [list("Called at", detail.callers), list("Stack, innermost first", detail.stack, 0)];
}
