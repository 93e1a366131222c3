/* The tools of the graph page: zoom buttons, a legend that shows and hides, a box that finds. */
(() => {
  "use strict";

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function button(label, text, action) {
    const made = element("button", { type: "button", title: label, "aria-label": label }, text);
    made.addEventListener("click", action);
    return made;
  }

  function zoom(graph) {
    return element(
      "div",
      { class: "cw-zoom" },
      button("Zoom in", "+", () => graph.zoomBy(1.4)),
      button("Zoom out", "−", () => graph.zoomBy(1 / 1.4)),
      button("Show all", "⤢", () => graph.fit()),
    );
  }

  /* A row for each domain, for pages of none, and for missing pages: colour, name, how many. */
  function legend(graph) {
    const groups = new Map();
    for (const node of graph.nodes) {
      const key = graph.group(node);
      const group = groups.get(key) || { count: 0, colour: node.colour };
      groups.set(key, { ...group, count: group.count + 1 });
    }
    if ((groups.get("?")?.count || 0) > 200) graph.hidden.add("?"); // a fog over all the rest
    const last = (key) => (key === "?" ? 2 : key ? 0 : 1);
    const keys = [...groups.keys()].sort((a, b) => last(a) - last(b) || a.localeCompare(b));
    const rows = keys.map((key) => {
      const { colour, count } = groups.get(key);
      const name = key === "?" ? "missing pages" : key || "no domain";
      const row = button(`Show or hide ${name}`, "", () => {
        graph.hidden[graph.hidden.has(key) ? "delete" : "add"](key);
        row.setAttribute("aria-pressed", String(!graph.hidden.has(key)));
        graph.redraw();
      });
      row.setAttribute("aria-pressed", String(!graph.hidden.has(key)));
      const dot = { class: key === "?" ? "cw-dot cw-dot-missing" : "cw-dot" };
      if (colour >= 0) dot.style = `--dot:var(--cw-${colour})`;
      row.append(
        element("i", dot),
        element("span", {}, name),
        element("small", {}, String(count)),
      );
      return row;
    });
    const made = element(
      "details",
      { class: "cw-legend" },
      element("summary", {}, "Domains"),
      ...rows,
    );
    made.open = graph.width > 700;
    return made;
  }

  function find(graph) {
    const input = element("input", {
      type: "search",
      placeholder: "Find a page",
      "aria-label": "Find a page in the graph",
      autocomplete: "off",
    });
    const found = element("ul", { class: "cw-found" });
    const show = (node) => {
      graph.goTo(node);
      found.replaceChildren();
      graph.canvas.focus();
    };
    const list = () => {
      const wanted = input.value.trim().toLocaleLowerCase();
      const hits = graph.ranked.filter(
        (node) => wanted && node.title.toLocaleLowerCase().includes(wanted),
      );
      const rows = hits.slice(0, 8).map((node) => button(node.title, node.title, () => show(node)));
      found.replaceChildren(...rows.map((row) => element("li", {}, row)));
      return hits;
    };
    input.addEventListener("input", list);
    input.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the theme's own keys: "s" and "/" search, "n" and "p" turn pages
      if (event.key === "Enter" && list().length) show(list()[0]);
      if (event.key === "ArrowDown") found.querySelector("button")?.focus();
      if (event.key === "Escape") {
        input.value = "";
        list();
      }
    });
    return element("div", { class: "cw-find" }, input, found);
  }

  document.addEventListener("citewiki:graph", ({ detail: graph }) => {
    if (graph.mini) return;
    graph.box.append(zoom(graph), find(graph), legend(graph));
    graph.redraw();
  });
})();
