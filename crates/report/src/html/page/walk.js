// The path of a finding as numbered steps through the source, from where its error was introduced to where it was seen.

/** @typedef {{ place: Place, words: string }} Step */
/** @typedef {{ id: string, steps: Step[], now: number }} Walk */

/** @param {Detail} detail @returns {Step[]} */
function stepsOf(detail) {
  const steps = blamePath(detail.causes).map((cause) => ({ place: cause.place, words: cause.operation + ": " + cause.effect.replace(/,$/, "") }));
  for (const { role, place } of detail.places) {
    const last = steps[steps.length - 1];
    if (!last || last.place.file !== place.file || last.place.line !== place.line) steps.push({ place, words: role });
  }
  return steps.filter((step) => step.place.file !== undefined);
}

/** @param {string} id @param {Step[]} steps @param {number} at */
function stepAddress(id, steps, at) {
  const { file, line } = steps[at].place;
  return writeAddress("source", index.files[file || 0].path, new Map([["line", [String(line)]], ["finding", [id]], ["step", [String(at + 1)]]]));
}

/** The walk that an address is on. @param {Address} address @returns {Promise<Walk | null>} */
async function walkOf(address) {
  const id = one(address, "finding", "");
  const number = id ? index.findings.findIndex((row) => row.id === id) : -1;
  if (number < 0) return null;
  const steps = stepsOf(await detailOf(number));
  const now = Math.max(0, Math.min(steps.length - 1, Number(one(address, "step", "1")) - 1 || 0));
  return steps.length > 0 ? { id, steps, now } : null;
}

/** @param {Walk} walk */
function walkPanel({ id, steps, now }) {
  const link = (/** @type {number} */ at, /** @type {string} */ name, /** @type {string} */ text) =>
    at >= 0 && at < steps.length ? h("a", { href: stepAddress(id, steps, at), id: name }, text) : h("span.dim", {}, text);
  return h("nav.walk", { "aria-label": "Steps" }, h("h2", {}, "Step " + (now + 1) + " of " + steps.length), h("p", {}, steps[now].words),
    h("p.neighbours", {}, link(now - 1, "before", "← before"), h("a", { href: findingAddress(id) }, "the finding"), link(now + 1, "next", "next →")));
}

/** Puts the numbers of steps beside their lines; of several on one line, that of the one that is shown. @param {Element} code @param {Walk} walk @param {number} file */
function markSteps(code, { id, steps, now }, file) {
  const order = [...steps.keys()].filter((at) => at !== now).reverse().concat(now);
  for (const at of order) {
    const { place, words } = steps[at];
    const gutter = place.file === file && code.querySelector("#L" + place.line + " .gutter");
    if (gutter) replace(gutter, h("a.step-number" + (at === now ? ".now" : ""), { href: stepAddress(id, steps, at), title: words, "aria-label": "Step " + (at + 1) }, at + 1));
  }
}
