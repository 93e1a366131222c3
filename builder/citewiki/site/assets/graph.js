/* Draws the whole link graph on a canvas, at the places that come with its data.

   <div class="cw-graph" data-src="graph/data.json" data-base="…">; graph-tools.js adds the tools.

   Nodes, titles and what is chosen are drawn on every frame. The many lines of a large graph are
   drawn into a layer of their own, some at a time; until it is ready the last one is moved along. */
(() => {
  "use strict";

  const { read, near, STEPS, beside, element, clip, short, overlap, each } = window.citewikiGraph;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const contrast = matchMedia("(prefers-contrast: more)");
  const clamp = (low, value, high) => Math.min(high, Math.max(low, value));
  const MANY = 3000; // lines: more get a layer
  const SLICE = 2500; // of them are drawn into it on each frame
  const MARGIN = 0.25; // of the layer beyond each side of the canvas

  class Graph {
    constructor(box, data) {
      this.box = box;
      this.base = box.dataset.base || "./";
      Object.assign(this, read(data));
      for (const name of ["communities", "tags"]) this[name] = data[name] || [];
      for (const node of this.nodes) {
        const { index } = node;
        node.community = data.community ? data.community[index] : -1;
        node.tags = data.tag ? data.tag[index] : [];
        node.verified = data.verified ? data.verified[index] : "";
        node.state = data.states ? data.states[data.state[index]] : node.missing ? "missing" : "";
        node.size = Math.min(21, 2.4 + 3.5 * Math.sqrt(node.rank));
        Object.assign(node, { sx: 0, sy: 0, off: false, wide: 0, hue: node.colour });
      }
      this.ranked = [...this.nodes].sort((a, b) => b.rank - a.rank || a.index - b.index);
      this.by = "domain"; // or "community": what colours tell
      this.view = { x: 0, y: 0, zoom: 1 };
      this.left = 0; // pixels at the left that the tools cover
      this.active = null; // under the pointer, or chosen by search or keyboard
      this.spot = null; // a Set of nodes shown bright, others dim
      this.path = []; // pairs of nodes: a way that was found
      this.version = 0; // of what is drawn, apart from the view
      this.canvas = box.appendChild(element("canvas", {
        tabindex: 0, role: "application", "aria-label": `Graph of ${this.nodes.length} pages. Arrow keys ` +
          "follow links, Enter opens, slash searches, plus and minus zoom, Escape lets go.",
      }));
      this.tip = box.appendChild(element("div", { class: "cw-tip", role: "status", hidden: "" }));
      this.readColours();
      this.listen();
      this.resize();
    }

    colourBy(by) {
      this.by = by;
      for (const node of this.nodes) {
        node.hue = by === "domain" ? node.colour : node.community < 12 ? node.community : -1;
      }
      this.change();
    }

    /* The number of the group that a node is coloured by; -1 for none. */
    group(node) {
      if (this.by === "community") return node.community < 12 ? node.community : -1;
      return this.domains[node.domain] ? node.domain : -1;
    }

    change() {
      this.version++;
      this.regions = null;
      this.redraw();
    }

    // -- places: data [-1, 1] → pixels

    get scale() {
      const x = Math.max(40, (this.width - this.left) / 2 - 30);
      const y = Math.max(40, this.height / 2 - 30);
      return [Math.min(x, y * 1.5), Math.min(y, x * 1.5)];
    }

    get middle() {
      return [(this.width + this.left) / 2, this.height / 2];
    }

    locate() {
      const { scale: [sx, sy], middle: [cx, cy], view: { x, y, zoom } } = this;
      for (const node of this.nodes) {
        node.sx = cx + (node.x * sx - x) * zoom;
        node.sy = cy + (node.y * sy - y) * zoom;
      }
    }

    radius(node) {
      return node.size * clamp(0.3, this.crowding * Math.sqrt(this.view.zoom), 2.2);
    }

    seen({ off, sx, sy }, slack = 20) {
      return !off && sx > -slack && sy > -slack && sx < this.width + slack && sy < this.height + slack;
    }

    // -- drawing

    readColours() {
      const style = getComputedStyle(this.box);
      const value = (name) => style.getPropertyValue(`--cw-${name}`).trim();
      this.colours = Array.from({ length: 12 }, (_, index) => value(index));
      for (const name of ["ink", "faint", "paper", "soft"]) this[name] = value(name);
      this.version++;
      this.pictures = new Map(); // of titles
    }

    colour(node) {
      return this.colours[node.hue] || this.faint;
    }

    redraw() {
      this.frame ||= requestAnimationFrame(() => ((this.frame = 0), this.draw()));
    }

    draw() {
      const { context, active, spot } = this;
      const focus = active && !active.off ? active : null;
      const lit = focus ? near(focus) : spot;
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.clearRect(0, 0, this.width, this.height);
      this.locate();
      const few = this.edges.length <= MANY;
      context.globalAlpha = lit ? 0.3 : 1;
      if (few) this.lines(context, this.edges, 0, this.edges.length);
      else this.drawLayer();
      const links = focus && [...focus.out.map((end) => [focus, end]), ...focus.back.map((from) => [from, focus])];
      for (const [a, b] of links || this.path) this.arrow(a, b);
      if (lit) this.drawNodes((node) => !lit.has(node), 0.16);
      this.drawNodes((node) => !lit || lit.has(node), 1);
      if (focus) this.ring(focus);
      context.globalAlpha = 1;
      this.drawTitles(focus, lit, lit ? [] : this.drawRegions());
    }

    /* One path a colour: that of both ends, or grey between two groups. */
    lines(context, edges, from, to) {
      const paths = new Map();
      for (let at = from; at < to; at++) {
        const [a, b] = edges[at];
        if (a.off || b.off) continue;
        const path = pathOf(paths, a.hue === b.hue ? this.colour(a) : this.faint);
        path.moveTo(a.sx, a.sy);
        path.lineTo(b.sx, b.sy);
      }
      const alpha = context.globalAlpha;
      const strength = contrast.matches ? 0.8 : 0.42;
      context.globalAlpha *= Math.min(0.9, strength * Math.min(1, Math.sqrt(1800 / edges.length)));
      context.lineWidth = 1;
      for (const [style, path] of paths) {
        context.strokeStyle = style;
        context.stroke(path);
      }
      context.globalAlpha = alpha;
    }

    /* The last finished layer, moved to where the view is now; and some more of the next one. */
    drawLayer() {
      const { context, width, height, view } = this;
      const now = [view.x, view.y, view.zoom, this.left, width, height, this.version].join();
      if (this.next && this.next.version !== this.version) this.next = null;
      if (!this.next && (!this.layer || this.layer.key !== now)) {
        const canvas = this.spare || document.createElement("canvas");
        this.spare = null;
        canvas.width = width * (1 + 2 * MARGIN); // also clears it
        canvas.height = height * (1 + 2 * MARGIN);
        const into = canvas.getContext("2d");
        into.translate(width * MARGIN, height * MARGIN);
        this.next = { key: now, version: this.version, view: { ...view }, middle: this.middle, canvas, into, done: 0 };
      }
      if (this.next) {
        const { next, edges } = this;
        const end = Math.min(edges.length, next.done + SLICE);
        const shown = this.view;
        this.view = next.view;
        this.locate();
        this.lines(next.into, edges, next.done, end);
        this.view = shown;
        this.locate();
        next.done = end;
        if (end === edges.length) {
          this.spare = this.layer && this.layer.canvas;
          [this.layer, this.next] = [next, null];
        }
        this.redraw();
      }
      if (!this.layer) return;
      const { layer } = this;
      const grown = view.zoom / layer.view.zoom;
      const { canvas, middle } = layer;
      const corner = (axis, index, size) => this.middle[index] + (layer.view[axis] - view[axis]) * view.zoom -
        (middle[index] + (size * MARGIN) / (1 + 2 * MARGIN)) * grown;
      context.drawImage(canvas, corner("x", 0, canvas.width), corner("y", 1, canvas.height),
        canvas.width * grown, canvas.height * grown);
    }

    arrow(a, b) {
      if (a.off || b.off) return;
      const { context } = this;
      const length = Math.hypot(b.sx - a.sx, b.sy - a.sy) || 1;
      const [ux, uy] = [(b.sx - a.sx) / length, (b.sy - a.sy) / length];
      const gap = this.radius(b) + 2;
      const [x, y] = [b.sx - ux * gap, b.sy - uy * gap];
      context.globalAlpha = 0.9;
      context.strokeStyle = context.fillStyle = this.colour(a);
      context.lineWidth = 1.6;
      context.beginPath();
      context.moveTo(a.sx, a.sy);
      context.lineTo(x - ux * 3, y - uy * 3);
      context.stroke();
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - ux * 7 - uy * 3.5, y - uy * 7 + ux * 3.5);
      context.lineTo(x - ux * 7 + uy * 3.5, y - uy * 7 - ux * 3.5);
      context.fill();
    }

    drawNodes(wanted, alpha) {
      const { context } = this;
      const paths = new Map();
      for (const node of this.nodes) {
        if (!this.seen(node) || !wanted(node)) continue;
        const path = pathOf(paths, node.missing ? "" : this.colour(node));
        const [{ sx, sy }, radius] = [node, this.radius(node)];
        if (radius < 2) path.rect(sx - radius, sy - radius, 2 * radius, 2 * radius);
        else (path.moveTo(sx + radius, sy), path.arc(sx, sy, radius, 0, 7));
      }
      context.lineWidth = 1.3;
      for (const [style, path] of paths) {
        context.globalAlpha = style === this.faint ? alpha * 0.6 : alpha;
        context.strokeStyle = style ? this.paper : this.faint;
        context.fillStyle = style || this.paper;
        context.fill(path);
        if (!style) context.globalAlpha *= clamp(0.35, this.crowding * this.view.zoom, 1);
        if (!style || this.crowding * this.view.zoom > 0.6) context.stroke(path);
      }
    }

    ring(node) {
      const { context } = this;
      context.globalAlpha = 1;
      context.beginPath();
      context.arc(node.sx, node.sy, this.radius(node) + 3.5, 0, 7);
      context.lineWidth = 2;
      context.strokeStyle = this.colour(node);
      context.stroke();
    }

    /* From afar, the names of the large groups, each where most of it lies. Returns their boxes. */
    drawRegions() {
      const { context, nodes, view } = this;
      const taken = [];
      const alpha = 0.85 * clamp(0, (3.2 - view.zoom) / 1.4, 1);
      if (nodes.length < 150 || !alpha) return taken;
      const { scale, middle } = this;
      for (const region of (this.regions ||= this.findRegions())) {
        const { name, size } = region;
        const x = middle[0] + (region.x * scale[0] - view.x) * view.zoom;
        const y = middle[1] + (region.y * scale[1] - view.y) * view.zoom;
        context.font = `700 ${size}px ${this.font}`;
        const half = context.measureText(name).width / 2 + 6;
        const places = [0, -1, 1, -2, 2].map((row) => y + row * size * 1.3);
        const boxes = places.map((at) => [x - half, at - size * 0.7, x + half, at + size * 0.7]);
        const box = boxes.find((one) => !taken.some((other) => overlap(one, other)));
        if (!box) continue;
        taken.push(box);
        context.globalAlpha = alpha;
        this.write(name, x, (box[1] + box[3]) / 2, this.colour(region), 5);
      }
      context.globalAlpha = 1;
      return taken;
    }

    findRegions() {
      const groups = new Map();
      for (const node of this.nodes) {
        const group = this.group(node);
        if (node.off || node.missing || group < 0 || !(node.out.length + node.back.length)) continue;
        if (!groups.has(group)) groups.set(group, []);
        groups.get(group).push(node);
      }
      const names = this.by === "domain" ? this.domains : this.communities;
      const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
      const large = [...groups].filter(([, members]) => members.length > this.nodes.length / 60);
      return large.sort((a, b) => b[1].length - a[1].length).map(([group, members]) => ({
        name: clip(names[group], 24),
        hue: members[0].hue,
        size: clamp(14, 10 + Math.sqrt(members.length) * 0.8, 24),
        x: middle(members.map((node) => node.x)),
        y: middle(members.map((node) => node.y)),
      }));
    }

    /* Titles of the most central pages first, as long as none runs into another. */
    drawTitles(focus, lit, taken) {
      const { context, width, height, view } = this;
      let room = ((width - this.left) * height) / 13_000 * clamp(0.8, view.zoom, 1.5);
      let tries = 6 * room + 40;
      for (const node of new Set([focus, ...this.ranked])) {
        if (!node || !this.seen(node, 0) || (lit && !lit.has(node))) continue;
        if (room < 0 || tries-- < 0) break;
        const strong = node === focus;
        const radius = this.radius(node);
        const size = strong ? 14 : Math.min(15, Math.round(11 + radius / 4.5));
        const title = strong ? clip(node.title, 60) : short(node.title);
        context.font = `${strong ? 650 : 450} ${size}px ${this.font}`;
        if (strong || !node.wide) node.wide = context.measureText(title).width / size;
        const half = (node.wide * size) / 2 + 5;
        if (strong) node.wide = 0;
        const middle = clamp(half + this.left, node.sx, width - half);
        const rows = [node.sy + radius + 9, node.sy - radius - 9]; // below the node, else above
        const boxes = rows.map((y) => [middle - half, y - 9, middle + half, y + 9]);
        const free = boxes.find((one) => !taken.some((other) => overlap(one, other)));
        if (!free && !strong) continue;
        const box = free || boxes[0];
        taken.push(box);
        room--;
        this.write(title, middle, box[1] + 9, node.missing ? this.soft : this.ink, 3.5);
      }
    }

    /* Text in the context's font. Each is drawn once, and its picture from then on: outlines of
       letters are what takes longest of a frame. */
    write(text, x, y, style, halo) {
      const { context, ratio } = this;
      const key = [context.font, style, text].join("|");
      let picture = this.pictures.get(key);
      if (!picture) {
        picture = document.createElement("canvas");
        picture.width = Math.ceil((context.measureText(text).width + 12) * ratio);
        picture.height = 40 * ratio;
        const into = picture.getContext("2d");
        into.scale(ratio, ratio);
        Object.assign(into, { font: context.font, textAlign: "center", textBaseline: "middle", lineJoin: "round" });
        Object.assign(into, { strokeStyle: this.paper, lineWidth: halo, fillStyle: style });
        const middle = [picture.width / ratio / 2, 20];
        into.strokeText(text, ...middle);
        into.fillText(text, ...middle);
        if (this.pictures.size > 1500) this.pictures.clear();
        this.pictures.set(key, picture);
      }
      const width = picture.width / ratio;
      const whole = (value) => Math.round(value * ratio) / ratio; // or it would be blurred
      context.drawImage(picture, whole(x - width / 2), whole(y - 20), width, 40);
    }

    // -- looking around

    resize() {
      const { width, height } = this.box.getBoundingClientRect();
      if (!width || !height || (width === this.width && height === this.height)) return;
      Object.assign(this, { width, height, ratio: Math.min(2, devicePixelRatio || 1) });
      this.canvas.width = Math.round(width * this.ratio);
      this.canvas.height = Math.round(height * this.ratio);
      this.context = this.canvas.getContext("2d");
      this.font = getComputedStyle(this.box).fontFamily;
      this.crowding = Math.min(1, Math.sqrt((width * height) / (this.nodes.length + 1)) / 34);
      this.draw();
    }

    moveBy(x, y) {
      this.flight = null;
      this.view.x -= x / this.view.zoom;
      this.view.y -= y / this.view.zoom;
      this.choose(this.active);
    }

    zoomBy(factor, x = this.middle[0], y = this.middle[1]) {
      const { view, middle } = this;
      this.flight = null;
      const zoom = clamp(0.5, view.zoom * factor, 60);
      view.x += (x - middle[0]) * (1 / view.zoom - 1 / zoom);
      view.y += (y - middle[1]) * (1 / view.zoom - 1 / zoom);
      view.zoom = zoom;
      this.choose(this.active);
    }

    /* To another view in a quarter of a second, or at once where motion is not wanted. */
    fly(to) {
      const from = { ...this.view };
      const start = performance.now();
      const step = (now) => {
        if (this.flight !== step) return; // the reader has moved on
        const part = calm.matches ? 1 : clamp(0, (now - start) / 250, 1);
        const eased = 1 - (1 - part) ** 3;
        for (const key of ["x", "y", "zoom"]) this.view[key] = from[key] + (to[key] - from[key]) * eased;
        this.choose(this.active);
        if (part < 1) requestAnimationFrame(step);
      };
      this.flight = step;
      step(start);
    }

    /* Shows all of `nodes`; without any the whole graph. */
    fit(nodes = []) {
      if (!nodes.length) return this.fly({ x: 0, y: 0, zoom: 1 });
      const [sx, sy] = this.scale;
      const [low, high] = [Math.min, Math.max].map((end) => [end(...nodes.map((n) => n.x * sx)), end(...nodes.map((n) => n.y * sy))]);
      const zoom = Math.min((this.width - this.left - 160) / (high[0] - low[0] + 1), (this.height - 120) / (high[1] - low[1] + 1));
      this.fly({ x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, zoom: clamp(0.8, zoom, 6) });
    }

    goTo(node, zoom = 2.5) {
      const [sx, sy] = this.scale;
      this.active = node;
      this.fly({ x: node.x * sx, y: node.y * sy, zoom: Math.max(this.view.zoom, zoom) });
    }

    nodeAt(x, y, reach) {
      let best = null;
      for (const node of this.nodes) {
        if (node.off) continue;
        const distance = Math.hypot(node.sx - x, node.sy - y) - this.radius(node);
        if (distance < reach) [best, reach] = [node, distance];
      }
      return best;
    }

    choose(node, note = "") {
      this.active = node;
      this.canvas.style.cursor = node && node.url ? "pointer" : "";
      this.locate();
      this.describe(node && !node.off ? node : null, note);
      this.redraw();
    }

    describe(node, note) {
      const { tip } = this;
      tip.hidden = !node;
      if (!node) return;
      const told = `${node.index} ${note}`;
      if (tip.dataset.told !== told) {
        tip.dataset.told = told;
        const facts = [
          node.missing ? "no such page yet" : this.domains[node.domain],
          ["current", "missing"].includes(node.state) ? "" : node.state,
          `linked from ${node.links}`,
          node.missing ? "" : `links to ${node.out.length}`,
          note,
        ];
        tip.replaceChildren(
          node.url ? element("a", { href: this.href(node), tabindex: -1 }, node.title) : element("b", {}, node.title),
          element("small", {}, facts.filter(Boolean).join(" · ")),
          element("span", {}, node.summary),
        );
      }
      tip.classList.toggle("cw-tip-left", node.sx > this.width / 2);
      tip.classList.toggle("cw-tip-up", node.sy > this.height / 2);
      tip.style.cssText = `--x:${node.sx}px;--y:${node.sy}px;--r:${this.radius(node) + 8}px`;
    }

    href(node) {
      return this.base + encodeURI(node.url).replace(/[?#]/g, encodeURIComponent);
    }

    open(node) {
      if (node && node.url) location.assign(this.href(node));
    }

    // -- input

    listen() {
      const { canvas } = this;
      const pointers = new Map();
      const here = (event) => {
        const { left, top } = canvas.getBoundingClientRect();
        return [event.clientX - left, event.clientY - top];
      };
      let moved = 0;
      const on = (names, action, options) =>
        names.split(" ").forEach((name) => canvas.addEventListener(name, action, options));
      on("pointerdown", (event) => {
        if (!pointers.size) moved = 0;
        pointers.set(event.pointerId, here(event));
        canvas.setPointerCapture(event.pointerId);
      });
      on("pointermove", (event) => {
        const [x, y] = here(event);
        const before = pointers.get(event.pointerId);
        if (!before) {
          const node = this.nodeAt(x, y, 6);
          if (node !== this.active) this.choose(node);
          return;
        }
        if (pointers.size === 2) {
          const [, other] = [...pointers].find(([id]) => id !== event.pointerId);
          const gap = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
          this.zoomBy(gap([x, y]) / gap(before), (x + other[0]) / 2, (y + other[1]) / 2);
        }
        const [dx, dy] = [x - before[0], y - before[1]];
        moved += Math.hypot(dx, dy);
        pointers.set(event.pointerId, [x, y]);
        this.moveBy(dx / pointers.size, dy / pointers.size);
      });
      on("pointerup pointercancel", (event) => {
        const tapped = pointers.delete(event.pointerId) && moved < 6 && event.type === "pointerup";
        if (!tapped) return;
        const touch = event.pointerType === "touch"; // the first tap shows, the second opens
        const node = this.nodeAt(...here(event), touch ? 18 : 6);
        if (touch && node !== this.active) this.choose(node);
        else this.open(node);
      });
      on("pointerleave", (event) => {
        if (event.pointerType !== "touch") this.choose(null);
      });
      on("wheel", (event) => {
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...here(event));
      }, { passive: false });
      on("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event)) return;
        event.preventDefault();
        event.stopPropagation();
      });
      const renew = () => (this.readColours(), this.redraw());
      new ResizeObserver(() => this.resize()).observe(this.box);
      new MutationObserver(renew).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
      contrast.addEventListener("change", renew);
    }

    /* Whether the key was one of ours. */
    key({ key, shiftKey }) {
      const step = STEPS[key];
      if (step && shiftKey) this.moveBy(-60 * step[0], -60 * step[1]);
      else if (step) this.walk(key);
      else if (key === "+" || key === "=") this.zoomBy(1.3);
      else if (key === "-") this.zoomBy(1 / 1.3);
      else if (key === "0") this.fit();
      else if (key === "Enter") this.open(this.active);
      else if (key === "Escape") this.choose(null);
      else if (key === "/" && this.search) this.search.focus();
      else return false;
      return true;
    }

    walk(key) {
      const from = this.active;
      const to = from ? beside(from, key) : this.ranked.find((node) => !node.off);
      if (!to) return this.choose(from, from ? "no link that way" : "");
      if (this.seen(to, -40)) this.choose(to);
      else this.goTo(to, 0);
    }
  }

  function pathOf(paths, style) {
    if (!paths.has(style)) paths.set(style, new Path2D());
    return paths.get(style);
  }

  each(".cw-graph:not([data-mini])", (box, data) => {
    box.graph = new Graph(box, data);
    const tell = () => document.dispatchEvent(new CustomEvent("citewiki:graph", { detail: box.graph }));
    setTimeout(tell, 0); // after the first picture
  });
})();
