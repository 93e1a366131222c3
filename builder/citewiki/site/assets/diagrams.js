/* Draws the Mermaid diagrams of a page, in its light or dark colours. Nothing in them acts. */
(() => {
  "use strict"
  const library = new URL("mermaid.min.js", document.currentScript.src).href
  const sources = [...document.querySelectorAll("pre.cw-diagram, div.cw-diagram")]
    .map(place => ({ place, text: place.textContent, shown: place }))
  if (!sources.length) return
  let loaded
  let count = 0

  const load = () => loaded ??= new Promise((done, failed) => {
    const script = document.createElement("script")
    script.src = library
    script.onload = () => done(window.mermaid)
    script.onerror = failed
    document.head.append(script)
  })
  const isDark = () => document.body.getAttribute("data-md-color-scheme") === "slate"

  async function draw(source) {
    try {
      const mermaid = await load()
      mermaid.initialize({
        startOnLoad: false, securityLevel: "strict", theme: isDark() ? "dark" : "neutral",
        fontFamily: getComputedStyle(document.body).fontFamily,
      })
      const { svg } = await mermaid.render(`cw-diagram-${++count}`, source.text)
      const figure = document.createElement("figure")
      figure.className = "cw-drawn"
      figure.setAttribute("role", "img")
      figure.setAttribute("aria-label", source.text.trim().split("\n", 1)[0])
      figure.innerHTML = svg
      source.shown.replaceWith(figure)
      source.shown = figure
    } catch (error) {  // the source stays, and says why
      source.shown.replaceWith(source.place)
      source.shown = source.place
      source.place.title = String(error.message || error).split("\n", 1)[0]
      document.querySelectorAll(`[id^="dcw-diagram-"]`).forEach(rest => rest.remove())
    }
  }

  let queue = Promise.resolve()  // one at a time: Mermaid keeps its settings for all
  const ask = source => { queue = queue.then(() => draw(source)) }
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue
      seen.unobserve(entry.target)
      ask(sources.find(source => source.shown === entry.target))
    }
  }, { rootMargin: "50%" })
  for (const source of sources) seen.observe(source.place)

  let dark = isDark()
  new MutationObserver(() => {
    if (dark === isDark()) return
    dark = isDark()
    for (const source of sources) if (source.shown !== source.place) ask(source)
  }).observe(document.body, { attributeFilter: ["data-md-color-scheme"] })
  addEventListener("beforeprint", () => {
    for (const source of sources) if (source.shown === source.place) ask(source)
  })
})()
