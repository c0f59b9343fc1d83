// What findings can be filtered by. A filter is a list of values in the address; those of one kind widen, those of
// several narrow.

/** @typedef {{ key: string, title: string, values: (row: Row, number: number) => string[], order?: string[] }} Facet */

const REACHES = { output: "reached an output", decision: "decided something", stored: "stored, passed or returned" };
const STATES = { found: "new", known: "in the baseline", refuted: "does not count" };
const NONE = "none";
const RANKS = ["1 to 10", "11 to 100", "101 to 1,000", "after 1,000"];

/** @type {Facet[]} */
const FACETS = [
  { key: "reach", title: "How far it came", values: (row) => [row.reach] },
  { key: "kind", title: "Kind", values: (row) => [row.kind] },
  { key: "state", title: "State", values: (row) => [row.state] },
  { key: "verdict", title: "Verdict of the second run", values: (row) => [row.verdict || NONE] },
  { key: "class", title: "Class", values: (row) => [row.class || NONE] },
  { key: "rank", title: "Place among the worst", values: (row, number) => [RANKS[number < 10 ? 0 : number < 100 ? 1 : number < 1000 ? 2 : 3]], order: RANKS },
  { key: "file", title: "File", values: (row) => [fileOf(row)] },
  { key: "function", title: "Function", values: (row) => [functionOf(row)] },
  { key: "program", title: "Program", values: (row) => row.programs || [NONE] },
  { key: "test", title: "Test", values: (row) => row.tests || [NONE] },
  { key: "mpi", title: "MPI rank", values: (row) => row.ranks || [NONE] },
];

/** @param {Row} row */
function fileOf(row) {
  return row.place.file === undefined ? "unknown" : index.files[row.place.file].path;
}

/** @param {Row} row */
function functionOf(row) {
  return row.function === null ? "unknown" : index.functions[row.function];
}

/** @param {string} key @param {string} value */
function facetWords(key, value) {
  const words = /** @type {Record<string, string>} */ (key === "reach" ? REACHES : key === "state" ? STATES : {});
  return Object.hasOwn(words, value) ? words[value] : value;
}

/** @type {string[] | null} */
let searched = null;

/** What a search looks through, made when the first one is. @param {number} number */
function searchText(number) {
  if (!searched) {
    searched = index.findings.map((row) => [row.headline, row.place.text, functionOf(row), row.kind, row.id,
      row.class || "", ...(row.tests || []), ...(row.programs || [])].join("\n").toLowerCase());
  }
  return searched[number];
}

/**
 * The numbers of the findings that fit, and for each facet how many there would be of each value.
 * @param {Address} address
 */
function filtered(address) {
  const words = one(address, "q", "").toLowerCase().split(/\s+/).filter(Boolean);
  const asked = FACETS.map((facet) => address.settings.get(facet.key));
  /** @type {Map<string, number>[]} */
  const counts = FACETS.map(() => new Map());
  /** @type {number[]} */
  const fitting = [];
  index.findings.forEach((row, number) => {
    if (!words.every((word) => searchText(number).includes(word))) return;
    const values = FACETS.map((facet) => facet.values(row, number));
    const misses = values.map((has, at) => Boolean(asked[at]) && !has.some((value) => asked[at]?.includes(value)));
    const missed = misses.filter(Boolean).length;
    if (missed === 0) fitting.push(number);
    // A value's count is what ticking it would show: the other facets narrow it, its own does not.
    values.forEach((has, at) => {
      if (missed > (misses[at] ? 1 : 0)) return;
      for (const value of has) counts[at].set(value, (counts[at].get(value) || 0) + 1);
    });
  });
  return { fitting, counts };
}

/** @type {Record<string, { title: string, compare: (a: Row, b: Row) => number }>} */
const ORDERS = {
  rank: { title: "worst first", compare: () => 0 },
  bits: { title: "digits lost", compare: (a, b) => lost(b) - lost(a) },
  count: { title: "count", compare: (a, b) => b.count - a.count },
  symptoms: { title: "places it was seen", compare: (a, b) => (b.symptoms || 0) - (a.symptoms || 0) },
  place: { title: "place", compare: (a, b) => byText(fileOf(a), fileOf(b)) || a.place.line - b.place.line },
  kind: { title: "kind", compare: (a, b) => byText(a.kind, b.kind) },
};

/** @param {Row} row */
function lost(row) {
  return row.bits ? row.bits[1] - row.bits[0] : -1;
}

/** @param {string} a @param {string} b */
function byText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @param {number[]} numbers @param {string} order */
function sorted(numbers, order) {
  const known = Object.hasOwn(ORDERS, order) ? ORDERS[order] : ORDERS.rank;
  return numbers.slice().sort((a, b) => known.compare(index.findings[a], index.findings[b]) || a - b);
}
