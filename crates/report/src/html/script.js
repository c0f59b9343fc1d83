"use strict";
(function () {
  const list = document.getElementById("findings");
  if (!list) return;
  const byId = (id) => document.getElementById(id);
  const cards = Array.from(list.children);
  const number = (card, key) => Number(card.dataset[key]);
  const text = (a, b, key) => (a.dataset[key] < b.dataset[key] ? -1 : a.dataset[key] > b.dataset[key] ? 1 : 0);
  const orders = {
    rank: () => 0,
    bits: (a, b) => number(b, "bits") - number(a, "bits"),
    count: (a, b) => number(b, "count") - number(a, "count"),
    place: (a, b) => text(a, b, "place"),
    kind: (a, b) => text(a, b, "kind"),
  };

  function sort() {
    const order = orders[byId("order").value];
    cards.sort((a, b) => order(a, b) || number(a, "rank") - number(b, "rank"));
    list.append(...cards);
  }

  function filter() {
    const words = byId("filter").value.toLowerCase().split(/\s+/);
    const kind = byId("kind").value;
    let shown = 0;
    for (const card of cards) {
      const content = card.textContent.toLowerCase();
      const fits = (!kind || card.dataset.kind === kind) && words.every((word) => content.includes(word));
      card.hidden = !fits;
      shown += fits;
    }
    byId("none").hidden = shown > 0;
  }

  function expand() {
    const open = cards.some((card) => !card.open);
    for (const card of cards) card.open = open;
    byId("expand").textContent = open ? "Close all" : "Open all";
  }

  byId("controls").hidden = false;
  byId("order").addEventListener("change", sort);
  byId("kind").addEventListener("change", filter);
  byId("filter").addEventListener("input", filter);
  byId("expand").addEventListener("click", expand);
})();
