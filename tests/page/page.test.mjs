import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { go, launch, ready, withPage } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const count = (page, selector) => page.locator(selector).count();
const status = (page) => page.locator("#status").innerText();
const FIRST_ID = (page) => page.locator(".findings .finding > a").first().getAttribute("href");

test("the overview says what is wrong, and its links lead there", () => withPage(browser, "20", "", async (page) => {
  assert.match(await page.locator(".sentence").innerText(), /errors were found, .* reached an output/);
  assert.equal(await count(page, ".findings .finding"), 8);
  assert.match(await page.locator("main").innerText(), /nonius run \/opt\/simulation --steps 'a b'/);
  assert.match(await page.locator("main").innerText(), /nonius\.baseline: 3 of its findings are still there, 1 is gone/);
  await page.locator(".tile", { hasText: "reached an output" }).click();
  await page.waitForSelector("#status");
  assert.match(page.url(), /#findings\?reach=output$/);
  assert.ok(await page.locator('input[data-facet="reach"][data-value="output"]').isChecked());
}));

test("filters narrow, count, and are in the address", () => withPage(browser, "500", "#findings", async (page) => {
  assert.match(await status(page), /^500 findings/);
  const said = Number(await page.locator('li:has(> label > input[data-value="nan"]) .count').innerText());
  await page.locator('input[data-facet="kind"][data-value="nan"]').check();
  assert.match(await status(page), new RegExp("^" + said + " findings of 500"));
  assert.match(page.url(), /kind=nan/);
  const shown = await page.locator(".findings .badge").allTextContents();
  assert.ok(shown.length > 0 && shown.every((kind) => kind === "nan"));
  // Another kind widens, another facet narrows.
  await page.locator('input[data-facet="kind"][data-value="cast-flip"]').check();
  const both = parseInt(await status(page), 10);
  assert.ok(both > said);
  await page.locator('input[data-facet="verdict"]').first().check();
  assert.ok(parseInt(await status(page), 10) < both);
  const address = page.url();
  const before = await status(page);
  await page.goto("about:blank");
  await page.goto(address);
  await ready(page);
  assert.equal(await status(page), before);
  await page.locator("#clear").click();
  await page.waitForFunction(() => document.getElementById("status")?.textContent?.startsWith("500"));
}));

test("findings of one MPI rank are picked out", () => withPage(browser, "500", "#findings?mpi=2", async (page) => {
  assert.match(await status(page), /^125 findings of 500/);
  await page.locator('input[data-facet="mpi"][data-value="3"]').check();
  assert.match(await status(page), /^250 findings of 500/);
}));

test("text is searched and lists are sorted", () => withPage(browser, "500", "#findings", async (page) => {
  await page.locator("#search").fill("kernel_007 unit_07");
  const found = await page.locator(".findings .place").allTextContents();
  assert.ok(found.length > 0 && found.every((text) => text.includes("unit_07.c") && text.includes("kernel_007")));
  await page.locator("#search").fill("nothing has this");
  assert.match(await page.locator("#findings").innerText(), /No finding fits the filter/);
  await page.locator("#search").fill("");
  await page.locator("#sort").selectOption("count");
  const counts = (await page.locator(".findings .finding .count").allTextContents()).map((text) => Number(text.replace(/[^0-9]/g, "")));
  assert.deepEqual(counts, counts.slice().sort((a, b) => b - a));
  assert.match(page.url(), /sort=count/);
}));

test("a finding has its graph, its path and its steps", () => withPage(browser, "20", "", async (page) => {
  await go(page, await FIRST_ID(page));
  const nodes = await count(page, ".graph a.node");
  assert.ok(nodes >= 4);
  assert.equal(await count(page, ".graph .node.end"), 1);
  assert.ok((await count(page, ".graph .edge.blame")) >= 2);
  // Boxes of one layer lie beside each other, those of others above and below.
  const boxes = await page.locator(".graph a.node rect").evaluateAll((all) => all.map((one) => one.getBBox()).map(({ x, y, width, height }) => ({ x, y, width, height })));
  for (const [at, a] of boxes.entries()) {
    for (const b of boxes.slice(at + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      assert.ok(apart, JSON.stringify([a, b]));
    }
  }
  const steps = await count(page, ".steps .step");
  assert.equal(steps, nodes);
  assert.ok((await count(page, ".path circle")) >= 2);
  await page.locator(".graph a.node").last().click();
  await page.waitForFunction(() => document.activeElement?.id.startsWith("step-"));
  assert.match(page.url(), /#finding\//);
  assert.equal(await count(page, ".numberline .value"), 1);
  assert.ok((await page.locator("figure mark").count()) >= 1);
}));

test("the source is heated by errors, and lines lead on", () => withPage(browser, "20", "#source", async (page) => {
  assert.ok((await count(page, ".source .line")) >= 240);
  const classes = await page.locator(".source .line").evaluateAll((all) => new Set(all.map((one) => one.className)).size);
  assert.ok(classes > 1, "some lines are hotter");
  const hottest = await page.locator(".source .line").evaluateAll((all) => all.map((one) => Number((one.className.match(/heat(\d)/) || [])[1])).reduce((a, b) => Math.max(a, b)));
  assert.ok(hottest >= 1);
  assert.ok((await count(page, ".source .gutter a")) >= 1);
  await page.locator(".source a.number").first().click();
  await page.waitForSelector("#panel dl, #panel ul");
  assert.match(page.url(), /#source\/.*line=\d+/);
  await page.locator(".source .gutter a").first().click();
  await page.waitForSelector(".finding-view");
}));

test("a finding's path walks through the source", () => withPage(browser, "20", "", async (page) => {
  await go(page, await FIRST_ID(page));
  await page.locator("#walk").click();
  await page.waitForSelector(".walk");
  const steps = Number((await page.locator(".walk h2").innerText()).match(/Step 1 of (\d+)/)[1]);
  assert.ok(steps >= 3 && (await count(page, ".step-number")) >= 1);
  for (let at = 2; at <= steps; at++) {
    await page.locator("#next").click();
    await page.waitForFunction((now) => document.querySelector(".walk h2")?.textContent?.startsWith("Step " + now + " of"), at);
    assert.equal(await count(page, ".step-number.now"), 1);
    assert.match(page.url(), new RegExp("step=" + at));
  }
  await page.keyboard.press("k");
  await page.waitForFunction((now) => document.querySelector(".walk h2")?.textContent?.startsWith("Step " + now + " of"), steps - 1);
}));

test("what feeds a line and what it feeds is told", () => withPage(browser, "20", "", async (page) => {
  await go(page, await FIRST_ID(page));
  await page.locator(".steps .step a.place").first().click();
  await page.waitForSelector("#panel");
  assert.match(await page.locator("#panel").innerText(), /Errors (go on to|come from)/);
}));

test("operations sort by each column", () => withPage(browser, "500", "#statistics", async (page) => {
  assert.ok((await count(page, ".scatter circle")) >= 500);
  const column = async () => (await page.locator("#operations tbody tr:not(.more) td:nth-child(3)").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  await page.locator("#operations-count").click();
  const down = await column();
  assert.deepEqual(down, down.slice().sort((a, b) => b - a));
  await page.locator("#operations-count").click();
  const up = await column();
  assert.deepEqual(up, up.slice().sort((a, b) => a - b));
  assert.match(page.url(), /operations=count.up/);
  assert.equal(await page.locator('#operations th[aria-sort="ascending"]').count(), 1);
}));

test("keys do what the mouse does", () => withPage(browser, "20", "#findings", async (page) => {
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = await page.locator(".findings .finding > a").nth(1).getAttribute("href");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("href")), second);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".finding-view");
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.querySelector(".neighbours span")?.textContent?.includes("finding 3 of"));
  await page.keyboard.press("u");
  await page.waitForSelector("#status");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.id === "search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
}));

test("every link inside a page leads to a view that has something", () => withPage(browser, "20", "", async (page) => {
  const seen = new Set();
  const queue = ["#overview", "#findings", "#source", "#statistics", "#run"];
  while (queue.length && seen.size < 60) {
    const address = queue.shift();
    if (seen.has(address)) continue;
    seen.add(address);
    await go(page, address);
    assert.ok((await page.locator("main").innerText()).length > 40, address);
    assert.ok(!/There is no finding|Nothing is known of line/.test(await page.locator("main").innerText()), address);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.ok(links.every((link) => link.startsWith("#")), "all links stay in the page");
    queue.push(...links.filter((link) => !link.startsWith("#step-") && link !== "#main"));
  }
  assert.ok(seen.size >= 60);
}));

test("10,000 findings can be used at once", () => withPage(browser, "10000", "#findings", async (page) => {
  const times = [];
  for (let turn = 0; turn < 3; turn++) {
    await page.reload({ waitUntil: "commit" });
    await page.waitForSelector(".findings .finding");
    times.push(await page.evaluate(() => performance.now()));
  }
  console.log("10,000 findings, ms to first use: " + times.map(Math.round).join(", "));
  assert.ok((await count(page, ".findings .finding")) <= 400, "the list grows as it is scrolled");
  const start = Date.now();
  await page.locator("#search").fill("unit_11");
  await page.waitForFunction(() => !document.getElementById("status")?.textContent?.startsWith("10,000"));
  console.log("search, ms: " + (Date.now() - start));
  await page.locator("#search").fill("");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => document.querySelectorAll(".findings .finding").length > 100);
}));

