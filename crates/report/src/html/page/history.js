// Errors over time: of an operation's results, of stages, and how they are distributed. Samples are evenly spaced.

const DEEPEST = 18;

/** Where an error lies between none (0) and all digits lost (1). @param {number} error */
function height(error) {
  return error > 0 ? Math.max(0.03, Math.min(1, (DEEPEST + Math.log10(error)) / (DEEPEST + 1))) : 0;
}

/**
 * Errors by their turn, on a logarithmic scale.
 * @param {Samples} samples @param {number} total how many there were @param {string} noun @param {[number, number]} [fault] turns to be marked
 */
function overTime(samples, total, noun, fault) {
  const { errors, every } = samples;
  const last = Math.max(total, 1 + (errors.length - 1) * every, 2);
  const x = (/** @type {number} */ turn) => 52 + ((turn - 1) / (last - 1)) * 500;
  const y = (/** @type {number} */ share) => 14 + (1 - share) * 120;
  const grid = [0, -4, -8, -12, -16].map((log) => s("g.grid", {}, s("line", { x1: 48, x2: 560, y1: y(height(10 ** log)), y2: y(height(10 ** log)) }),
    s("text", { x: 42, y: y(height(10 ** log)) + 4, "text-anchor": "end" }, log ? "1e" + log : "1")));
  const points = errors.map((error, at) => ({ error, turn: 1 + at * every }));
  const worst = points.reduce((most, point) => (point.error > most.error ? point : most), points[0]);
  const words = "Relative error of " + counted(points.length, noun) + " of " + grouped(total) + ", in order: from " + rough(points[0].error) + " to " +
    rough(points[points.length - 1].error) + ", largest " + rough(worst.error) + " at " + noun + " " + grouped(worst.turn);
  return h("figure", {}, h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Error over time" },
    s("svg.path.over-time", { viewBox: "0 0 570 166", width: 570, height: 166, role: "img", "aria-label": words }, grid,
      fault && s("rect.fault", { x: x(fault[0]), width: Math.max(4, x(fault[1]) - x(fault[0])), y: 14, height: 120 }),
      s("line.axis", { x1: 48, x2: 560, y1: y(0), y2: y(0) }),
      s("polyline", { points: points.map(({ error, turn }) => x(turn) + "," + y(height(error))).join(" ") }),
      points.map(({ error, turn }) => s("circle", { cx: x(turn), cy: y(height(error)), r: points.length > 40 ? 2.2 : 3.2 }, s("title", {}, noun + " " + grouped(turn) + ": " + rough(error)))),
      s("text", { x: 52, y: 156 }, noun + " 1"), s("text", { x: 552, y: 156, "text-anchor": "end" }, grouped(last)))),
  h("figcaption", {}, words + "."));
}

/** How many digits were right, and how often. @param {Samples} samples */
function distribution(samples) {
  /** @type {number[]} */
  const bins = Array(17).fill(0);
  for (const error of samples.errors) bins[Math.floor(digitsLeft(error))]++;
  const most = Math.max(...bins);
  const x = (/** @type {number} */ digits) => 20 + digits * 19;
  const tall = (/** @type {number} */ count) => (count / most) * 112;
  const share = (/** @type {number} */ count) => Math.round((count / samples.errors.length) * 100);
  const ordered = samples.errors.map(digitsLeft).sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => Math.floor(ordered[Math.floor(part * (ordered.length - 1))]);
  const words = "Digits right: " + at(0) + " at worst, " + at(0.5) + " in the middle, " + at(1) + " at best";
  return h("figure", {}, h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Distribution of errors" },
    s("svg.bins", { viewBox: "0 0 350 166", width: 350, height: 166, role: "img", "aria-label": words },
      bins.map((count, digits) => count > 0 && s("rect.heat" + heat(10 ** -digits), { x: x(digits), y: 132 - tall(count), width: 16, height: tall(count) }, s("title", {}, digits + " digits right: " + share(count) + "%"))),
      s("line.axis", { x1: 16, x2: 346, y1: 133, y2: 133 }),
      [0, 4, 8, 12, 16].map((digits) => s("text", { x: x(digits) + 8, y: 148, "text-anchor": "middle" }, digits)),
      s("text", { x: 182, y: 163, "text-anchor": "middle" }, "digits right"))),
  h("figcaption", {}, words + "."));
}

/** The errors of a finding's operation over the run. @param {Operation | undefined} operation */
function histories(operation) {
  const samples = operation?.samples;
  if (!operation || !samples || samples.errors.length < 2) return null;
  return section("The operation over the whole run", h("p.dim", {}, operation.operation + " at ", placeLink(operation.place), " ran " + counted(operation.count, "time") +
    (samples.every > 1 ? "; one of " + grouped(samples.every) + " is drawn." : ".")),
  h("div.pair", {}, overTime(samples, operation.count, "result"), distribution(samples)));
}

/** Stages whose error grew too fast. @param {Growth} growth */
function growthChart(growth) {
  const words = counted(growth.faults, "stage") + " of " + grouped(growth.stages) + " grew faster than linearly, from stage " +
    growth.first + " to " + growth.last + "; in the last of them the error went from " + rough(growth.before) + " to " + rough(growth.after) + ".";
  const drawn = growth.samples && growth.samples.errors.length > 1;
  return [h("p", {}, words), drawn && overTime(/** @type {Samples} */ (growth.samples), growth.stages, "stage", [growth.first, growth.last])];
}

/** A line as high as a word. @param {Samples} samples */
function sparkline(samples) {
  const step = 180 / Math.max(1, samples.errors.length - 1);
  const words = "From error " + rough(samples.errors[0]) + " to " + rough(samples.errors[samples.errors.length - 1]);
  return s("svg.path.spark", { viewBox: "0 0 184 30", width: 184, height: 30, role: "img", "aria-label": words }, s("title", {}, words),
    s("line.axis", { x1: 0, x2: 184, y1: 28, y2: 28 }),
    s("polyline", { points: samples.errors.map((error, at) => 2 + at * step + "," + (28 - height(error) * 26)).join(" ") }));
}
