// Long lists grow as they are scrolled: 10,000 findings are not made into elements before somebody looks for them.

const STEP = 60;

/**
 * Fills a list with as many items as are looked at.
 * @param {HTMLElement} list @param {number} length @param {(at: number) => Node} make
 */
function grow(list, length, make) {
  let made = 0;
  const more = h("button", { type: "button", onclick: () => add(STEP * 4) });
  const end = h(list.tagName === "TBODY" ? "tr" : "li", { class: "more" }, list.tagName === "TBODY" ? h("td", { colspan: 20 }, more) : more);
  const watch = new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting)) add(STEP);
  }, { rootMargin: "1200px" });

  /** @param {number} wish */
  function add(wish) {
    const until = Math.min(length, made + wish);
    end.remove();
    const batch = document.createDocumentFragment();
    for (; made < until; made++) batch.append(make(made));
    list.append(batch);
    if (made < length) {
      more.textContent = "Show more (" + grouped(length - made) + " left)";
      list.append(end);
      // Observed anew: if it is still in sight, that is told again.
      watch.unobserve(end);
      watch.observe(end);
    } else watch.disconnect();
  }

  add(STEP);
  growing = { all: () => add(Math.min(length, 2000)) };
}

/** What grows now, for printing. @type {{ all: () => void } | null} */
let growing = null;