test("nothing in a report runs or becomes markup", () => withPage(browser, "hostile", "", async (page) => {
  for (const address of ["#overview", "#findings", "#source", "#statistics", "#bounds", "#run", await FIRST_ID(page), "#source/nowhere?line=1", "#finding/%E0%A4", "#__proto__", "#findings?kind=__proto__&sort=constructor&q=%3Cimg%3E"]) {
    await go(page, address);
    assert.equal(await page.evaluate(() => "hacked" in window), false, address);
    assert.equal(await count(page, "img"), 0, address);
    assert.equal(await page.locator("script:not([id])").count(), 1, address);
    const text = await page.locator("body").innerText();
    assert.ok(!/[\u202a-\u202e\u001b]/.test(text), address);
  }
  await go(page, "#overview");
  assert.match(await page.locator("main").innerText(), /<img src=x onerror/);
}));

test("markup that got in would not run", () => withPage(browser, "1", "", async (page) => {
  // The policy is the second wall; its refusal is logged, so this page has its own listener.
  const refused = page.evaluate(() => new Promise((done) => {
    addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
    setTimeout(() => done("nothing was refused"), 3000);
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    document.body.append(script);
  }));
  assert.match(await refused, /script-src/);
  assert.equal(await page.evaluate(() => "hacked" in window), false);
}).catch((error) => {
  // The browser logs what it refused: that is the one complaint that must be there.
  if (!/Content Security Policy/.test(String(error))) throw error;
}));

