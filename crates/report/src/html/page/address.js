// All that a view shows is in the address behind the #, so that a view can be sent: #VIEW/ITEM?SETTING=VALUE.

/** @param {string} hash @returns {Address} */
function readAddress(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  const settings = new Map();
  for (const [key, value] of new URLSearchParams(query || "")) {
    settings.set(key, [...(settings.get(key) || []), value]);
  }
  let item = rest.join("/");
  try {
    item = decodeURIComponent(item);
  } catch {
    // A address that was cut or typed: it is taken as it is.
  }
  return { view: view || "overview", item, settings };
}

/** @param {string} view @param {string} [item] @param {Map<string, string[]>} [settings] */
function writeAddress(view, item, settings) {
  const query = new URLSearchParams();
  for (const [key, values] of settings || []) for (const value of values) query.append(key, value);
  const text = query.toString();
  return "#" + view + (item ? "/" + encodeURIComponent(item) : "") + (text ? "?" + text : "");
}

/** The address now. */
function here() {
  return readAddress(location.hash);
}

/** Sets one setting of the view; an empty list takes it away. @param {string} key @param {string[]} values */
function set(key, values) {
  const now = here();
  if (values.length) now.settings.set(key, values);
  else now.settings.delete(key);
  // Typing and ticking leave no trail of pages to go back through.
  history.replaceState(null, "", writeAddress(now.view, now.item, now.settings));
}

/** @param {Address} address @param {string} key @param {string} usual */
function one(address, key, usual) {
  return (address.settings.get(key) || [usual])[0];
}

/** A link to a line of the source, if there is one to go to. @param {Place} place @param {Child} [text] */
function placeLink(place, text) {
  const words = text === undefined ? place.text : text;
  if (place.file === undefined) return h("code", {}, words);
  return h("a.place", { href: lineAddress(place.file, place.line) }, words);
}

/** @param {number} file @param {number} line */
function lineAddress(file, line) {
  return writeAddress("source", index.files[file].path, new Map([["line", [String(line)]]]));
}

/** @param {string} id */
function findingAddress(id) {
  return writeAddress("finding", id);
}
