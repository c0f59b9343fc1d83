// The list of findings, with its filters.

/** @param {Row} row @param {number} number */
function findingItem(row, number) {
  const name = functionOf(row);
  return h("li.finding." + row.severity, { value: number + 1 }, h("a", { href: findingAddress(row.id) },
    h("span.badge", {}, row.kind), h("span.headline", {}, row.headline),
    h("span.place", {}, row.place.text, name !== "unknown" && row.place.file !== undefined && " in " + short(name, 70)),
    h("span.count", {}, "×" + grouped(row.count)), digitsBar(row),
    h("span.tags", {}, row.state !== "found" && h("span.tag", {}, STATES[row.state]), row.class && h("span.tag", {}, row.class),
      row.verdict && h("span.tag." + row.verdict, {}, row.verdict),
      row.symptoms && h("span.tag", {}, "also in " + counted(row.symptoms, "place")))));
}

/** @param {Address} address */
function findingsView(address) {
  const list = h("ol.findings", { id: "findings" });
  const status = h("p", { id: "status", role: "status" });
  const facets = h("div.facets", {});
  const update = () => {
    const now = here();
    const { fitting, counts } = filtered(now);
    const numbers = sorted(fitting, one(now, "sort", "rank"));
    replace(status, counted(numbers.length, "finding"), numbers.length < index.findings.length && " of " + grouped(index.findings.length),
      now.settings.size > 0 && [" ", h("a", { href: "#findings", id: "clear" }, "Clear all filters")]);
    list.replaceChildren();
    if (numbers.length) grow(list, numbers.length, (at) => findingItem(index.findings[numbers[at]], numbers[at]));
    else list.append(h("li", {}, "No finding fits the filter."));
    const focused = document.activeElement?.id;
    replace(facets, FACETS.map((facet, at) => facetBox(facet, counts[at], now, update)));
    if (focused) document.getElementById(focused)?.focus();
  };
  const view = [h("h2", {}, "Findings"), controls(address, update), h("div.columns", {},
    h("details.filters", { open: window.innerWidth > 800, id: "filters" }, h("summary", {}, "Filters"), facets), h("div", {}, status, list))];
  update();
  return view;
}

/** @param {Address} address @param {() => void} update */
function controls(address, update) {
  const search = h("input", { id: "search", type: "search", placeholder: "function, file, words, id", value: one(address, "q", ""),
    oninput: () => { set("q", /** @type {HTMLInputElement} */ (search).value ? [/** @type {HTMLInputElement} */ (search).value] : []); update(); } });
  const order = h("select", { id: "sort", onchange: () => { set("sort", [/** @type {HTMLSelectElement} */ (order).value]); update(); } },
    Object.entries(ORDERS).map(([key, { title }]) => h("option", { value: key, selected: one(address, "sort", "rank") === key }, title)));
  return h("div.controls", {}, h("label.grow", {}, "Find ", search), h("label", {}, "Sort by ", order));
}

const FEW = 8;

/** @param {Facet} facet @param {Map<string, number>} counts @param {Address} now @param {() => void} update */
function facetBox(facet, counts, now, update) {
  const asked = now.settings.get(facet.key) || [];
  for (const value of asked) if (!counts.has(value)) counts.set(value, 0);
  // Nothing to choose from.
  if (counts.size < 2 && asked.length === 0) return null;
  const turn = (/** @type {string} */ value) => facet.order?.indexOf(value) ?? 0;
  const values = [...counts].sort((a, b) => turn(a[0]) - turn(b[0]) || b[1] - a[1] || byText(a[0], b[0]));
  const all = unfolded.has(facet.key) ? values : values.filter(([value], at) => at < FEW || asked.includes(value));
  const tick = (/** @type {string} */ value, /** @type {number} */ count) => {
    const id = "facet-" + facet.key + "-" + value;
    const box = h("input", { type: "checkbox", id, checked: asked.includes(value), "data-facet": facet.key, "data-value": value, onchange: () => {
      set(facet.key, asked.includes(value) ? asked.filter((other) => other !== value) : [...asked, value]);
      update();
    } });
    return h("li", {}, h("label", {}, box, named(facet.key, value), h("span.count", {}, grouped(count))));
  };
  const more = values.length > all.length && h("button", { type: "button", id: "more-" + facet.key, onclick: () => { unfolded.add(facet.key); update(); } },
    grouped(values.length - all.length) + " more");
  return h("fieldset", {}, h("legend", {}, facet.title), h("ul", {}, all.slice(0, 200).map(([value, count]) => tick(value, count))), more);
}

/** What to choose; of a path, its end is what counts. @param {string} key @param {string} value */
function named(key, value) {
  const isPath = key === "file" || key === "program";
  return isPath ? h("span.name.path", { title: value }, h("bdi", {}, value)) : h("span.name", { title: value }, facetWords(key, value));
}

/** Facets that are shown whole. @type {Set<string>} */
const unfolded = new Set();
