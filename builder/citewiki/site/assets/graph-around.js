/* A page's graph up to two links away: loaded by graph-near.js when a reader asks for it. */
const { read, near } = window.citewikiGraph;
const MOST = 90; // pages shown

/* The part of the whole graph within two links of the page at `url`, the most central pages of it, laid
   out anew: pages repel, links pull, and the page stays in the middle. */
export async function around(base, url) {
  const graph = read(await (await fetch(`${base}graph/data.json`)).json());
  const at = graph.nodes.find((node) => node.url === url);
  const rings = [new Set([at]), near(at)];
  const far = new Set([...rings[1]].flatMap((node) => [...near(node)]));
  const order = [...far].sort((a, b) => rings[1].has(b) - rings[1].has(a) || b.rank - a.rank || a.index - b.index);
  const nodes = [at, ...order.filter((node) => node !== at)].slice(0, MOST);
  const kept = new Set(nodes);
  const edges = graph.edges.filter(([a, b]) => kept.has(a) && kept.has(b));
  nodes.forEach((node, index) => {
    const angle = index * 2.399963; // the golden angle spreads any number evenly
    const ring = index ? 0.3 + (rings[1].has(node) ? 0 : 0.4) : 0;
    [node.x, node.y] = [ring * Math.cos(angle), ring * Math.sin(angle)];
    node.out = node.out.filter((end) => kept.has(end));
    node.back = node.back.filter((end) => kept.has(end));
    node.near = null;
  });
  for (let turn = 0; turn < 150; turn++) {
    const push = (a, b, strength) => {
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const force = strength(Math.max(0.02, Math.hypot(dx, dy)));
      for (const [node, sign] of [[a, -1], [b, 1]]) {
        node.fx = (node.fx || 0) + sign * dx * force;
        node.fy = (node.fy || 0) + sign * dy * force;
      }
    };
    nodes.forEach((a, index) => nodes.slice(index + 1).forEach((b) => push(a, b, (far) => 0.012 / far ** 2)));
    for (const [a, b] of edges) push(a, b, () => -0.35);
    const most = 0.06 * (1 - turn / 150);
    for (const node of nodes) {
      const length = Math.hypot(node.fx, node.fy) || 1;
      const step = node === at ? 0 : Math.min(most, length) / length;
      node.x += node.fx * step;
      node.y += node.fy * step;
      node.fx = node.fy = 0;
    }
  }
  const reach = nodes.reduce((most, node) => Math.max(most, Math.abs(node.x), Math.abs(node.y)), 0.1);
  for (const node of nodes) { // what is near the middle is crowded, and what is far is far
    const grown = (Math.hypot(node.x, node.y) / reach || 1) ** -0.45 / reach;
    node.x *= grown;
    node.y *= grown;
  }
  return { ...graph, nodes, edges };
}
