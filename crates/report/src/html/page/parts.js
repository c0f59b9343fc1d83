// The data of the page lies in it, packed. A part is unpacked when it is first asked for.

/** @type {Index} */
let index;
/** @type {Map<string, Promise<any>>} */
const unpacked = new Map();

/** @param {string} name */
function part(name) {
  let found = unpacked.get(name);
  if (!found) {
    found = unpack(name);
    unpacked.set(name, found);
  }
  return found;
}

/** @param {string} name */
async function unpack(name) {
  const element = document.getElementById("part-" + name);
  if (!element) throw new Error("the page has no part " + name);
  const text = atob(element.textContent || "");
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Everything that is known of a finding. @param {number} number @returns {Promise<Detail>} */
async function detailOf(number) {
  const group = await part("findings-" + Math.floor(number / index.group));
  return group[number % index.group];
}

/** @param {number} file @returns {Promise<SourceText>} */
function sourceOf(file) {
  return part("file-" + file);
}

/** @returns {Promise<Statistics>} */
function statistics() {
  return part("statistics");
}

/** The lines of a file by their numbers. @param {SourceText} source @returns {Map<number, string>} */
function linesOf(source) {
  const lines = new Map();
  for (const [first, texts] of source.runs) texts.forEach((text, at) => lines.set(first + at, text));
  return lines;
}
