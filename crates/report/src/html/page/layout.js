// Layers for a graph: errors flow downwards, from where they were introduced to the finding.
// Longest paths give the layers (edges that close a loop are left out), a node for each layer that a long edge passes
// keeps it apart from boxes, and medians of neighbours, swept down and up, put related nodes above each other.

/** @typedef {{ id: number, layer: number, x: number, at: number, dummy: boolean }} Box */
/** @typedef {{ from: number, to: number, chain: Box[], loops: boolean }} Line */

/**
 * @param {number[]} ids @param {[number, number][]} edges from operand to result
 * @returns {{ boxes: Map<number, Box>, lines: Line[], layers: Box[][] }}
 */
function layered(ids, edges) {
  const loops = closing(ids, edges);
  const straight = edges.filter((_, at) => !loops.has(at));
  const depth = depths(ids, straight);
  const deepest = Math.max(0, ...depth.values());
  /** @type {Map<number, Box>} */
  const boxes = new Map();
  /** @type {Box[][]} */
  const layers = Array.from({ length: deepest + 1 }, () => []);
  const place = (/** @type {number} */ id, /** @type {number} */ layer, /** @type {boolean} */ dummy) => {
    const box = { id, layer, x: 0, at: layers[layer].length, dummy };
    layers[layer].push(box);
    return box;
  };
  for (const id of ids) boxes.set(id, place(id, deepest - (depth.get(id) || 0), false));
  const lines = edges.map(([from, to], at) => {
    const [a, b] = [/** @type {Box} */ (boxes.get(from)), /** @type {Box} */ (boxes.get(to))];
    if (loops.has(at)) return { from, to, chain: [a, b], loops: true };
    const chain = [a];
    for (let layer = a.layer + 1; layer < b.layer; layer++) chain.push(place(-1, layer, true));
    return { from, to, chain: [...chain, b], loops: false };
  });
  order(layers, lines);
  return { boxes, lines, layers };
}

/** The edges that close a loop, by their numbers. @param {number[]} ids @param {[number, number][]} edges */
function closing(ids, edges) {
  /** @type {Set<number>} */
  const loops = new Set();
  /** @type {Map<number, "open" | "done">} */
  const state = new Map();
  const into = (/** @type {number} */ id) => edges.flatMap((edge, at) => (edge[1] === id ? [at] : []));
  const visit = (/** @type {number} */ id) => {
    state.set(id, "open");
    for (const at of into(id)) {
      const from = edges[at][0];
      if (state.get(from) === "open") loops.add(at);
      else if (!state.has(from)) visit(from);
    }
    state.set(id, "done");
  };
  for (const id of ids) if (!state.has(id)) visit(id);
  return loops;
}

/** How many steps a node is from the end. @param {number[]} ids @param {[number, number][]} edges */
function depths(ids, edges) {
  /** @type {Map<number, number>} */
  const depth = new Map();
  const of = (/** @type {number} */ id) => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    const out = edges.filter(([from]) => from === id).map(([, to]) => of(to) + 1);
    const own = Math.max(0, ...out);
    depth.set(id, own);
    return own;
  };
  ids.forEach(of);
  return depth;
}

/** @param {Box[][]} layers @param {Line[]} lines */
function order(layers, lines) {
  /** @type {Map<Box, Box[]>} */
  const above = new Map();
  /** @type {Map<Box, Box[]>} */
  const below = new Map();
  for (const { chain } of lines.filter((line) => !line.loops)) {
    for (let at = 1; at < chain.length; at++) {
      above.set(chain[at], [...(above.get(chain[at]) || []), chain[at - 1]]);
      below.set(chain[at - 1], [...(below.get(chain[at - 1]) || []), chain[at]]);
    }
  }
  const sort = (/** @type {Box[]} */ layer, /** @type {Map<Box, Box[]>} */ near) => {
    const wish = new Map(layer.map((box) => [box, middle((near.get(box) || [box]).map((other) => other.x))]));
    layer.sort((a, b) => (wish.get(a) || 0) - (wish.get(b) || 0) || a.at - b.at);
    spread(layer, wish);
  };
  for (const layer of layers) spread(layer, new Map(layer.map((box, at) => [box, at])));
  for (let sweep = 0; sweep < 6; sweep++) {
    for (const layer of layers) sort(layer, above);
    for (const layer of layers.slice().reverse()) sort(layer, below);
  }
  const left = Math.min(...layers.flat().map((box) => box.x));
  for (const box of layers.flat()) box.x -= left;
}

/** Puts a layer's boxes near where they wish to be, a width apart. @param {Box[]} layer @param {Map<Box, number>} wish */
function spread(layer, wish) {
  const gap = (/** @type {Box} */ a, /** @type {Box} */ b) => (a.dummy || b.dummy ? 0.6 : 1);
  let shift = 0;
  layer.forEach((box, at) => {
    box.at = at;
    const least = at === 0 ? -Infinity : layer[at - 1].x + gap(layer[at - 1], box);
    box.x = Math.max(wish.get(box) || 0, least);
    shift += box.x - (wish.get(box) || 0);
  });
  // What was pushed to one side goes back by half on the other.
  for (const box of layer) box.x -= shift / Math.max(1, layer.length);
}

/** @param {number[]} numbers */
function middle(numbers) {
  const ordered = numbers.slice().sort((a, b) => a - b);
  const half = (ordered.length - 1) / 2;
  return (ordered[Math.floor(half)] + ordered[Math.ceil(half)]) / 2;
}
