// Keys, for those who do not use a mouse.

/** @type {[string, string][]} */
const KEYS = [["/", "search"], ["j k", "next and previous finding or item"], ["Enter", "open it"], ["u", "back to the list"], ["o f s t b r", "overview, findings, source, statistics, bounds, run"], ["?", "these keys"]];
/** @type {Record<string, string>} */
const VIEW_KEYS = { o: "overview", f: "findings", s: "source", t: "statistics", b: "bounds", r: "run" };

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (Object.hasOwn(VIEW_KEYS, event.key)) location.hash = "#" + VIEW_KEYS[event.key];
  else if (event.key === "u") location.hash = "#findings";
  else if (event.key === "/") searchKey();
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (event.key === "?") help();
  else return;
  event.preventDefault();
}

function searchKey() {
  if (here().view !== "findings") location.hash = "#findings";
  requestAnimationFrame(() => setTimeout(() => document.getElementById("search")?.focus(), 30));
}

/** @param {number} by */
function step(by) {
  if (here().view === "finding" || document.querySelector(".walk")) {
    document.getElementById(by > 0 ? "next" : "before")?.click();
    return;
  }
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".findings .finding > a, .source a.number")]);
  const now = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  items[now < 0 ? 0 : Math.max(0, Math.min(items.length - 1, now + by))]?.focus();
}

function help() {
  const old = document.getElementById("keys");
  if (old) return old.remove();
  const box = h("dialog", { id: "keys", "aria-label": "Keys" }, h("h2", {}, "Keys"), h("dl", {}, KEYS.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("button", { type: "button", onclick: () => box.remove() }, "Close"));
  document.body.append(box);
  /** @type {HTMLDialogElement} */ (box).showModal();
}
