// A browser for all tests of a file, and pages that must not complain.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const folder = process.env.PAGES;
assert(folder, "PAGES names the folder of pages: cargo test -p nonius-report --test page makes them");

export async function launch() {
  const executablePath = PROGRAMS.find(existsSync);
  assert(executablePath, "there is no Chromium: './x setup --tests' installs it");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page and runs what is given; nothing may be logged as an error, and nothing loaded. */
export async function withPage(browser, name, address, work, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push("loads " + request.url()));
  await page.goto(pathToFileURL(join(folder, name + ".html")) + address, { waitUntil: "commit" });
  // Without a script the page is what its whole text is.
  await (options.javaScriptEnabled === false ? page.waitForLoadState("load") : ready(page));
  const outcome = await work(page);
  assert.deepEqual(complaints, [], name + address);
  await context.close();
  return outcome;
}

export async function ready(page) {
  await page.waitForSelector("html[data-ready]", { timeout: 30_000 });
}

/** Goes on to another address of the same page. */
export async function go(page, address) {
  await page.evaluate((hash) => {
    delete document.documentElement.dataset.ready;
    location.hash = hash;
  }, address);
  await ready(page);
}
