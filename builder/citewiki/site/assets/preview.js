// Previews: what a link leads to, shown beside it while the pointer rests on it or the keyboard is
// on it. A link to a heading shows that section, one to a footnote the note. Each page is fetched
// once, from this site only. Escape closes; there are none where nothing hovers, as on a phone.
(() => {
  if (!matchMedia("(hover: hover)").matches) return;

  const WAIT = 250; // milliseconds that the pointer rests before, and may be away afterwards
  const LONGEST = 900; // characters of text that are shown
  const LINKS = ".md-content a[href]:not(.headerlink, .footnote-backref, .cw-tag, .md-button, .cw-card)";
  const DROPPED = "script, style, iframe, form, .headerlink, .footnote, .cw-status, .cw-foot, .cw-graph, .md-content__button, .cw-numbers";

  const pages = new Map(); // address without "#…" → promise of its article
  let box, link, timer;

  function article(address) {
    if (!pages.has(address)) {
      pages.set(address, fetch(address).then(async (answer) => {
        if (!answer.ok || !answer.headers.get("content-type")?.includes("html")) return null;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const found = page.querySelector(".md-content__inner");
        for (const element of found?.querySelectorAll("[href], [src]") ?? [])
          for (const key of ["href", "src"])
            if (element.hasAttribute(key)) element.setAttribute(key, new URL(element.getAttribute(key), address));
        return found;
      }).catch(() => null));
    }
    return pages.get(address);
  }

  // The part of an article that an id names: a section to the next heading of its rank, a block;
  // without one, what stands at the top.
  function part(found, id) {
    const shown = document.createElement("div");
    const start = id ? found.querySelector(`[id="${CSS.escape(id)}"]`) : null;
    const rank = start && /^H([1-6])$/.exec(start.tagName)?.[1];
    if (start && !rank) {
      shown.append(start.cloneNode(true));
      return shown;
    }
    const text = found.querySelector(":scope > [lang]") ?? found;
    const blocks = start ? [start] : [found.querySelector("h1"), ...text.children].filter(Boolean);
    if (start)
      for (let next = start.nextElementSibling; next; next = next.nextElementSibling) {
        if (/^H[1-6]$/.test(next.tagName) && next.tagName[1] <= rank) break;
        blocks.push(next);
      }
    for (const block of new Set(blocks)) {
      if (block.matches(DROPPED)) continue;
      const copy = block.cloneNode(true);
      for (const element of copy.querySelectorAll(DROPPED)) element.remove();
      shown.append(copy);
      if (shown.textContent.length > LONGEST) break;
    }
    if (text !== found) shown.lang = text.lang;
    return shown;
  }

  async function show(wanted) {
    const address = new URL(wanted.href);
    const id = decodeURIComponent(address.hash.slice(1).split(":~:")[0]);
    address.hash = "";
    const here = address.href === location.href.split("#")[0];
    if (here && !id) return;
    const found = here ? document.querySelector(".md-content__inner") : await article(address.href);
    if (!found || link !== wanted) return;
    const shown = part(found, id);
    for (const element of shown.querySelectorAll(".footnote-backref")) element.remove();
    for (const element of shown.querySelectorAll("[id]")) element.removeAttribute("id");
    if (!shown.textContent.trim() && !shown.querySelector("img")) return;
    hide();
    link = wanted;
    box = document.createElement("div");
    box.id = "cw-preview";
    box.className = "cw-preview md-typeset";
    box.setAttribute("role", "tooltip");
    box.append(shown);
    box.addEventListener("pointerenter", () => clearTimeout(timer));
    box.addEventListener("pointerleave", later);
    document.body.append(box);
    link.setAttribute("aria-describedby", box.id);
    place(wanted.getClientRects()[0]);
  }

  function place(at) {
    if (!at) return hide();
    const { offsetWidth: width, offsetHeight: height } = box;
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8));
    const below = at.bottom + height + 8 < innerHeight || at.top < height + 8;
    box.style.left = `${left + scrollX}px`;
    box.style.top = `${(below ? at.bottom + 6 : at.top - height - 6) + scrollY}px`;
    box.classList.add("cw-preview-shown");
  }

  function hide() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    box?.remove();
    box = link = undefined;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(hide, WAIT);
  }

  // Pages of this site, and places on this page; not files, not lists of their own.
  function isPage(wanted) {
    return wanted.origin === location.origin && wanted.protocol.startsWith("http") && !wanted.download &&
      (wanted.pathname.endsWith("/") || wanted.pathname.endsWith(".html"));
  }

  function enter(event) {
    const wanted = event.target.closest?.(LINKS);
    if (!wanted || event.pointerType === "touch" || !isPage(wanted)) return;
    clearTimeout(timer);
    if (wanted === link) return;
    if (event.type === "focusin" && !wanted.matches(":focus-visible")) return;
    timer = setTimeout(() => {
      if (box) hide();
      link = wanted;
      show(wanted);
    }, WAIT);
  }

  document.addEventListener("pointerover", enter);
  document.addEventListener("focusin", enter);
  document.addEventListener("pointerout", (event) => event.target.closest?.(LINKS) && later());
  document.addEventListener("focusout", (event) => event.target === link && hide());
  document.addEventListener("keydown", (event) => event.key === "Escape" && (link || box) && hide());
  document.addEventListener("click", hide);
})();