test("the list reads without a script", () => withPage(browser, "500", "", async (page) => {
  const text = await page.locator("main").innerText();
  assert.match(text, /precision-loss/);
  assert.equal(await count(page, "#findings > li"), 500);
  assert.match(text, /Where the error comes from/);
}, { javaScriptEnabled: false }));

test("a report without findings says so", () => withPage(browser, "none", "", async (page) => {
  assert.match(await page.locator(".sentence").innerText(), /Nothing was found/);
  for (const address of ["#findings", "#source", "#statistics", "#run"]) await go(page, address);
}));

for (const scheme of ["light", "dark"]) {
  test("accessible by axe's rules, " + scheme, () => withPage(browser, "20", "", async (page) => {
    const first = await FIRST_ID(page);
    for (const address of ["#overview", "#findings", first, "#source", "#source?line=8", "#statistics", "#bounds", "#run"]) {
      await go(page, address);
      // What is evaluated by the driver is not under the page's policy.
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
      assert.deepEqual(serious.map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary).join("\n")), [], address);
    }
  }, { colorScheme: scheme }));
}

test("a phone has room for everything", () => withPage(browser, "20", "", async (page) => {
  for (const address of ["#overview", "#findings", await FIRST_ID(page), "#source", "#statistics", "#bounds", "#run"]) {
    await go(page, address);
    const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= width + 1, address + " is " + wide + " wide on " + width);
  }
}, { viewport: { width: 390, height: 800 }, isMobile: true }));

