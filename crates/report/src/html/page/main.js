// The frame around the views.

/** @type {Record<string, { title: string, show: (address: Address) => Child | Promise<Child> }>} */
const VIEWS = {
  overview: { title: "Overview", show: overview },
  findings: { title: "Findings", show: findingsView },
  source: { title: "Source", show: sourceView },
  statistics: { title: "Statistics", show: statisticsView },
  bounds: { title: "Bounds", show: boundsView },
  run: { title: "Run", show: runView },
};

/** @type {HTMLElement} */
let main;
/** @type {HTMLElement} */
let tabs;

async function start() {
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  try {
    index = await part("index");
  } catch (error) {
    page.append(h("main", {}, h("p.remark", {}, "This page could not be unpacked (" + error + "). A browser of 2023 or later can; 'nonius report' shows the same as text.")));
    return;
  }
  tabs = h("nav.tabs", { "aria-label": "Views" });
  main = h("main", { id: "main", tabindex: -1 });
  page.append(h("a.skip", { href: "#main", onclick: (/** @type {Event} */ event) => { event.preventDefault(); main.focus(); } }, "To the content"),
    h("header", {}, h("h1", {}, "Nonius"), h("p.command", {}, subject()), tabs), main);
  addEventListener("hashchange", show);
  addEventListener("keydown", onKey);
  addEventListener("beforeprint", () => growing?.all());
  await show();
}

let shown = 0;
let last = "";

/** Shows what the address names. */
async function show() {
  // A step of a finding is a place in its view, not a view.
  const step = location.hash.match(/^#step-\d+$/);
  if (step) {
    history.replaceState(null, "", last || "#overview");
    const target = document.getElementById(step[0].slice(1));
    target?.closest("details")?.setAttribute("open", "");
    target?.focus();
    return target?.scrollIntoView({ block: "center" });
  }
  const address = here();
  const turn = ++shown;
  const view = Object.hasOwn(VIEWS, address.view) ? VIEWS[address.view] : null;
  const content = await (address.view === "finding" ? findingView(address) : (view || VIEWS.overview).show(address));
  // Somebody went on while it was unpacked.
  if (turn !== shown) return;
  const moved = last.split("?")[0] !== location.hash.split("?")[0];
  last = location.hash;
  const current = address.view === "finding" ? "findings" : view ? address.view : "overview";
  replace(tabs, Object.entries(VIEWS).filter(([key]) => key !== "bounds" || hasBounds()).map(([key, { title }]) => h("a", { href: "#" + key, "aria-current": key === current ? "page" : undefined },
    title, key === "findings" && h("span.count", {}, " " + grouped(index.findings.length)))), h("button.help", { type: "button", onclick: help, "aria-label": "Keys" }, "?"));
  replace(main, content);
  document.title = (address.view === "finding" ? address.item + ", " : "") + index.run.title;
  document.documentElement.dataset.ready = address.view;
  if (moved) scrollTo(0, 0);
  const line = one(address, "line", "");
  if (line) document.getElementById("L" + line)?.scrollIntoView({ block: "center" });
}
