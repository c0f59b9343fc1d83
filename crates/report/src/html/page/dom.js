// Elements are made one by one, and text is only ever text.

const SVG = "http" + "://www.w3.org/2000/svg";

/** @param {Element} element @param {Child} child */
function put(element, child) {
  if (Array.isArray(child)) for (const one of child) put(element, one);
  else if (child instanceof Node) element.append(child);
  else if (child !== null && child !== undefined && child !== false) element.append(String(child));
}

/**
 * An element: its name with classes after dots, attributes, what is in it.
 * Attributes whose names start with "on" are listeners; those that are false or undefined are left out.
 * @param {string} name @param {Record<string, any>} [attributes] @param {...Child} children
 * @returns {HTMLElement}
 */
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return /** @type {HTMLElement} */ (fill(element, attributes, children));
}

/** The same for drawings. @param {string} name @param {Record<string, any>} [attributes] @param {...Child} children */
function s(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  return /** @type {SVGElement} */ (fill(element, attributes, children));
}

/** @param {Element} element @param {Record<string, any> | undefined} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  put(element, children);
  return element;
}

/** A heading with what is under it. @param {string} title @param {...Child} children */
function section(title, ...children) {
  return h("section", {}, h("h2", {}, title), ...children);
}

/** @param {Element} element @param {...Child} children */
function replace(element, ...children) {
  element.replaceChildren();
  put(element, children);
}