test("print has the whole list and no controls", () => withPage(browser, "500", "#findings", async (page) => {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await count(page, ".findings .finding"), 500);
  assert.equal(await page.locator("#search").isVisible(), false);
}));

test("errors over time, their distribution and stages are drawn", () => withPage(browser, "20", "#findings", async (page) => {
  const ids = await page.locator(".findings .finding > a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  let drawn = 0;
  let stages = 0;
  for (const id of ids) {
    await go(page, id);
    drawn += await count(page, ".pair .over-time");
    const bars = await count(page, ".bins rect");
    assert.equal(await count(page, ".bins"), await count(page, ".pair .over-time"));
    assert.ok((await count(page, ".bins")) === 0 || bars > 0);
    stages += await count(page, ".over-time .fault");
  }
  assert.ok(drawn >= 6, "of 20 findings " + drawn + " have a history");
  assert.equal(stages, 1);
  await go(page, "#statistics");
  assert.equal(await count(page, "#results tbody tr"), 2);
}));

test("bounds have ranges and what they are sensitive to", () => withPage(browser, "20", "", async (page) => {
  await page.locator(".tabs a", { hasText: "Bounds" }).click();
  await page.waitForSelector(".bound");
  assert.equal(await count(page, ".bound"), 2);
  assert.equal(await page.locator(".bound h3 code").first().innerText(), "<b>x</b>");
  assert.equal(await count(page, ".ranges rect"), 2);
  assert.deepEqual(await page.locator(".bound").first().locator(".sensitivity tbody tr td:nth-child(2)").allTextContents(), ["input x", "subtraction", "call exp"]);
  assert.match(await page.locator(".bound").nth(1).innerText(), /Nothing is known/);
  await page.locator(".bound .sensitivity a").first().click();
  await page.waitForSelector(".source");
}));

test("assertions and tasks have their tables", async () => {
  // No report has them yet: the index of a page is given some, by the fields of the schema.
  const page = readFileSync(join(process.env.PAGES, "1.html"), "utf8");
  const [before, packed] = page.match(/id="part-index">([^<]*)/);
  const index = JSON.parse(gunzipSync(Buffer.from(packed, "base64")));
  const place = { file: 0, line: 7, text: "a.c:7" };
  index.further = {
    assertions: [{ location: place, text: "x <= 1", verdict: "proved" }, { location: place, text: "<i>y</i>", verdict: "failed", counterexample: { x: 2 } }, { text: "z", verdict: "unknown" }],
    tasks: [{ name: "step", count: 3, findings: 0 }, { name: "solve", count: 1200, findings: [index.findings[0].id] }],
  };
  const again = gzipSync(JSON.stringify(index)).toString("base64");
  writeFileSync(join(process.env.PAGES, "further.html"), page.replace(before, () => 'id="part-index">' + again));
  await withPage(browser, "further", "#bounds", async (page) => {
    assert.deepEqual(await page.locator("#assertions tbody tr").allTextContents(), ["failed<i>y</i>a.c:7counterexample x 2", "unknownz", "provedx <= 1a.c:7"]);
    assert.match(await page.locator("#tasks tbody tr").first().innerText(), /solve\s+1,200\s+0{12}/);
    await page.locator("#tasks a").click();
    await page.waitForSelector(".finding-view");
  });
});
