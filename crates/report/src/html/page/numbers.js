// Numbers as people read them, and what they mean for a drawing.

/** @param {number} n */
function grouped(n) {
  return n.toLocaleString("en-US");
}

/** @param {number} n @param {string} noun */
function counted(n, noun) {
  return grouped(n) + " " + noun + (n === 1 ? "" : "s");
}

/** @param {Num} x */
function real(x) {
  return typeof x === "number" ? x : x === "inf" ? Infinity : x === "-inf" ? -Infinity : NaN;
}

/** An error: two digits are plenty. @param {Num} x */
function rough(x) {
  const size = real(x);
  if (size === 0 || !Number.isFinite(size)) return typeof x === "number" ? String(x) : x;
  return size >= 0.1 && size < 1000 ? String(Number(size.toPrecision(2))) : size.toExponential(1);
}

/** Decimal digits that a relative error leaves of a double's 16. @param {Num} error */
function digitsLeft(error) {
  const size = real(error);
  if (Number.isNaN(size)) return 0;
  return size === 0 ? 16 : Math.max(0, Math.min(16, -Math.log10(size)));
}

/** How hot a line is, from 0 (all digits right) to 8 (none). @param {Num} error */
function heat(error) {
  const size = real(error);
  if (!(size > 0)) return 0;
  // A few units in the last place are what arithmetic does.
  return Math.max(0, Math.min(8, Math.ceil((15 - digitsLeft(error)) / 2)));
}

/** A bar of how much is right, that reads without colours. @param {number} share @param {string} words */
function bar(share, words) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return s("svg.bar", { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": words },
    s("title", {}, words),
    s("rect.lost", { x: 0, y: 0, width: 100, height: 10 }),
    s("rect.right", { x: 0, y: 0, width, height: 10 }));
}

/** @param {Row} row */
function digitsBar(row) {
  if (!row.bits) return null;
  const [left, all] = row.bits;
  const digits = (/** @type {number} */ bits) => Math.round(bits * Math.LOG10E * Math.LN2);
  const words = digits(left) + " of " + digits(all) + " digits right";
  return h("span.digits", {}, bar(left / all, words), h("span", {}, words));
}
