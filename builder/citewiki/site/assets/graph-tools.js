/* The tools of the graph page: what is found, what is shown, the way between two pages, the list. */
(() => {
  "use strict";

  const { element } = window.citewikiGraph;
  const ROWS = 100; // of the list at a time
  const DAY = 864e5; // milliseconds
  const FEW = 8; // suggestions

  /* Letters without their marks, in small: "Đường" is found by "duong". */
  const folded = (text) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/đ/g, "d");

  class Tools {
    constructor(graph, page) {
      Object.assign(this, { graph, page, form: page.querySelector(".cw-tools") });
      this.fields = this.form.elements;
      this.hidden = { domain: new Set(), community: new Set() }; // groups switched off
      this.form.hidden = page.querySelector(".cw-zoom").hidden = false;
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.states();
      this.tags();
      this.legend();
      this.zoom();
      this.suggest(this.fields["cw-find"], (node) => {
        graph.goTo(node);
        graph.canvas.focus({ preventScroll: true });
      });
      graph.search = this.fields["cw-find"];
      this.ends = {};
      for (const name of ["from", "to"]) {
        this.suggest(this.fields[name], (node) => {
          this.ends[name] = node;
          this.way();
        });
        this.fields[name].addEventListener("input", () => {
          this.ends[name] = null;
          this.way();
        });
      }
      this.form.addEventListener("change", ({ target }) => {
        if (target.name === "by") {
          graph.colourBy(target.value);
          this.legend();
        }
        this.apply();
      });
      const cover = () => {
        const over = getComputedStyle(this.form).position === "absolute";
        graph.left = over ? this.form.getBoundingClientRect().width + 14 : 0;
        graph.change();
      };
      new ResizeObserver(cover).observe(page);
      cover();
      this.list = page.querySelector(".cw-pages");
      this.list.addEventListener("toggle", () => this.rows(0));
      this.list.querySelector("button").addEventListener("click", () => this.rows(this.told));
      this.apply();
      const named = decodeURI(location.hash.slice(1));
      const start = named && graph.nodes.find((node) => node.url === named);
      if (start) graph.goTo(start);
    }

    zoom() {
      const acts = { in: () => this.graph.zoomBy(1.4), out: () => this.graph.zoomBy(1 / 1.4), all: () => this.graph.fit() };
      this.page.querySelector(".cw-zoom").addEventListener("click", ({ target }) => acts[target.value]?.());
    }

    // -- what is shown ------------------------------------------------------------------------

    /* A box for each state that some page is in, and one for pages that nothing links to. */
    states() {
      const { nodes } = this.graph;
      const count = (test) => nodes.filter(test).length;
      const kinds = ["current", "stale", "ended", "superseded", "missing"].map((state) => [state, count((n) => n.state === state)]);
      for (const [kind, many] of [...kinds, ["orphan", count((node) => !node.links)]]) {
        if (!many) continue;
        const box = element("input", { type: "checkbox", name: "state", value: kind });
        box.checked = kind !== "missing" || many < 200; // more are a fog over all the rest
        const words = { missing: "missing: only linked to", orphan: "orphans: nothing links there" }[kind] || kind;
        this.form.querySelector(".cw-states").append(element("label", {}, box, words, element("small", {}, many)));
      }
    }

    tags() {
      const counts = new Map();
      for (const node of this.graph.nodes) for (const tag of node.tags) counts.set(tag, (counts.get(tag) || 0) + 1);
      const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 300);
      const names = often.map(([tag, many]) => [this.graph.tags[tag], tag, many]).sort((a, b) => a[0].localeCompare(b[0]));
      this.fields.tag.append(...names.map(([name, tag, many]) => element("option", { value: tag }, `${name} (${many})`)));
      this.fields.tag.parentNode.hidden = !names.length;
    }

    /* A row for each group that nodes are coloured by: colour, name, how many. */
    legend() {
      const { graph } = this;
      const off = this.hidden[graph.by];
      const counts = new Map();
      for (const node of graph.nodes) {
        const group = graph.group(node);
        if (!node.missing) counts.set(group, (counts.get(group) || 0) + 1);
      }
      const names = graph.by === "domain" ? graph.domains : graph.communities;
      const keys = [...counts.keys()].filter((key) => key >= 0);
      if (graph.by === "domain") keys.sort((a, b) => names[a].localeCompare(names[b], undefined, { numeric: true }));
      else keys.sort((a, b) => a - b);
      if (counts.has(-1)) keys.push(-1);
      const rows = keys.map((key) => {
        const name = key < 0 ? (graph.by === "domain" ? "no domain" : "smaller ones") : names[key];
        const row = element("button", { type: "button", "aria-pressed": !off.has(key), "aria-label": `Show ${name}, ${counts.get(key)} pages`, title: name });
        const members = () => new Set(graph.nodes.filter((node) => graph.group(node) === key));
        const hue = graph.nodes.find((node) => graph.group(node) === key).hue;
        row.append(element("i", { class: "cw-dot", style: hue < 0 ? "" : `--dot:var(--cw-${hue})` }));
        row.append(element("span", {}, name), " ", element("small", {}, counts.get(key)));
        row.addEventListener("click", () => {
          off[off.has(key) ? "delete" : "add"](key);
          row.setAttribute("aria-pressed", !off.has(key));
          this.apply();
        });
        row.addEventListener("pointerenter", () => this.light(off.has(key) ? null : members()));
        row.addEventListener("pointerleave", () => this.light(null));
        return row;
      });
      this.form.querySelector(".cw-legend").replaceChildren(...rows);
    }

    light(nodes) {
      const { path } = this.graph;
      this.graph.spot = nodes || (path.length ? new Set(path.flat()) : null);
      this.graph.redraw();
    }

    apply() {
      const { graph, fields } = this;
      const states = new Set([...this.form.querySelectorAll("[name=state]")].filter((box) => !box.checked).map((box) => box.value));
      const tag = fields.tag.value === "" ? -1 : Number(fields.tag.value);
      const off = this.hidden[graph.by];
      for (const node of graph.nodes) {
        node.off = off.has(graph.group(node)) || states.has(node.state) || (states.has("orphan") && !node.links) ||
          (tag >= 0 && !node.tags.includes(tag)) || !this.isOfAge(node, fields.age.value);
      }
      this.shown = graph.ranked.filter((node) => !node.off);
      this.list.querySelector("span").textContent = `: ${this.shown.length} pages`;
      this.rows(0);
      if (this.ends.from && this.ends.to) this.way();
      graph.change();
    }

    isOfAge({ verified }, wanted) {
      if (!wanted) return true;
      if (!verified || wanted === "never") return !verified === (wanted === "never");
      const days = (Date.now() - new Date(verified)) / DAY;
      return wanted < 0 ? days > -wanted : days <= wanted;
    }

    // -- the same as a list -------------------------------------------------------------------

    rows(from) {
      const { graph, list } = this;
      if (!list.open) return;
      const made = this.shown.slice(from, from + ROWS).map((node) => element("tr", {},
        element("td", {}, node.url ? element("a", { href: graph.href(node) }, node.title) : node.title),
        ...[graph.domains[node.domain] || "", node.links, node.out.length, node.verified, node.state].map((fact) => element("td", {}, fact)),
      ));
      const body = list.querySelector("tbody");
      if (from) body.append(...made);
      else body.replaceChildren(...made);
      this.told = from + made.length;
      list.querySelector("button").hidden = this.told >= this.shown.length;
    }

    // -- finding a page -----------------------------------------------------------------------

    /* Suggestions under an input (the combobox of the ARIA practices); `pick` is told the choice. */
    suggest(input, pick) {
      const box = element("ul", { class: "cw-found", role: "listbox", id: `${input.id || input.name}-list`, "aria-label": "Pages" });
      (input.closest("label") || input).after(box);
      for (const [name, value] of Object.entries({ role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-controls": box.id })) input.setAttribute(name, value);
      let hits = [];
      let at = 0;
      const show = (found, chosen = 0) => {
        [hits, at] = [found, chosen];
        box.replaceChildren(...hits.map((node, index) => {
          const option = element("li", { role: "option", id: `${box.id}-${index}`, "aria-selected": index === at }, node.title);
          option.addEventListener("pointerdown", (event) => (event.preventDefault(), choose(node)));
          return option;
        }));
        input.setAttribute("aria-expanded", hits.length > 0);
        if (hits.length) input.setAttribute("aria-activedescendant", `${box.id}-${at}`);
        else input.removeAttribute("aria-activedescendant");
      };
      const choose = (node) => {
        input.value = node.title;
        show([]);
        pick(node);
      };
      show([]);
      input.addEventListener("input", () => show(this.find(input.value)));
      input.addEventListener("blur", () => show([]));
      input.addEventListener("keydown", (event) => {
        event.stopPropagation(); // the theme's own keys: "s" and "/" search, "n" and "p" turn pages
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && hits.length) show(hits, (at + step + hits.length) % hits.length);
        else if (event.key === "Enter" && (hits.length || this.find(input.value).length)) choose(hits[at] || this.find(input.value)[0]);
        else if (event.key === "Escape") {
          input.value = "";
          input.dispatchEvent(new Event("input"));
        } else return;
        event.preventDefault();
      });
    }

    /* Titles that hold the words: those that start with them first, then the most central. */
    find(words) {
      const wanted = folded(words.trim());
      if (!wanted) return [];
      const rank = (node) => (node.found === wanted ? 3 : node.found.startsWith(wanted) ? 2 : 1);
      const hits = this.graph.ranked.filter((node) => !node.off && (node.found ||= folded(node.title)).includes(wanted));
      return hits.sort((a, b) => rank(b) - rank(a)).slice(0, FEW); // the sort is stable
    }

    // -- the way between two pages ------------------------------------------------------------

    way() {
      const { graph, ends: { from, to } } = this;
      const told = this.form.querySelector(".cw-way");
      graph.path = [];
      told.replaceChildren();
      if (!from || !to) return this.light(null);
      const along = shortest(from, to, (node) => node.out);
      const nodes = along || shortest(from, to, (node) => [...node.out, ...node.back]);
      if (!nodes) {
        told.append(element("p", {}, `No path from “${from.title}” to “${to.title}” among the pages that are shown.`));
        return this.light(null);
      }
      const steps = nodes.slice(1).map((node, index) => [nodes[index], node]);
      graph.path = steps.map(([a, b]) => (a.out.includes(b) ? [a, b] : [b, a]));
      const many = steps.length === 1 ? "1 link" : `${steps.length} links`;
      told.append(element("p", {}, along ? `${many}:` : `${many}, some against their direction (←):`));
      const link = (node) => (node.url ? element("a", { href: graph.href(node) }, node.title) : node.title);
      const rows = nodes.map((node, index) => {
        const back = index && graph.path[index - 1][0] === node;
        return element("li", {}, index ? (back ? "← " : "→ ") : "", link(node));
      });
      told.append(element("ol", {}, ...rows));
      this.light(null);
      graph.active = null;
      graph.fit(nodes);
      this.sentences(graph.path, rows);
    }

    /* Adds what each page says where it links, once it has come. */
    async sentences(path, rows) {
      this.backlinks ||= fetch(this.form.dataset.backlinks).then((answer) => answer.json());
      const known = await this.backlinks.catch(() => ({}));
      const slug = (node) => node.url.split("/").at(-2);
      path.forEach(([from, to], index) => {
        const said = (known[slug(to)] || []).find((link) => link.slug === slug(from));
        if (said && said.sentences.length) rows[index + 1].append(element("q", {}, said.sentences[0]));
      });
    }
  }

  /* The nodes of a shortest way over nodes that are shown; null when there is none. */
  function shortest(from, to, next) {
    const before = new Map([[from, null]]);
    const waiting = [from];
    for (const node of waiting) {
      if (node === to) break;
      for (const other of next(node)) {
        if (other.off || before.has(other)) continue;
        before.set(other, node);
        waiting.push(other);
      }
    }
    if (!before.has(to)) return null;
    const way = [];
    for (let node = to; node; node = before.get(node)) way.unshift(node);
    return way;
  }

  document.addEventListener("citewiki:graph", ({ detail: graph }) => {
    graph.tools = new Tools(graph, graph.box.closest(".cw-whole"));
  });
})();
