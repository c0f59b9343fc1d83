// Small drawings: a value beside its ideal, errors along a path, all operations by count and error.

/** The value and its ideal on a line, and their digits as far as they agree. @param {Values} values */
function numberLine(values) {
  const { value, ideal } = values;
  const radius = Math.max(0, real(values.radius)) || 0;
  const ends = [value, ideal, ideal - radius, ideal + radius].filter(Number.isFinite);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const width = high - low || Math.abs(high) || 1;
  // Zero is a landmark where it is near.
  const zero = low - width <= 0 && high + width >= 0;
  const [from, to] = [Math.min(low - width * 0.15, zero ? 0 : Infinity), Math.max(high + width * 0.15, zero ? 0 : -Infinity)];
  const x = (/** @type {number} */ at) => 20 + ((at - from) / (to - from)) * 560;
  const words = "value " + values.value_text + ", ideal " + values.ideal_text;
  const tick = (/** @type {string} */ kind, /** @type {number} */ at, /** @type {string} */ text, /** @type {number} */ y) => {
    const anchor = x(at) > 400 ? "end" : x(at) < 200 ? "start" : "middle";
    return s("g." + kind, {}, s("line", { x1: x(at), x2: x(at), y1: 34, y2: 56 }), s("text", { x: x(at), y, "text-anchor": anchor }, text));
  };
  return h("figure.numberline", {},
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Value and ideal" },
      s("svg", { viewBox: "0 0 600 84", width: 600, height: 84, role: "img", "aria-label": words },
        s("line.axis", { x1: 8, x2: 592, y1: 45, y2: 45 }),
        radius > 0 && s("rect.radius", { x: x(ideal - radius), width: Math.max(1, x(ideal + radius) - x(ideal - radius)), y: 39, height: 12 }),
        zero && tick("zero", 0, "0", 78),
        tick("value", value, "value " + values.value_text, 22), tick("ideal", ideal, "ideal " + values.ideal_text, 74))),
    h("figcaption", {}, agreeing(values)));
}

/** @param {Values} values */
function agreeing(values) {
  const [a, b] = [values.value_text, values.ideal_text];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  const one = (/** @type {string} */ name, /** @type {string} */ text) =>
    h("span.agree", {}, name + " ", h("code", {}, h("b", {}, text.slice(0, same)), text.slice(same)));
  return [one("value", a), " ", one("ideal", b)];
}

/** The relative error after each step of the blame path. @param {Cause[]} path */
function pathChart(path) {
  const errors = path.map((cause) => Math.max(-18, Math.min(2, Math.log10(real(cause.measured?.error || 0) || 1e-18))));
  if (errors.length < 2 || errors.some(Number.isNaN)) return null;
  const step = Math.max(46, Math.min(120, 560 / errors.length));
  const width = 60 + step * errors.length;
  const y = (/** @type {number} */ log) => 14 + ((2 - log) / 20) * 130;
  const x = (/** @type {number} */ at) => 56 + step * (at + 0.5);
  const grid = [0, -4, -8, -12, -16].map((log) => s("g.grid", {}, s("line", { x1: 50, x2: width, y1: y(log), y2: y(log) }),
    s("text", { x: 44, y: y(log) + 4, "text-anchor": "end" }, "1e" + log)));
  const words = "Relative error after each step: " + path.map((cause) => cause.measured?.error_text).join(", ");
  return h("figure", {}, h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Error along the path" },
    s("svg.path", { viewBox: "0 0 " + width + " 176", width, height: 176, role: "img", "aria-label": words }, grid,
      s("polyline", { points: errors.map((log, at) => x(at) + "," + y(log)).join(" ") }),
      errors.map((log, at) => s("g", {}, s("title", {}, path[at].effect), s("circle", { cx: x(at), cy: y(log), r: 4 }),
        s("text", { x: x(at), y: 168, "text-anchor": "middle" }, at + 1))))),
  h("figcaption", {}, "Relative error after each step of the path that most of it took; the steps are those below."));
}

const MOST_POINTS = 2000;

/** Operations by how often they ran and how wrong they were at worst. @param {Operation[]} operations */
function scatter(operations) {
  const shown = operations.slice(0, MOST_POINTS);
  const most = Math.max(1, ...shown.map((one) => Math.log10(Math.max(1, one.count))));
  const x = (/** @type {Operation} */ one) => 60 + (Math.log10(Math.max(1, one.count)) / most) * 600;
  const y = (/** @type {Operation} */ one) => 20 + (digitsLeft(one.max) / 16) * 260;
  const grid = [0, 4, 8, 12, 16].map((digits) => s("g.grid", {}, s("line", { x1: 56, x2: 676, y1: 20 + digits * 16.25, y2: 20 + digits * 16.25 }),
    s("text", { x: 50, y: 24 + digits * 16.25, "text-anchor": "end" }, digits)));
  const powers = Array.from({ length: Math.floor(most) + 1 }, (_, power) => power).filter((power) => most < 8 || power % 2 === 0);
  const counts = powers.map((power) => s("text", { x: 60 + (power / most) * 600, y: 300, "text-anchor": "middle" }, power < 6 ? grouped(10 ** power) : "1e" + power));
  const words = "Operations: how often each ran, across, and digits left at its worst, downwards. The table has the same numbers; a dot leads to its line.";
  const points = shown.map((one) => {
    const text = one.operation + " at " + one.place.text + ": " + grouped(one.count) + " times, largest error " + rough(one.max);
    return s("circle.heat" + heat(one.max), { cx: x(one), cy: y(one), r: 4, onclick: () => { if (one.place.file !== undefined) location.hash = lineAddress(one.place.file, one.place.line); } }, s("title", {}, text));
  });
  return h("figure", {}, h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Scatter of operations" },
    s("svg.scatter", { viewBox: "0 0 690 330", width: 690, height: 330, role: "img", "aria-label": words }, grid, counts, points,
      s("text", { x: 360, y: 322, "text-anchor": "middle" }, "times it ran"), s("text", { x: 60, y: 12 }, "digits left at its worst"))),
  operations.length > MOST_POINTS && h("figcaption", {}, "The " + grouped(MOST_POINTS) + " operations with the largest errors are drawn."));
}
