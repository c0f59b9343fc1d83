// The causes of a finding as a drawing.

const BOX = { width: 232, height: 76, right: 26, down: 46 };

/**
 * @param {Row} row @param {Cause[]} causes @param {Map<number, string>} source brief source lines by node
 */
function causeGraph(row, causes, source) {
  const nodes = new Map(causes.flatMap((cause) => (cause.measured ? [[cause.measured.node, cause]] : [])));
  if (nodes.size === 0) return null;
  /** @type {[number, number][]} */
  const edges = [];
  for (const [node, cause] of nodes) {
    for (const operand of new Set(cause.measured?.operands)) if (nodes.has(operand)) edges.push([operand, node]);
  }
  const ids = [...nodes.keys()].sort((a, b) => a - b);
  const { boxes, lines, layers } = layered(ids, edges);
  const columns = Math.max(...layers.flat().map((box) => box.x)) + 1;
  const width = columns * (BOX.width + BOX.right) + 24;
  const height = layers.length * (BOX.height + BOX.down) + 54;
  const words = "Causes as a graph: " + counted(nodes.size, "operation") + ", the finding at the bottom. The same as steps below.";
  const drawing = s("svg.graph", { width, height, viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": words },
    s("defs", {}, arrow("arrow"), arrow("arrow-blame")));
  const is = (/** @type {number} */ node) => Boolean(nodes.get(node)?.measured?.dominant);
  for (const line of lines) drawing.append(edge(line, is(line.from) && is(line.to), nodes.get(line.from)));
  for (const [node, cause] of nodes) drawing.append(nodeBox(/** @type {Box} */ (boxes.get(node)), cause, source.get(node)));
  drawing.append(...ending(row, boxes.get(0), layers.length));
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Cause graph" }, drawing);
}

/** @param {string} id */
function arrow(id) {
  return s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" },
    s("path", { d: "M0,0L8,4L0,8z" }));
}

/** @param {Box} box */
function corner(box) {
  return { x: 12 + box.x * (BOX.width + BOX.right), y: 4 + box.layer * (BOX.height + BOX.down) };
}

/** @param {Line} line @param {boolean} blame @param {Cause | undefined} from */
function edge(line, blame, from) {
  const points = line.chain.map((box) => {
    const { x, y } = corner(box);
    return { x: x + BOX.width / 2, top: y, bottom: y + BOX.height };
  });
  const [first, last] = [points[0], points[points.length - 1]];
  const marker = "url(#" + (blame ? "arrow-blame" : "arrow") + ")";
  let path = "M" + first.x + "," + first.bottom;
  if (line.loops) {
    // Back up beside the boxes: the value of the step before.
    const side = Math.max(first.x, last.x) + BOX.width / 2 + 12;
    path = "M" + (first.x + BOX.width / 2) + "," + (first.bottom - 16) + "C" + side + "," + (first.bottom - 16) + " " + side + "," +
      (last.top + 16) + " " + (last.x + BOX.width / 2) + "," + (last.top + 16);
  } else {
    points.slice(1).forEach((point, at) => {
      const before = points[at];
      const half = (before.bottom + point.top) / 2;
      path += "C" + before.x + "," + half + " " + point.x + "," + half + " " + point.x + "," + point.top;
      if (at + 2 < points.length) path += "L" + point.x + "," + point.bottom;
    });
  }
  const error = from?.measured?.error_text || "";
  const next = points[Math.min(1, points.length - 1)];
  return s(blame ? "g.edge.blame" : "g.edge", {}, s("path", { d: path, "marker-end": marker }),
    !line.loops && s("text", { x: (first.x + next.x) / 2 + 5, y: first.bottom + BOX.down / 2 + 4 }, error));
}

/** @param {string} text @param {number} most */
function short(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/** @param {Box} box @param {Cause} cause @param {string | undefined} source */
function nodeBox(box, cause, source) {
  const { x, y } = corner(box);
  const m = /** @type {Numbers} */ (cause.measured);
  const place = cause.place.text.split("/").pop() || "";
  const lines = [cause.operation + (m.count > 1 ? " ×" + grouped(m.count) : ""), place, source || "", "error " + m.error_text];
  const words = [cause.operation + " at " + cause.place.text, source, m.values, cause.effect].filter(Boolean).join("\n");
  return s(m.dominant ? "a.node.blame" : "a.node", { href: "#step-" + m.node, "data-node": m.node },
    s("title", {}, words),
    s("rect", { x, y, width: BOX.width, height: BOX.height, rx: 6 }),
    lines.map((line, at) => s(at === 0 ? "text.name" : at === 2 ? "text.code" : "text", { x: x + 10, y: y + 18 + at * 17 }, short(line, 32))));
}

/** The finding itself, below the operation that made its value. @param {Row} row @param {Box | undefined} made @param {number} layer */
function ending(row, made, layer) {
  if (!made) return [];
  const from = corner(made);
  const middle = from.x + BOX.width / 2;
  const y = 4 + layer * (BOX.height + BOX.down);
  return [
    s("g.edge.blame", {}, s("path", { d: "M" + middle + "," + (from.y + BOX.height) + "L" + middle + "," + y, "marker-end": "url(#arrow-blame)" })),
    s("g.node.end", {}, s("title", {}, row.headline), s("rect", { x: from.x, y, width: BOX.width, height: 44, rx: 22 }),
      s("text.name", { x: middle, y: y + 19, "text-anchor": "middle" }, short(row.kind, 32)),
      s("text", { x: middle, y: y + 35, "text-anchor": "middle" }, short(row.headline, 34))),
  ];
}
