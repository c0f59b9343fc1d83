// A few lines of source around one.

const AROUND = 3;

/** @param {Place} place @param {number} [around] @returns {Promise<HTMLElement | null>} */
async function excerpt(place, around = AROUND) {
  if (place.file === undefined || !index.files[place.file].has_text) return null;
  const lines = linesOf(await sourceOf(place.file));
  if (!lines.has(place.line)) return null;
  const code = h("pre.code", { tabindex: 0, "aria-label": "Source around " + place.text });
  for (let number = place.line - around; number <= place.line + around; number++) {
    const text = lines.get(number);
    if (text === undefined) continue;
    const hit = number === place.line;
    code.append(h(hit ? "span.line.hit" : "span.line", {}, h("span.number", {}, number), h("span.text", {}, hit ? marked(text, place.mark) : text)));
  }
  return code;
}

/** @param {string} text @param {[number, number] | undefined} mark @returns {Child} */
function marked(text, mark) {
  return mark ? [text.slice(0, mark[0]), h("mark", {}, text.slice(...mark)), text.slice(mark[1])] : text;
}

/** The source line of a place, without the blanks around it. @param {Place} place */
async function briefLine(place) {
  if (place.file === undefined || !index.files[place.file].has_text) return "";
  return (linesOf(await sourceOf(place.file)).get(place.line) || "").trim();
}
