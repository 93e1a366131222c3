/* Draws a link graph on a canvas. Places of nodes come with the data; nothing is laid out here.

   <div class="cw-graph" data-src="graph.json">      the whole graph; graph-tools.js adds tools
   <div class="cw-graph" data-at="slug"><script type="application/json">   around one page
   data-mini: no zoom by wheel and no pan by touch, so that the page still scrolls
   data-base: the way up to the site's root, for the addresses of pages */
(() => {
  "use strict";

  const MAX_ZOOM = 40;
  const LABEL_SPACE = 64; // pixels that a title needs before it is drawn

  class Graph {
    constructor(box, data) {
      this.box = box;
      this.base = box.dataset.base || "./";
      this.mini = "mini" in box.dataset;
      this.nodes = data.nodes.map((node, index) => ({ links: 0, x: 0, y: 0, ...node, index }));
      const byId = new Map(this.nodes.map((node) => [node.id, node]));
      this.edges = data.edges.map((edge) => [byId.get(edge.source), byId.get(edge.target)]);
      for (const node of this.nodes) node.near = new Set();
      for (const [a, b] of this.edges) (a.near.add(b), b.near.add(a));
      const most = this.nodes.reduce((sum, node) => Math.max(sum, node.links), 9);
      for (const node of this.nodes) node.size = 3.5 + 10 * Math.sqrt(node.links / most);
      this.ranked = [...this.nodes].sort((a, b) => b.links - a.links || a.index - b.index);
      this.at = byId.get(box.dataset.at) || null;
      this.active = null; // under the pointer, or chosen by search or keyboard
      this.hidden = new Set(); // domains switched off; "" = no domain, "?" = missing pages
      this.view = { x: 0, y: 0, zoom: 1 };
      this.canvas = box.querySelector("canvas") || box.appendChild(document.createElement("canvas"));
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "application");
      this.canvas.setAttribute("aria-label", `Link graph of ${this.nodes.length} pages. ` +
        "Arrow keys move from page to page, Enter opens, plus and minus zoom, Escape lets go.");
      this.tip = box.appendChild(element("div", { class: "cw-tip", role: "status", hidden: "" }));
      this.readColours();
      this.listen();
      this.resize();
    }

    // -- places: data [-1, 1] → pixels ------------------------------------------------------

    get scale() {
      const { width, height } = this;
      const pad = this.at ? 44 : 36;
      // A small graph fills a wide box; the whole one keeps near its proportions.
      const x = Math.max(40, width / 2 - (this.at ? 2.2 * pad : pad));
      const y = Math.max(40, height / 2 - pad);
      const stretch = this.at ? Infinity : this.mini ? 2 : 1.5;
      return [Math.min(x, y * stretch), Math.min(y, x * stretch)];
    }

    place(node) {
      const [sx, sy] = this.scale;
      const { x, y, zoom } = this.view;
      return [
        this.width / 2 + (node.x * sx - x) * zoom,
        this.height / 2 + (node.y * sy - y) * zoom,
      ];
    }

    radius(node) {
      return node.size * Math.min(2.4, Math.max(0.4, this.crowding * Math.sqrt(this.view.zoom)));
    }

    group(node) {
      return node.missing ? "?" : node.domain || "";
    }

    shown(node) {
      return !this.hidden.has(this.group(node));
    }

    // -- drawing ------------------------------------------------------------------------------

    readColours() {
      const style = getComputedStyle(this.box);
      const read = (name) => style.getPropertyValue(name).trim();
      this.colours = Array.from({ length: 12 }, (_, index) => read(`--cw-${index}`));
      this.ink = read("--cw-ink");
      this.faint = read("--cw-faint");
      this.paper = read("--cw-paper");
    }

    colour(node) {
      return this.colours[node.colour] || this.faint;
    }

    redraw() {
      if (this.frame) return;
      this.frame = requestAnimationFrame(() => ((this.frame = 0), this.draw()));
    }

    draw() {
      const { context, active } = this;
      const focus = active && this.shown(active) ? active : null;
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.clearRect(0, 0, this.width, this.height);
      const at = this.nodes.map((node) => this.place(node));
      const line = (wanted, style, width) => {
        context.beginPath();
        for (const [a, b] of this.edges) {
          if (!wanted(a, b) || !this.shown(a) || !this.shown(b)) continue;
          context.moveTo(...at[a.index]);
          context.lineTo(...at[b.index]);
        }
        context.strokeStyle = style;
        context.lineWidth = width;
        context.stroke();
      };
      context.globalAlpha = focus ? 0.12 : this.edges.length > 4000 ? 0.16 : 0.38;
      line(() => true, this.faint, 1);
      if (focus) {
        context.globalAlpha = 0.9;
        line((a, b) => a === focus || b === focus, this.colour(focus), 1.5);
      }
      for (const node of this.nodes) {
        if (!this.shown(node)) continue;
        const [x, y] = at[node.index];
        const radius = this.radius(node);
        if (x < -radius || y < -radius || x > this.width + radius || y > this.height + radius) continue;
        context.globalAlpha = !focus || node === focus || focus.near.has(node) ? 1 : 0.18;
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fillStyle = node.missing ? this.paper : this.colour(node);
        context.fill();
        context.lineWidth = 1.5;
        if (node.missing) {
          context.setLineDash([3, 2]);
          context.strokeStyle = this.faint;
          context.stroke();
          context.setLineDash([]);
        }
        if (node === focus || node === this.at) {
          context.beginPath();
          context.arc(x, y, radius + 3.5, 0, 7);
          context.strokeStyle = this.colour(node);
          context.stroke();
        }
      }
      this.drawTitles(at, focus);
    }

    /* Titles of the most linked pages first, as long as they do not run into one another. */
    drawTitles(at, focus) {
      const { context } = this;
      const taken = [];
      const first = focus ? [focus, ...focus.near] : this.at ? [this.at] : [];
      const few = this.nodes.length <= 40;
      const space = this.mini ? 1.6 * LABEL_SPACE : LABEL_SPACE;
      context.textAlign = "center";
      context.textBaseline = "top";
      context.lineJoin = "round";
      for (const node of new Set([...first, ...this.ranked])) {
        if (!this.shown(node)) continue;
        const [x, y] = at[node.index];
        if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
        const wanted = node === focus || (focus && focus.near.has(node));
        if (focus && !wanted) continue;
        const radius = this.radius(node);
        const room = few || wanted || radius * 9 * Math.sqrt(this.view.zoom) > space;
        if (!room) continue;
        const strong = node === focus || node === this.at;
        context.font = `${strong ? 600 : 400} ${this.mini ? 12 : 12.5}px ${this.font}`;
        const title = clip(node.title, strong ? 60 : 26);
        const half = context.measureText(title).width / 2 + 3;
        const middle = Math.min(this.width - half, Math.max(half, x));
        const rows = [y + radius + 2, y - radius - 19]; // below the node, else above it
        if (this.at && y < this.height / 2 - 1) rows.reverse();
        const boxes = rows.map((top) => [middle - half, top, middle + half, top + 17]);
        const box = boxes.find((one) => !taken.some((other) => overlap(one, other)));
        if (!box && !strong) continue;
        const [, top] = box || boxes[0];
        taken.push(box || boxes[0]);
        context.globalAlpha = node.missing ? 0.7 : 1;
        context.strokeStyle = this.paper;
        context.lineWidth = 4;
        context.strokeText(title, middle, top + 2);
        context.fillStyle = this.ink;
        context.fillText(title, middle, top + 2);
      }
    }

    // -- looking around -----------------------------------------------------------------------

    resize() {
      const { width, height } = this.box.getBoundingClientRect();
      if (!width || !height) return;
      [this.width, this.height] = [width, height];
      this.ratio = Math.min(3, window.devicePixelRatio || 1);
      this.canvas.width = Math.round(width * this.ratio);
      this.canvas.height = Math.round(height * this.ratio);
      this.context = this.canvas.getContext("2d");
      this.font = getComputedStyle(this.box).fontFamily;
      const room = Math.sqrt((width * height) / (this.nodes.length + 1));
      this.crowding = Math.min(1, room / 34);
      this.draw();
    }

    zoomBy(factor, x = this.width / 2, y = this.height / 2) {
      const { view } = this;
      const zoom = Math.min(MAX_ZOOM, Math.max(0.5, view.zoom * factor));
      const [dx, dy] = [x - this.width / 2, y - this.height / 2];
      view.x += dx / view.zoom - dx / zoom;
      view.y += dy / view.zoom - dy / zoom;
      view.zoom = zoom;
      this.redraw();
    }

    fit() {
      this.view = { x: 0, y: 0, zoom: 1 };
      this.redraw();
    }

    goTo(node) {
      const [sx, sy] = this.scale;
      this.view = { x: node.x * sx, y: node.y * sy, zoom: Math.max(this.view.zoom, 2.5) };
      this.choose(node);
    }

    nodeAt(x, y, reach) {
      let best = null;
      let nearest = Infinity;
      for (const node of this.nodes) {
        if (!this.shown(node)) continue;
        const [nx, ny] = this.place(node);
        const distance = Math.hypot(nx - x, ny - y) - this.radius(node);
        if (distance < reach && distance < nearest) [best, nearest] = [node, distance];
      }
      return best;
    }

    choose(node) {
      if (node !== this.active) {
        this.active = node;
        this.canvas.style.cursor = node && node.url ? "pointer" : "";
        this.describe(node);
      }
      this.redraw();
    }

    describe(node) {
      this.tip.hidden = !node || (this.mini && this.at === node);
      if (this.tip.hidden) return;
      const title = node.url
        ? element("a", { href: this.base + encodeURI(node.url) }, node.title)
        : element("b", {}, node.title);
      const facts = node.missing ? "no such page yet" : node.domain || "";
      const links = `${node.links} ${node.links === 1 ? "page links" : "pages link"} here`;
      this.tip.replaceChildren(
        title,
        element("small", {}, [facts, links].filter(Boolean).join(" · ")),
        ...(node.summary ? [element("span", {}, clip(node.summary, 220))] : []),
      );
      const [x, y] = this.place(node);
      this.tip.classList.toggle("cw-tip-left", x > this.width / 2);
      this.tip.classList.toggle("cw-tip-up", y > this.height / 2);
      this.tip.style.setProperty("--x", `${x}px`);
      this.tip.style.setProperty("--y", `${y}px`);
      this.tip.style.setProperty("--r", `${this.radius(node) + 8}px`);
    }

    open(node) {
      if (node && node.url && node !== this.at) location.assign(this.base + encodeURI(node.url));
    }

    // -- input --------------------------------------------------------------------------------

    listen() {
      const { canvas } = this;
      const pointers = new Map();
      const here = (event) => {
        const { left, top } = canvas.getBoundingClientRect();
        return [event.clientX - left, event.clientY - top];
      };
      let moved = 0;
      canvas.addEventListener("pointerdown", (event) => {
        pointers.set(event.pointerId, here(event));
        canvas.setPointerCapture(event.pointerId);
        if (pointers.size === 1) moved = 0;
      });
      canvas.addEventListener("pointermove", (event) => {
        const [x, y] = here(event);
        const before = pointers.get(event.pointerId);
        if (!before) return this.choose(this.nodeAt(x, y, 6));
        if (pointers.size === 2) {
          const [other] = [...pointers].find(([id]) => id !== event.pointerId).slice(1);
          const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
          const is = Math.hypot(x - other[0], y - other[1]);
          this.zoomBy(is / Math.max(1, was), (x + other[0]) / 2, (y + other[1]) / 2);
        }
        this.view.x -= (x - before[0]) / this.view.zoom / pointers.size;
        this.view.y -= (y - before[1]) / this.view.zoom / pointers.size;
        moved += Math.hypot(x - before[0], y - before[1]);
        pointers.set(event.pointerId, [x, y]);
        this.redraw();
      });
      const release = (event) => {
        const tapped = pointers.delete(event.pointerId) && moved < 6 && event.type === "pointerup";
        if (!tapped) return;
        const node = this.nodeAt(...here(event), event.pointerType === "touch" ? 18 : 6);
        if (event.pointerType === "touch" && node !== this.active) this.choose(node);
        else this.open(node);
      };
      canvas.addEventListener("pointerup", release);
      canvas.addEventListener("pointercancel", release);
      canvas.addEventListener("pointerleave", (event) => {
        if (event.pointerType !== "touch" && !this.tip.matches(":hover")) this.choose(null);
      });
      canvas.addEventListener("wheel", (event) => {
        if (this.mini && !event.ctrlKey) return;
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...here(event));
      }, { passive: false });
      canvas.addEventListener("keydown", (event) => this.key(event));
      new ResizeObserver(() => this.resize()).observe(this.box);
      new MutationObserver(() => (this.readColours(), this.redraw())).observe(document.body, {
        attributeFilter: ["data-md-color-scheme"],
      });
    }

    key(event) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (step && event.shiftKey) {
        this.view.x += (step[0] * 60) / this.view.zoom;
        this.view.y += (step[1] * 60) / this.view.zoom;
        this.redraw();
      } else if (step) this.choose(this.beside(step));
      else if (event.key === "+" || event.key === "=") this.zoomBy(1.3);
      else if (event.key === "-") this.zoomBy(1 / 1.3);
      else if (event.key === "0") this.fit();
      else if (event.key === "Enter") this.open(this.active);
      else if (event.key === "Escape") this.choose(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    /* The nearest node in the direction of an arrow key; sideways counts double. */
    beside([dx, dy]) {
      const from = this.active || this.at || this.ranked.find((node) => this.shown(node));
      if (!this.active) return from;
      const [x, y] = this.place(from);
      let best = from;
      let least = Infinity;
      for (const node of this.nodes) {
        if (node === from || !this.shown(node)) continue;
        const [nx, ny] = this.place(node);
        const ahead = (nx - x) * dx + (ny - y) * dy;
        const aside = Math.abs((nx - x) * dy) + Math.abs((ny - y) * dx);
        if (ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
      }
      return best;
    }
  }

  // -- small things ----------------------------------------------------------------------------

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const clip = (text, most) => ([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);
  const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  async function start(box) {
    if (box.dataset.ready) return;
    box.dataset.ready = "1";
    try {
      const here = box.querySelector("script");
      const data = here ? JSON.parse(here.textContent) : await (await fetch(box.dataset.src)).json();
      const graph = new Graph(box, data);
      box.graph = graph;
      box.dispatchEvent(new CustomEvent("citewiki:graph", { bubbles: true, detail: graph }));
    } catch (error) {
      box.append(element("p", { class: "cw-graph-failed" }, "The graph needs the site to be served over http."));
      console.warn(error);
    }
  }

  const all = () => document.querySelectorAll(".cw-graph").forEach(start);
  if (window.document$) window.document$.subscribe(all); // instant navigation swaps pages in place
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
})();
