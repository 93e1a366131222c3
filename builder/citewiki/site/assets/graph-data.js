/* What the graphs share: their data as objects, and small things for drawing them. */
(() => {
  "use strict";

  /* Columns (GraphData.columns in graph.py) as nodes that know their neighbours, and edges. */
  function read(data) {
    const value = (name, index, other) => (data[name] ? data[name][index] : other);
    const nodes = data.title.map((title, index) => {
      const domain = value("domain", index, -1);
      return {
        index, title, domain,
        url: value("url", index, ""),
        summary: value("summary", index, ""),
        links: value("links", index, 0),
        missing: !!value("missing", index, 0),
        rank: value("rank", index, 0),
        colour: data.colours ? data.colours[domain] : -1,
        x: value("x", index, 0) / 1e4,
        y: value("y", index, 0) / 1e4,
        out: [],
        back: [],
      };
    });
    const edges = [];
    for (const node of nodes) {
      for (const end of value("out", node.index, [])) {
        edges.push([node, nodes[end]]);
        node.out.push(nodes[end]);
        nodes[end].back.push(node);
      }
    }
    return { nodes, edges, domains: data.domains || [] };
  }

  /* A node with what it links to and what links to it. */
  const near = (node) => (node.near ||= new Set([node, ...node.out, ...node.back]));

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /* The nearest of a node's neighbours in the direction of an arrow key; sideways counts double.
     Places are pixels: sx, sy. */
  function beside(from, key) {
    const [dx, dy] = STEPS[key];
    let best = null;
    let least = Infinity;
    for (const node of near(from)) {
      const [x, y] = [node.sx - from.sx, node.sy - from.sy];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (node.off || ahead < 0.5 || aside > 2 * ahead || ahead + 2 * aside >= least) continue;
      [best, least] = [node, ahead + 2 * aside];
    }
    return best;
  }

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const clip = (text, most) => (text.length > most ? [...text].slice(0, most - 1).join("") + "…" : text);
  /* A long title by its last part: what is before is what its neighbours start with too. */
  function short(title) {
    const last = title.length > 28 ? title.split(/[:：›|] /).at(-1) : title;
    return clip(last.length > 9 ? last : title, 28);
  }

  const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  /* Calls `start` with the data of every element that matches, when it comes into sight; also of
     those that instant navigation brings. */
  function each(selector, start) {
    const open = async (box) => {
      try {
        const here = box.querySelector("script");
        start(box, here ? JSON.parse(here.textContent) : await (await fetch(box.dataset.src)).json());
      } catch (error) {
        box.append(element("p", { class: "cw-graph-failed" }, "The graph cannot be loaded."));
        console.warn(error);
      }
    };
    const sight = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        sight.unobserve(target);
        open(target);
      }
    }, { rootMargin: "200px" });
    const all = () => {
      for (const box of document.querySelectorAll(`${selector}:not([data-ready])`)) {
        box.dataset.ready = "1";
        sight.observe(box);
      }
    };
    if (window.document$) window.document$.subscribe(all);
    else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
    else all();
  }

  window.citewikiGraph = { read, near, STEPS, beside, element, clip, short, overlap, each };
})();
