// A page that is served asks now and then whether its report has changed, and is loaded anew if so.

const PERIOD = 1000;

async function watch() {
  try {
    const answer = await fetch("version", { cache: "no-store" });
    const version = await answer.text();
    if (answer.ok && watched && watched !== version) location.reload();
    if (answer.ok) watched = version;
    document.documentElement.dataset.live = answer.ok ? "yes" : "no";
  } catch {
    document.documentElement.dataset.live = "no";
  }
  setTimeout(watch, PERIOD);
}

let watched = "";
setTimeout(watch, 0);
