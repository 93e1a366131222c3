/* A small graph as SVG: what lies around a page, or the most central pages of the whole wiki.

   <div class="cw-graph" data-mini data-at><script type="application/json">   around the first node
   <div class="cw-graph" data-mini data-src="graph/core.json"> */
(() => {
  "use strict";

  const { read, near, STEPS, beside, element, clip, short, overlap, each } = window.citewikiGraph;
  const svg = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };

  class Near {
    constructor(box, graph) {
      this.box = box;
      this.base = box.dataset.base || "./";
      this.tip = element("div", { class: "cw-tip", hidden: "" });
      this.show(graph);
      new ResizeObserver(() => this.place()).observe(box);
    }

    show(graph) {
      Object.assign(this, graph);
      this.at = "at" in this.box.dataset ? this.nodes[0] : null;
      const crowd = this.nodes.length > 40 ? 0.7 : 1;
      for (const node of this.nodes) {
        node.r = crowd * Math.min(13, 3.5 + 3 * Math.sqrt(node.rank));
        node.disc = svg("circle", { r: node.r });
        node.text = svg("text", {}, node === this.at ? clip(node.title, 44) : short(node.title));
        const link = node.url && node !== this.at ? { href: this.href(node), "aria-label": node.title } : {};
        node.mark = svg("a", link, node.disc);
        if (node.colour >= 0) node.mark.style.setProperty("--dot", `var(--cw-${node.colour})`);
        node.parts = [node.mark, node.text];
        const kind = node === this.at ? "cw-here" : node.missing ? "cw-absent" : "cw-there";
        for (const part of node.parts) part.classList.add(kind);
        node.mark.addEventListener("pointerenter", () => this.choose(node));
        node.mark.addEventListener("focus", () => this.choose(node));
      }
      this.lines = this.edges.map(([a]) => {
        const line = svg("path", { class: this.at ? "cw-arrow" : "" });
        if (a.colour >= 0) line.style.setProperty("--dot", `var(--cw-${a.colour})`);
        return line;
      });
      const label = this.at ? `What ${this.at.title} is linked with` : `The ${this.nodes.length} most central pages`;
      const drawn = svg("svg", { role: "group", "aria-label": label }, ...this.lines, ...this.nodes.map((node) => node.mark), ...this.nodes.map((node) => node.text));
      drawn.addEventListener("pointerleave", () => this.choose(null));
      drawn.addEventListener("focusout", () => this.choose(null));
      drawn.addEventListener("keydown", (event) => this.key(event));
      drawn.addEventListener("click", (event) => this.tap(event));
      if (this.svg) this.svg.replaceWith(drawn);
      else this.box.append(drawn, this.tip);
      this.svg = drawn;
      this.active = null;
      this.place();
    }

    href(node) {
      return this.base + encodeURI(node.url).replace(/[?#]/g, encodeURIComponent);
    }

    /* Data [-1, 1] → pixels, then titles where none runs into another. */
    place() {
      const { width, height } = this.box.getBoundingClientRect();
      if (!width || !height) return;
      const [x, y] = [Math.max(40, width / 2 - (this.at ? 90 : 40)), Math.max(40, height / 2 - 36)];
      const stretch = this.at ? Infinity : 1.8;
      for (const node of this.nodes) {
        node.sx = width / 2 + node.x * Math.min(x, y * stretch);
        node.sy = height / 2 + node.y * Math.min(y, x * stretch);
        node.disc.setAttribute("cx", node.sx);
        node.disc.setAttribute("cy", node.sy);
      }
      this.edges.forEach(([a, b], index) => this.lines[index].setAttribute("d", this.line(a, b)));
      this.write(width, height);
    }

    /* A line that ends at the rim of the node it points to, with a head where it is an arrow. */
    line(a, b) {
      const length = Math.hypot(b.sx - a.sx, b.sy - a.sy) || 1;
      const [ux, uy] = [(b.sx - a.sx) / length, (b.sy - a.sy) / length];
      const [x, y] = [b.sx - ux * (b.r + 2), b.sy - uy * (b.r + 2)];
      const shaft = `M${a.sx} ${a.sy}L${x} ${y}`;
      if (!this.at) return shaft;
      const [left, right] = [1, -1].map((side) => `${x - 6 * ux - 3 * side * uy} ${y - 6 * uy + 3 * side * ux}`);
      return `${shaft}M${left}L${x} ${y}L${right}`;
    }

    write(width, height) {
      const taken = [];
      const order = [...this.nodes].sort((a, b) => (b === this.at) - (a === this.at) || b.rank - a.rank);
      const most = this.at ? 60 : 34;
      for (const node of order) {
        node.wide ||= node.text.getComputedTextLength();
        const half = node.wide / 2 + 3;
        const x = Math.min(width - half, Math.max(half, node.sx));
        const rows = [node.sy + node.r + 11, node.sy - node.r - 9]; // below the node, else above
        if (this.at && node.sy < height / 2 - 1) rows.reverse();
        const boxes = rows.map((row) => [x - half, row - 8, x + half, row + 8]);
        const box = boxes.find((one) => !taken.some((other) => overlap(one, other)));
        const shown = taken.length < most && (box || (node === this.at && boxes[0]));
        node.text.classList.toggle("cw-untold", !shown);
        if (shown) taken.push(shown);
        node.text.setAttribute("x", x);
        node.text.setAttribute("y", (shown || boxes[0])[1] + 12);
      }
    }

    choose(node) {
      if (node === this.active) return;
      this.active = node;
      const lit = node && near(node);
      this.svg.classList.toggle("cw-dim", !!node);
      for (const one of this.nodes) for (const part of one.parts) part.classList.toggle("cw-lit", !!lit && lit.has(one));
      this.edges.forEach(([a, b], index) => this.lines[index].classList.toggle("cw-lit", a === node || b === node));
      this.tip.hidden = !node || node === this.at;
      if (this.tip.hidden) return;
      const facts = [node.missing ? "no such page yet" : this.domains[node.domain], `linked from ${node.links}`];
      this.tip.replaceChildren(
        element("b", {}, node.title),
        element("small", {}, facts.filter(Boolean).join(" · ")),
        element("span", {}, node.summary),
      );
      const { width, height } = this.box.getBoundingClientRect();
      this.tip.classList.toggle("cw-tip-left", node.sx > width / 2);
      this.tip.classList.toggle("cw-tip-up", node.sy > height / 2);
      this.tip.style.cssText = `--x:${node.sx}px;--y:${node.sy}px;--r:${node.r + 8}px`;
    }

    key(event) {
      const from = this.nodes.find((node) => node.mark === document.activeElement) || this.at;
      if (event.key === "Escape") document.activeElement.blur();
      else if (STEPS[event.key] && from) beside(from, event.key)?.mark.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    /* A finger's first tap shows a page, the second opens it. */
    tap(event) {
      const node = this.nodes.find((one) => one.mark.contains(event.target));
      if (event.pointerType === "touch" && node && node !== this.tapped) event.preventDefault();
      this.tapped = node;
      this.choose(node || null);
    }
  }

  /* Links one or two away. The second is fetched when it is asked for. */
  function depths(graph, data) {
    const { box, base } = graph;
    const button = (depth) => {
      const made = element("button", { type: "button", "aria-pressed": depth === 1 }, depth);
      made.addEventListener("click", async () => {
        const wider = () => import(new URL(`${base}assets/graph-around.js`, document.baseURI));
        const shown = depth === 1 ? read(data) : await (await wider()).around(base, data.url[0]);
        box.classList.toggle("cw-graph-wide", depth === 2);
        graph.show(shown);
        for (const one of row.querySelectorAll("button")) one.setAttribute("aria-pressed", one === made);
      });
      return made;
    };
    const whole = element("a", { href: `${base}graph/#${encodeURI(data.url[0])}` }, "Whole graph");
    const row = element("div", { class: "cw-depth", role: "group", "aria-label": "Links away" }, button(1), button(2), whole);
    box.append(row);
  }

  each(".cw-graph[data-mini]", (box, data) => {
    box.graph = new Near(box, read(data));
    if (box.graph.at) depths(box.graph, data);
  });
})();
