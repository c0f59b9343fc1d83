// Every operation in numbers.

async function statisticsView() {
  const { operations, observables, results } = await statistics();
  if (operations.length + observables.length + results.length === 0) {
    return [h("h2", {}, "Statistics"), h("p", {}, "No engine has measured operations: 'nonius run' does, in a second run, and so does --oracle=mpfr.")];
  }
  return [
    h("h2", {}, "Statistics"),
    operations.length > 0 && section("Operations", scatter(operations), sortable("operations", operations, OPERATION_COLUMNS, "max")),
    results.length > 0 && section("Likely results", h("p.dim", {}, "Values that much was computed for and nothing goes on from."), sortable("results", results, RESULT_COLUMNS, "depth")),
    observables.length > 0 && section("Where values were looked at", sortable("observables", observables, OBSERVABLE_COLUMNS, "max")),
  ];
}

/** @type {Column<Operation>[]} */
const OPERATION_COLUMNS = [
  { key: "place", title: "place", show: (row) => placeLink(row.place), sort: (row) => row.place.text },
  { key: "operation", title: "operation", show: (row) => row.operation, sort: (row) => row.operation },
  { key: "count", title: "count", number: true, show: (row) => grouped(row.count), sort: (row) => row.count },
  { key: "mean", title: "mean error", number: true, show: (row) => rough(row.mean), sort: (row) => real(row.mean) },
  { key: "max", title: "largest error", number: true, show: (row) => h("span.cell.heat" + heat(row.max), {}, rough(row.max)), sort: (row) => real(row.max) },
  { key: "introduced", title: "introduced", number: true, show: (row) => rough(row.introduced), sort: (row) => real(row.introduced) },
  { key: "badness", title: "badness, bits", number: true, show: (row) => row.badness, sort: (row) => row.badness },
  { key: "samples", title: "over the run", show: (row) => row.samples && row.samples.errors.length > 1 && sparkline(row.samples) },
];

/** @type {Column<Likely>[]} */
const RESULT_COLUMNS = [
  { key: "place", title: "place", show: (row) => placeLink(row.place), sort: (row) => row.place.text },
  { key: "depth", title: "operations before", number: true, show: (row) => grouped(row.depth), sort: (row) => row.depth },
  { key: "value", title: "value", number: true, show: (row) => row.value },
  { key: "ideal", title: "ideal", number: true, show: (row) => row.ideal },
  { key: "error", title: "error", number: true, show: (row) => rough(row.error), sort: (row) => real(row.error) },
  { key: "badness", title: "worst cancellation, bits", number: true, show: (row) => [row.badness, row.cancelled_at && [" at ", placeLink(row.cancelled_at)]], sort: (row) => row.badness },
];

/** @type {Column<Observable>[]} */
const OBSERVABLE_COLUMNS = [
  { key: "place", title: "place", show: (row) => placeLink(row.place), sort: (row) => row.place.text },
  { key: "at", title: "seen in", show: (row) => row.at, sort: (row) => row.at },
  { key: "count", title: "values", number: true, show: (row) => grouped(row.count), sort: (row) => row.count },
  { key: "max", title: "largest error", number: true, show: (row) => rough(row.max), sort: (row) => real(row.max) },
  { key: "open", title: "open", number: true, show: (row) => grouped(row.open), sort: (row) => row.open },
  { key: "followed", title: "not followed", number: true, show: (row) => grouped(row.not_followed), sort: (row) => row.not_followed },
];
